/** Special files where contracts and settings name one: context, deliverables, config, agents. */
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectRefused, makeHouse, mark, shellContract, waitsOf } from './house.ts';
import { ALL, KINDS, put, refusalOf } from './kinds.ts';

describe('symlink, hard link, /proc/self/environ as a context file or deliverable', () => {
  const linked = Object.entries(ALL).filter(
    ([kind]) => !['hard link to a good file', '1 GB file'].includes(kind),
  );
  test.each(linked)('context file: %s', async (_kind, make) => {
    const house = makeHouse();
    await put(house, 'context.md', make, 'words\n');
    house.task(
      'bad',
      shellContract('bad', { head: 'context_files:\n  - twin.md\n  - context.md' }),
    );
    await expectRefused(house, 'bad', {
      code: 'not_a_file',
      says: 'context file context.md',
      line: 9,
    });
  });

  test('a context file behind a linked folder', async () => {
    const house = makeHouse();
    house.write('real/context.md', 'words\n');
    symlinkSync('real', house.path('linked'));
    house.task('bad', shellContract('bad', { body: '## Context Files\n\n- linked/context.md\n' }));
    await expectRefused(house, 'bad', { code: 'not_a_file', says: 'linked is a link', line: 17 });
  });

  test.each(['/proc/self/environ', '../secret', 'a/../../secret'])('the path %s', async (path) => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: `context_files: ["${path}"]` }));
    await expectRefused(house, 'bad', { code: 'bad_path', says: 'the path', line: 7 });
  });

  test.each(linked)('deliverable: %s', async (_kind, make) => {
    const house = makeHouse();
    await put(house, 'bad.txt', make, 'not by the agent\n');
    const contract = shellContract('bad', { head: 'reviews_max: 0', sh: 'true' }).replaceAll(
      'test -s bad.txt',
      'test 1',
    );
    house.task('bad', contract);
    const before = mark(house.path('bad.txt'));
    const { code, events } = await house.events('run');
    expect(code).toBe(1);
    expect(waitsOf(events, 'bad')?.reason).toContain('deliverable bad.txt is refused');
    expect(house.where('bad')).toEqual(['blocked']);
    expect(mark(house.path('bad.txt'))).toEqual(before);
    expect(house.where('good')).toEqual(['done']);
  });
});

describe('the same as config.yaml', () => {
  test.each(KINDS.filter(([kind]) => kind !== 'hard link to a good file'))(
    '%s: exit 2, and words',
    async (kind, make) => {
      const house = makeHouse();
      await put(house, '.contracts/config.yaml', make, 'parallel: 1\n');
      for (const verb of ['run', 'list', 'step']) {
        const said = await house.run(verb);
        expect(said.code).toBe(2);
        expect(said.err).toMatch(
          /^.*\.contracts\/config\.yaml:1:1: error: .*expected a regular file/,
        );
        expect(said.err).toMatch(refusalOf(kind).says);
      }
      expect(house.where('good')).toEqual(['ready']);
      const check = await house.run('check');
      expect(check.code).toBe(1);
      expect(check.out).toMatch(/^\.contracts\/config\.yaml:1:1: error: /);
    },
  );
});

describe('the same as an agent file', () => {
  test.each(KINDS.filter(([kind]) => !['folder', 'hard link to a good file'].includes(kind)))(
    '%s: who is named so waits, and no other of that name takes its place; the others load',
    async (kind, make) => {
      const house = makeHouse();
      house.write('.contracts/agents/fine.md', 'You are fine.\n');
      await put(house, '.contracts/agents/janitor.md', make, 'You are odd.\n');
      house.task('bad', shellContract('bad', { head: 'agent: janitor' }));
      house.task('other', shellContract('other', { head: 'agent: fine' }));
      const { code, says } = refusalOf(kind);
      await expectRefused(house, 'bad', {
        code,
        file: '.contracts/agents/janitor.md',
        says: 'agent janitor is left out',
        line: 1,
      });
      expect(house.where('other')).toEqual(['done']);
      expect((await house.run('check')).out).toMatch(says);
    },
  );

  test('a folder is a namespace and no agent', async () => {
    const house = makeHouse();
    house.write('.contracts/agents/odd.md/one.md', 'You are one.\n');
    house.task('bad', shellContract('bad', { head: 'agent: odd' }));
    const says = 'this agent does not exist';
    await expectRefused(house, 'bad', { code: 'unknown_agent', says, line: 7 });
  });
});
