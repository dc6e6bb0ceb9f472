/**
 * What a runner wrote below a plan is nobody else's doing, also for who takes over after it was killed;
 * what only looks like it is told. Processes and agents are a MOCK; files and protocol are real.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { planTaskId } from './support/plan-ids.ts';
import { isRunners } from '../../src/plans/engine/follow/calls.ts';
import { step } from '../../src/engine/step/step.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

const LOGIN = planTaskId('launch', 'login', sha256);
const FOLDER = '.contracts/plans/launch';
const PLAN = `${FOLDER}/plan.md`;
const STORY = `${FOLDER}/stories/${LOGIN}.md`;
const NOTEPAD = `${FOLDER}/notepad.md`;
const TEXT =
  '# Launch\n\n- [ ] Log in (id: login)\n  - [ ] asks for a name\n- [ ] By hand (id: own)\n';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write(
    '.contracts/config.yaml',
    'adapter: me\nparallel: 3\nadapters:\n  me: { type: claude, run: [sh] }\n',
  );
  world.write(PLAN, TEXT);
  task(LOGIN, 'plan: launch\ntype: story\n');
  task('watch');
  world.write('here.txt', 'here\n');
});

function task(id: string, head = ''): void {
  const verify = 'verify: ["file_exists: here.txt"]\n';
  const body = `# ${id}\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`;
  world.write(
    `active_tasks/ready/${id}/contract.md`,
    `---\nv: 1\ntitle: ${id}\n${head}${verify}---\n\n${body}`,
  );
}

function handsIn(call: ScriptedCall): number {
  const text =
    '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n\n## Learnings\n\n- Ask once\n';
  writeFileSync(join(call.desk, 'result.md'), text);
  return 0;
}

const at = (path: string): string => join(world.root, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');

async function logsIn(): Promise<Workspace> {
  const { ws } = world.process({ disk: unsyncedDisk, script: handsIn });
  await step(ws, { only: new Set([LOGIN]) });
  await step(ws, { only: new Set([LOGIN]) });
  expect(read(PLAN)).toContain('- [x] Log in');
  return ws;
}

/** As a witness that had kept these texts would have it told; undefined: there was no such file. */
function runners(ws: Workspace, path: string, before: string | undefined): boolean {
  const bytes = before === undefined ? [] : ([[path, Buffer.from(before)]] as const);
  const kept = new Map<string, Uint8Array>(bytes);
  const files = { has: (name: string) => kept.has(name), bytes: (name: string) => kept.get(name) };
  return isRunners(ws, files, path);
}

describe('below a plan', () => {
  test('a box, a story and the notepad are the runner’s, from any state to any later one', async () => {
    await logsIn();
    const { ws } = world.process({ disk: unsyncedDisk });
    expect(runners(ws, PLAN, TEXT)).toBe(true);
    expect(runners(ws, PLAN, TEXT.replace('[ ] Log', '[~] Log'))).toBe(true);
    expect(runners(ws, STORY, undefined)).toBe(true);
    expect(runners(ws, NOTEPAD, undefined)).toBe(true);
    const noted = read(NOTEPAD);
    writeFileSync(at(NOTEPAD), `Mine.\n${noted.slice(noted.indexOf('\n') + 1)}`);
    expect(runners(ws, NOTEPAD, 'Mine.\n')).toBe(true);
  });

  test.each([
    ['the box of another', PLAN, TEXT, (now: string) => now.replace('[ ] By hand', '[x] By hand')],
    ['a word beside a box', PLAN, TEXT, (now: string) => now.replace('Log in', 'Log out')],
    ['a line at the end', PLAN, TEXT, (now: string) => `${now}- [ ] More\n`],
    [
      'a box that was never dropped',
      PLAN,
      TEXT,
      (now: string) => now.replace('[x] Log', '[-] Log'),
    ],
    ['a new file', `${FOLDER}/PAUSED`, undefined, () => 'yes\n'],
    ['a plan that was not there', `${FOLDER}-2/plan.md`, undefined, () => TEXT],
    [
      'another learning',
      NOTEPAD,
      undefined,
      (now: string) => now.replace('Ask once', 'Ask thrice'),
    ],
    ['an entry of nobody', NOTEPAD, undefined, (now: string) => now.replace(LOGIN, 'watch')],
    ['words below an entry', NOTEPAD, undefined, (now: string) => `${now}Believe me.\n`],
    ['a line of a story', STORY, undefined, (now: string) => `${now}\n- Believe me\n`],
    [
      'who did it',
      STORY,
      undefined,
      (now: string) => now.replace(/^(- Attempt 1) by \w+/m, '$1 by me'),
    ],
    ['a story of nobody', `${FOLDER}/stories/other.md`, undefined, () => '# Other\n'],
    ['a report of nobody', `${FOLDER}/runs/${LOGIN}-1.md`, undefined, () => '# Stopped: it\n'],
  ])('%s is not', async (_, path, before, forged) => {
    await logsIn();
    const { ws } = world.process({ disk: unsyncedDisk });
    const now = existsSync(at(path)) ? read(path) : '';
    const text = forged(now);
    expect(text).not.toBe(now);
    world.write(path, text);
    expect(runners(ws, path, before)).toBe(false);
  });

  test('a box that says done of a task which is not is an agent’s', async () => {
    const { ws } = world.process({ disk: unsyncedDisk });
    world.write(PLAN, TEXT.replace('[ ] Log', '[x] Log'));
    expect(runners(ws, PLAN, TEXT)).toBe(false);
    world.write(PLAN, TEXT.replace('[ ] Log', '[~] Log'));
    expect(runners(ws, PLAN, TEXT)).toBe(true);
  });

  test('what a killed runner had begun to write is its own, and no other file of such a name', async () => {
    await logsIn();
    const { ws } = world.process({ disk: unsyncedDisk });
    const torn = `${FOLDER}/.tmp-1`;
    for (const text of [
      '',
      read(PLAN).slice(0, 20),
      read(PLAN),
      TEXT.replace('[ ] Log', '[~] Log'),
    ]) {
      world.write(torn, text);
      expect(runners(ws, torn, undefined)).toBe(text !== TEXT.replace('[ ] Log', '[~] Log'));
    }
    world.write(torn, 'mine\n');
    expect(runners(ws, torn, undefined)).toBe(false);
  });
});

/** The first runner dies when the desk of `watch` is to go into its attempt; the next one compares. */
async function takenOver(meanwhile: () => void): Promise<string> {
  const taken = /\.desk\/watch\.0001 -> .*attempts\/0001\/desk$/;
  const disk = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    rename: (from, to) => {
      if (taken.test(`${from} -> ${to}`)) disk.kill();
      else unsyncedDisk.rename(from, to);
    },
  });
  let began = (): void => undefined;
  let goOn = (): void => undefined;
  const begun = new Promise<void>((resolve) => (began = resolve));
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  const { ws } = world.process({
    disk,
    script: async (call) => {
      if (call.task === 'watch') {
        began();
        await gone;
      }
      return handsIn(call);
    },
  });
  const watching = step(ws, { only: new Set(['watch']) }).catch(() => undefined);
  await begun;
  await step(ws, { only: new Set([LOGIN]) });
  await step(ws, { only: new Set([LOGIN]) });
  meanwhile();
  goOn();
  await Promise.race([watching, disk.died]);
  expect(disk.dead).toBe(true);
  const next = world.process({ disk: unsyncedDisk, script: handsIn });
  await step(next.ws, { only: new Set(['watch']) });
  return read('active_tasks/done/watch/attempts/0002/outcome.md');
}

test('who takes over after a killed runner does not notice what that one wrote', async () => {
  const outcome = await takenOver(() => undefined);
  expect(read(PLAN)).toContain('- [x] Log in');
  expect(outcome).toContain('outcome: complete');
  expect(outcome).not.toContain('noticed');
});

test('and notices what somebody else wrote', async () => {
  const outcome = await takenOver(() => appendFileSync(at(PLAN), '- [ ] More\n'));
  expect(outcome).toContain(`write ${PLAN}: this agent may write **`);
  expect(outcome).not.toContain('**, **');
});
