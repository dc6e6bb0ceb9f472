/** What an agent may leave on its desk instead of a file, and that nothing is read through it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeHouse, shellContract, waitsOf, type House } from './house.ts';

describe('the same on the agent’s desk, written by the agent', () => {
  const SECRET = 'correct horse battery staple';
  const result = (id: string) =>
    `# Task Result: ${id}\n\n- Status: COMPLETE\n\n## Success Criteria\n\n- [x] \`test -s ${id}.txt\` passes\n\n## Notes\n\n${SECRET}\n`;
  const commands = {
    FIFO: 'mkfifo "$CONTRACTS_OUT/NAME"',
    folder: 'rm -f "$CONTRACTS_OUT/NAME"; mkdir "$CONTRACTS_OUT/NAME"',
    'symbolic link': 'ln -sf "$CONTRACTS_ROOT/secret.md" "$CONTRACTS_OUT/NAME"',
    'symbolic link to /dev/zero': 'ln -sf /dev/zero "$CONTRACTS_OUT/NAME"',
    'hard link': 'ln -f "$CONTRACTS_ROOT/secret.md" "$CONTRACTS_OUT/NAME"',
    '300 KB': 'head -c 300000 /dev/zero | tr "\\0" x > "$CONTRACTS_OUT/NAME"',
    '1 GB': 'truncate -s 1000000000 "$CONTRACTS_OUT/NAME"',
  };

  test.each(Object.entries(commands))(
    '%s as result.md fails, twice, and ends in blocked',
    async (_kind, command) => {
      const house = makeHouse();
      house.write('secret.md', result('bad'));
      const sh = `echo made > bad.txt\n${command.replaceAll('NAME', 'result.md')}`;
      house.task('bad', shellContract('bad', { head: 'retries_max: 1', sh }));
      const { code, events } = await house.events('run');
      const ended = events.filter((event) => event.event === 'ended' && event.task === 'bad');
      expect(ended.map((event) => (event as { outcome: string }).outcome)).toEqual([
        'failed',
        'failed',
      ]);
      expect(house.where('bad')).toEqual(['blocked']);
      expect(waitsOf(events, 'bad')?.reason).toMatch(/result\.md cannot be read: it (is|has) /);
      expect(code).toBe(1);
      expect(house.where('good')).toEqual(['done']);
      expect(copiesOf(house, SECRET)).toEqual([]);
    },
  );

  test.each(Object.entries(commands))(
    '%s as questions.md is no question, and is named as unreadable',
    async (_kind, command) => {
      const house = makeHouse();
      house.write('secret.md', `# Questions\n\n## Questions\n\n1. ${SECRET}?\n`);
      const sh = `echo made > bad.txt\n${command.replaceAll('NAME', 'questions.md')}`;
      house.task('bad', shellContract('bad', { head: 'retries_max: 1', sh }));
      const { code, events } = await house.events('run');
      expect(house.where('bad')).toEqual(['blocked']);
      expect(waitsOf(events, 'bad')?.reason).toMatch(/questions\.md cannot be read: it (is|has) /);
      expect(code).toBe(1);
      expect(house.where('good')).toEqual(['done']);
      expect(copiesOf(house, SECRET)).toEqual([]);
    },
  );

  test.each(Object.entries(commands))(
    '%s as status.md is not shown, and harms nothing',
    async (_kind, command) => {
      const house = makeHouse();
      house.write(
        'secret.md',
        `# Task Status\n\n- Status: IN_PROGRESS\n- Current Step: ${SECRET}\n`,
      );
      const sh = `echo made > bad.txt\nrm -f "$CONTRACTS_OUT/status.md"\n${command.replaceAll('NAME', 'status.md')}`;
      house.task('bad', shellContract('bad', { sh }));
      const { code } = await house.events('run');
      expect(code).toBe(0);
      expect(house.where('bad')).toEqual(['done']);
      expect(house.exists('active_tasks/done/bad/status.md')).toBe(false);
      expect(copiesOf(house, SECRET)).toEqual([]);
    },
  );

  test.each(Object.entries(commands))(
    '%s as review.md, by a reviewer, is no verdict',
    async (_kind, command) => {
      const house = makeHouse({
        config:
          'retries_max: 0\nadapters:\n  own: { type: command, run: [sh, reviewer.sh] }\nagents:\n  janitor: { adapter: own }\n',
      });
      house.write('secret.md', `# Review: bad\n\n## Verdict\n\n- [x] APPROVED\n\n${SECRET}\n`);
      house.write('reviewer.sh', `${command.replaceAll('NAME', 'review.md')}\n`);
      house.task('bad', shellContract('bad', { head: 'quality_gate: [janitor]' }));
      const { code, events } = await house.events('run');
      expect(code).toBe(1);
      expect(house.where('bad')).toEqual(['review']);
      expect(waitsOf(events, 'bad')?.reason).toContain('janitor ended without a verdict');
      expect(house.where('good')).toEqual(['done']);
      expect(copiesOf(house, SECRET)).toEqual([]);
    },
  );

  test('a link in the place of the whole desk: nothing is read or written through it', async () => {
    const house = makeHouse();
    house.write('away/result.md', result('bad'));
    const sh =
      'echo made > bad.txt\nrm -rf "$CONTRACTS_OUT"; ln -s "$CONTRACTS_ROOT/away" "$CONTRACTS_OUT"';
    house.task('bad', shellContract('bad', { head: 'retries_max: 0', sh }));
    house.task(
      'bad-empty',
      shellContract('bad-empty', { head: 'retries_max: 0', sh: sh.replaceAll('away', 'empty') }),
    );
    mkdirSync(house.path('empty'));
    const { code } = await house.events('run');
    expect(house.where('bad')).toEqual(['blocked']);
    expect(house.where('bad-empty')).toEqual(['blocked']);
    expect(code).toBe(1);
    expect(house.exists('empty/result.md')).toBe(false);
    expect(house.where('good')).toEqual(['done']);
    expect(copiesOf(house, SECRET)).toEqual([]);
  });
});

/** Files of the tree that hold these words. */
function copiesOf(house: House, words: string): string[] {
  // -I and no -R: links are not followed, so only real copies are found. Linked files have 2 names.
  const found = spawnSync(
    'find',
    [
      house.path('active_tasks'),
      '-type',
      'f',
      '-links',
      '1',
      '-size',
      '-1000k',
      '-exec',
      'grep',
      '-l',
      words,
      '{}',
      '+',
    ],
    { encoding: 'utf8' },
  );
  return found.stdout.split('\n').filter((line) => line !== '');
}
