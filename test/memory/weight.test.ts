/** Learnings gain by tasks that passed with them in their brief, and lose by those that came back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { learningsFor } from '../../src/memory/engine/recall.ts';
import { commandRoom } from '../support/command-room.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import { checkedLines } from '../support/json-lines.ts';
import { makeWorld } from '../support/world.ts';

const CONFIG = `adapters:
  mine: { type: command, run: [sh, .contracts/agent.sh] }
agents:
  dev: { adapter: mine }
  judge: { adapter: mine }
`;
/** Works as the file of its task says for this call, else well; keeps its brief. */
const AGENT = `cp "$CONTRACTS_OUT/brief.md" "brief-$CONTRACTS_TASK.md"
how="$(head -n 1 "how-$CONTRACTS_TASK" 2>/dev/null)"
sed -i 1d "how-$CONTRACTS_TASK" 2>/dev/null
case "$how" in
  crash) kill -9 $$ ;;
  failed) printf -- '- Status: FAILED\\n' > "$CONTRACTS_OUT/result.md"; exit ;;
  unmade) rm -f "$CONTRACTS_TASK.txt" ;;
  *) echo "$how" > "$CONTRACTS_TASK.txt" ;;
esac
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is there\\n' > "$CONTRACTS_OUT/result.md"
`;
const ZOD = '.contracts/memory/insight/zod.md';
const JOI = '.contracts/memory/insight/joi.md';

let room = commandRoom(CONFIG);
beforeEach(() => {
  room = commandRoom(CONFIG);
  room.write('.contracts/agent.sh', AGENT);
  room.write(ZOD, 'Check each form with a schema of Zod\n');
});

const path = (file: string): string => join(room.root, file);
const text = (file: string): string => readFileSync(path(file), 'utf8');

/** A task whose agent works so in each of its calls. */
function task(id: string, how: readonly string[] = [], head = ''): void {
  room.write(`how-${id}`, how.map((one) => `${one}\n`).join(''));
  room.write(
    `active_tasks/ready/${id}/contract.md`,
    `---\nagent: dev\n${head}verify: ["file_exists: ${id}.txt"]\n---\n\n# Check the form ${id}\n\n## Success Criteria\n\n- [ ] It is there\n`,
  );
}

async function weight(id = 'zod') {
  const [line] = checkedLines((await room.said('memory', 'show', id, '--json')).out);
  const { uses, returned, passed, came_back, weight } = line as Record<string, unknown>;
  return { uses, returned, passed, came_back, weight };
}

describe('after', () => {
  test('a task that passed at once', async () => {
    task('one');
    expect((await room.said('run')).code).toBe(0);
    expect(text('brief-one.md')).toContain(ZOD);
    const [uses, returned] = [['one'], []];
    expect(await weight()).toEqual({ uses, returned, passed: 1, came_back: 0, weight: 0.67 });
    expect((await room.said('memory', 'show', 'zod')).out).toContain(
      'weight 0.67: of the tasks briefed with it, 1 passed and 0 came back',
    );
  });

  test('a check that failed, and then passed', async () => {
    task('one', ['unmade']);
    expect((await room.said('run')).code).toBe(0);
    const [uses, returned] = [['one'], ['one']];
    expect(await weight()).toEqual({ uses, returned, passed: 1, came_back: 1, weight: 0.5 });
  });

  test('an agent that gave up for good', async () => {
    task('one', ['failed', 'failed', 'failed', 'failed']);
    await room.said('run');
    expect(room.states()).toEqual({ one: 'blocked' });
    const [uses, returned] = [[], ['one']];
    expect(await weight()).toEqual({ uses, returned, passed: 0, came_back: 1, weight: 0.33 });
  });

  test.each([
    ['needs-work', 'review'],
    ['reject', 'aborted'],
  ])('a person’s %s', async (verb, state) => {
    task('one', [], 'quality_gate: person\n');
    await room.said('run');
    expect((await room.said(verb, 'one', 'The form is not checked')).code).toBe(0);
    await room.said('run');
    expect(room.states()).toEqual({ one: state });
    expect(await weight()).toMatchObject({ returned: ['one'], passed: 0, came_back: 1 });
  });

  test('a call that went wrong: it says nothing of what was in the brief', async () => {
    task('one', ['crash']);
    await room.said('run');
    expect(await weight()).toMatchObject({ returned: [], came_back: 0 });
  });

  test('a task that a person opened again: it has not passed until it is done again', async () => {
    task('one');
    await room.said('run');
    expect((await room.said('retry', 'one', '--again', 'Once more')).code).toBe(0);
    expect(await weight()).toMatchObject({ passed: 0, came_back: 1, weight: 0.33 });
    await room.said('run');
    expect(await weight()).toMatchObject({ uses: ['one'], passed: 1, came_back: 0 });
  });

  test('a task whose brief it did not fit: nothing', async () => {
    room.write(ZOD, 'Water the plants on Mondays\n');
    task('one', ['unmade']);
    await room.said('run');
    expect(text('brief-one.md')).not.toContain(ZOD);
    expect(await weight()).toMatchObject({ uses: [], returned: [], weight: 0.5 });
  });
});

test('briefs show first what helped, then what nobody has seen, then what did not', async () => {
  room.write(JOI, 'Check each form with a schema of Zod\n');
  room.write('.contracts/memory/insight/ajv.md', 'Check each form with a schema of Zod\n');
  const inBrief = (): readonly string[] =>
    [...text('brief-new.md').matchAll(/insight\/(\w+)\.md/g)].map(([, id = '']) => id);
  task('new', [], 'quality_gate: person\n');
  await room.said('run');
  expect(inBrief()).toEqual(['ajv', 'joi', 'zod']);
  await room.said('abort', 'new');
  room.write('active_tasks/done/d1/contract.md', '# D\n');
  room.write(ZOD, '---\nuses: [d1]\n---\nCheck each form with a schema of Zod\n');
  room.write(
    '.contracts/memory/insight/ajv.md',
    '---\nreturned: [d1, d2]\n---\nCheck each form with a schema of Zod\n',
  );
  const found = await room.said('memory', 'find', 'check the form');
  expect([...found.out.matchAll(/^(\w+) {2}insight/gm)].map(([, id]) => id)).toEqual([
    'zod',
    'joi',
    'ajv',
  ]);
  task('newer');
  await room.said('run');
  const lines = text('brief-newer.md').match(/insight\/\w+\.md/g) ?? [];
  expect(lines.map((one) => one.slice(8, -3))).toEqual(['zod', 'joi', 'ajv']);
});

test('with many tasks a brief opens no more of them: only their names are read', () => {
  const looks = (count: number): number => {
    const world = makeWorld();
    for (let n = 0; n < count; n++) {
      world.write(`active_tasks/done/d${n}/contract.md`, '# D\n');
      world.write(`active_tasks/ready/r${n}/contract.md`, '# R\n');
    }
    const uses = Array.from({ length: 20 }, (_, n) => `d${n * 7}`).join(', ');
    const returned = Array.from({ length: 20 }, (_, n) => `r${n}`).join(', ');
    for (let n = 0; n < 30; n++)
      world.write(
        `.contracts/memory/insight/l${n}.md`,
        `---\nuses: [${uses}, r1]\nreturned: [${returned}]\n---\nCheck form ${n} with Zod\n`,
      );
    let asked = 0;
    const disk = new Proxy(unsyncedDisk, {
      get: (all, key) => {
        const act: unknown = Reflect.get(all, key);
        if (typeof act !== 'function') return act;
        return (...given: unknown[]): unknown => (asked++, Reflect.apply(act, all, given));
      },
    });
    const { ws } = world.process({ disk });
    asked = 0;
    expect(learningsFor(ws, 'Check the form').text).toContain('with Zod');
    return asked;
  };
  expect(looks(2_000)).toBe(looks(200));
});
