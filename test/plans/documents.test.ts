/**
 * Documents that agents hand in, with a death at each change of the disk that puts them in place: the next
 * runner puts them there once. Processes and agents are a MOCK; files and protocol are real.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { CHANGES, Died, faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import type { World } from '../support/world.ts';
import { launchWorld } from './support/launch-world.ts';

const PLAN = '.contracts/plans/launch';
const NOTEPAD = `${PLAN}/notepad.md`;
const STORY = `${PLAN}/stories/login.md`;
const NOTED = 'Kept.\nAsk once.\n';

let world: World;
beforeEach(() => void (world = made()));

const made = (): World => launchWorld('login', 'type: story\nagent: dev');

function onDesk(desk: string, path: string): string {
  return join(desk, 'documents', path.replace('.contracts/', ''));
}

function handsIn({ desk }: Pick<ScriptedCall, 'desk'>): number {
  fs.appendFileSync(onDesk(desk, NOTEPAD), 'Ask once.\n');
  const story = onDesk(desk, STORY);
  fs.writeFileSync(
    story,
    fs.readFileSync(story, 'utf8').replace('## Dev Notes\n', '$&\nBy dev.\n'),
  );
  const text = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';
  fs.writeFileSync(join(desk, 'result.md'), text);
  return 0;
}

/** What it reports that is not put in place. */
async function steps(
  one: World,
  disk: Disk = unsyncedDisk,
  script: (call: ScriptedCall) => number = handsIn,
): Promise<string[]> {
  const { ws } = one.process({ script, disk });
  const events: Event[] = [];
  await step(ws, { emit: (event) => events.push(event) });
  return events.flatMap((event) =>
    event.event === 'problem' && event.problem.message.includes('handed this in')
      ? [`${event.problem.file}: ${event.problem.message.split(': ').at(-1)}`]
      : [],
  );
}

const read = (one: World, path: string): string => fs.readFileSync(join(one.root, path), 'utf8');
const count = (text: string, word: string): number => text.split(word).length - 1;

test('after a death at any change that puts documents in place, they are there once', async () => {
  const clean = faultyDisk(-1, undefined, unsyncedDisk);
  expect(await steps(world, clean)).toEqual([]);
  expect(read(world, NOTEPAD)).toBe(NOTED);
  const places = clean.trace.flatMap(({ operation, path, to = '' }, at) =>
    CHANGES.has(operation) && /\/placed|plans\/launch/.test(path + to) ? [at] : [],
  );
  for (const at of places) {
    const other = made();
    const dying = faultyDisk(at, { kind: 'die_after' }, unsyncedDisk);
    await Promise.race([steps(other, dying), dying.died]).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
    const where = JSON.stringify(clean.trace[at]);
    const refused = [await steps(other), await steps(other)].flat();
    expect(refused, where).toEqual([]);
    expect(read(other, NOTEPAD), where).toBe(NOTED);
    expect(count(read(other, STORY), 'By dev.'), where).toBe(1);
  }
  expect(places.length).toBeGreaterThan(8);
});

test('what another one adds in between stays, also after a death', async () => {
  const clean = faultyDisk(-1, undefined, unsyncedDisk);
  await steps(world, clean);
  const at = clean.trace.findIndex(({ to }) => to?.endsWith(`/${NOTEPAD}`));
  for (const kind of ['die_before', 'die_after'] as const) {
    const other = made();
    const dying = faultyDisk(at, { kind }, unsyncedDisk);
    await Promise.race([steps(other, dying), dying.died]).catch(() => undefined);
    fs.appendFileSync(join(other.root, NOTEPAD), 'By a person.\n');
    expect(await steps(other)).toEqual([]);
    const lines =
      kind === 'die_after' ? ['Ask once.', 'By a person.'] : ['By a person.', 'Ask once.'];
    expect(read(other, NOTEPAD)).toBe(`Kept.\n${lines.join('\n')}\n`);
  }
});

test('no link, pipe, second name or folder is followed, and a failure hands in nothing', async () => {
  const { root } = world;
  fs.writeFileSync(join(root, 'other.txt'), 'other\n');
  const reported = await steps(world, unsyncedDisk, ({ desk }) => {
    const stories = join(desk, 'documents/plans/launch/stories');
    spawnSync('mkfifo', [join(stories, 'pipe.md')]);
    fs.linkSync(join(root, 'other.txt'), join(stories, 'second.md'));
    fs.mkdirSync(join(stories, 'folder.md'));
    return handsIn({ desk });
  });
  expect(reported).toEqual([
    `${PLAN}/stories/pipe.md: it is a link or a special file`,
    `${PLAN}/stories/second.md: it is a hard link`,
  ]);
  expect(read(world, NOTEPAD)).toBe(NOTED);
  const failing = made();
  await steps(failing, unsyncedDisk, (call) => {
    handsIn(call);
    fs.writeFileSync(join(call.desk, 'result.md'), '- Status: FAILED\n');
    return 0;
  });
  expect(read(failing, NOTEPAD)).toBe('Kept.\n');
  expect(fs.existsSync(join(failing.root, STORY))).toBe(true);
  expect(read(failing, STORY)).not.toContain('By dev.');
});
