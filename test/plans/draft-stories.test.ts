/**
 * A story of sm becomes a draft once, with a death at each change of the disk from its hand-in to the end
 * of its task. Processes and agents are a MOCK; files and protocol are real.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { draftOfStory } from '../../src/plans/text/story-draft.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { CHANGES, Died, faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import type { World } from '../support/world.ts';
import { launchWorld } from './support/launch-world.ts';
import { putFile } from '../support/sealed-folder.ts';

const STORY = '.contracts/plans/launch/stories/login.md';
const TEXT = `# Story: Log in

- Executor: dev
- Quality Gate: qa

## Acceptance Criteria

- [ ] a name is asked for
`;

/** With what it lacked. */
const WHOLE = `${TEXT.replace('in\n', 'in\n\n- Status: DRAFT\n')}
## File List

## QA Results

## Change Log
`;

let world: World;
let story = TEXT;
beforeEach(() => {
  world = made();
  story = TEXT;
});

const made = (): World => launchWorld('write', 'agent: sm\nquality_gate: [po]');

function handsIn({ desk, kind }: ScriptedCall): number {
  if (kind === 'review') fs.writeFileSync(join(desk, 'review.md'), '- Verdict: APPROVED\n');
  else {
    putFile(join(desk, 'documents/plans/launch/stories', 'login.md'), story);
    const text = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';
    fs.writeFileSync(join(desk, 'result.md'), text);
  }
  return 0;
}

async function run(one: World, disk: Disk, count: number): Promise<Event[]> {
  const { ws } = one.process({ script: handsIn, disk });
  const events: Event[] = [];
  for (let n = 0; n < count; n++) await step(ws, { emit: (event) => events.push(event) });
  return events;
}

/** The tasks that it reports to have made. */
async function steps(one: World, disk: Disk = unsyncedDisk, count = 1): Promise<string[]> {
  return (await run(one, disk, count)).flatMap((event) =>
    event.event === 'wrote' && event.file === 'contract.md' ? [event.task] : [],
  );
}

const read = (one: World, path: string): string => fs.readFileSync(join(one.root, path), 'utf8');
const inState = (one: World, state: string): string[] =>
  fs.readdirSync(join(one.root, 'active_tasks', state)).filter((name) => !name.startsWith('.'));

async function dies(one: World, at: number): Promise<void> {
  const dying = faultyDisk(at, { kind: 'die_after' }, unsyncedDisk);
  await Promise.race([steps(one, dying, 2), dying.died]).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
}

test('after a death at any change, the draft is there once, and whole', async () => {
  const clean = faultyDisk(-1, undefined, unsyncedDisk);
  expect(await steps(world, clean, 2)).toEqual(['login']);
  const draft = read(world, 'active_tasks/draft/login/contract.md');
  expect(draft).toContain('- [ ] a name is asked for');
  const from = clean.trace.findIndex(({ path }) => path.includes('/placed'));
  // What a desk is prepared with has tests of its own, and after a sync the disk is as before it.
  const places = clean.trace.flatMap(({ operation, path }, at) => {
    const counts = CHANGES.has(operation) && operation !== 'sync';
    return at >= from && counts && !/\/\.desk\/|\/documents/.test(path) ? [at] : [];
  });
  for (const at of places) {
    const other = made();
    await dies(other, at);
    await steps(other, unsyncedDisk, 3);
    const where = JSON.stringify(clean.trace[at]);
    expect(inState(other, 'draft'), where).toEqual(['login']);
    expect(inState(other, 'done'), where).toEqual(['write']);
    const lines = (text: string): string => text.replace(/^created: .*$/m, '');
    expect(lines(read(other, 'active_tasks/draft/login/contract.md')), where).toBe(lines(draft));
    expect(read(other, STORY), where).toBe(WHOLE);
  }
  expect(places.length).toBeGreaterThan(20);
});

test('one that a person took up or changed after a death is not made again', async () => {
  const clean = faultyDisk(-1, undefined, unsyncedDisk);
  await steps(world, clean, 2);
  const at = clean.trace.findIndex(({ to }) => to?.endsWith('/draft/login'));
  const other = made();
  await dies(other, at);
  const tasks = join(other.root, 'active_tasks');
  fs.mkdirSync(join(tasks, 'aborted'), { recursive: true });
  fs.renameSync(join(tasks, 'draft/login'), join(tasks, 'aborted/login'));
  expect(await steps(other, unsyncedDisk, 3)).toEqual([]);
  expect([inState(other, 'draft'), inState(other, 'aborted')]).toEqual([[], ['login']]);
  const changed = made();
  await dies(changed, at - 1);
  fs.appendFileSync(join(changed.root, STORY), 'By a person.\n');
  expect(await steps(changed, unsyncedDisk, 3)).toEqual([]);
  expect(inState(changed, 'draft')).toEqual([]);
});

test.each([
  ['it is too long', `${TEXT}\n## Tasks\n\n- a\n${'bb\n'.repeat(60_000)}`],
  ['its file is not what was handed in, or cannot be read', `${TEXT}${'x'.repeat(300_000)}`],
])('one that no contract could hold makes no draft: %s', async (why, text) => {
  story = text;
  const events = await run(world, unsyncedDisk, 2);
  const said = events.flatMap((one) => (one.event === 'problem' ? [one.problem.message] : []));
  expect(said).toEqual([`no task is made of this story: ${why}`]);
  expect(inState(world, 'done')).toEqual(['write']);
  expect(fs.existsSync(join(world.root, 'active_tasks/draft/login'))).toBe(false);
  expect(read(world, STORY)).toBe(text);
});

test.each([
  ['# Story 1.2: Log in\n\n- **Executor**: @dev (deep work)\n', 'Log in', 'dev', []],
  ['# User story — `Log` in\n\n**Quality Gate:** @qa, @po\n', 'Log in', undefined, ['qa', 'po']],
  ['---\nexecutor: "@dev"\nquality_gate: [qa]\n---\n\n# Log in\n', 'Log in', 'dev', ['qa']],
  ['# Story: Log in\n\n- Executor: none\n\n## Notes\n\nExecutor: dev\n', 'Log in', undefined, []],
  ['Executor: dev\n', '', 'dev', []],
  ['# A\n\n<!--\nExecutor: @devops\n-->\n', 'A', undefined, []],
  ['# A\n\n```\nExecutor: @devops\n```\n', 'A', undefined, []],
  ['# A\n\nQuality Gate: @qa <!-- or @po -->\n', 'A', undefined, ['qa']],
])('the head of a story: %j', (story, title, agent, quality_gate) => {
  const { head } = draftOfStory(story, { plan: 'launch' });
  expect(head).toEqual({ v: 1, type: 'story', plan: 'launch', title, agent, quality_gate });
});
