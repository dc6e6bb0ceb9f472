/**
 * Plays a generated board on the real file system, with MOCK agents and people, and checks the
 * rules after every step. At the end everybody is kind, and the board must come to rest.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { errorCode } from '../../src/task/store/disk/disk.ts';
import { step } from '../../src/engine/step/step.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { contractOf, doAct, doReview, doWork, folderOf, moveByHand } from './board-actors.ts';
import type { Words } from './board-actors.ts';
import { attemptsOf, look, stateOf, type Look } from './board-look.ts';
import {
  checkStep,
  interfere,
  must,
  nothingLost,
  sameTree,
  type HandMove,
  type Logged,
  type Memory,
} from './board-rules.ts';
import type { Board, Fault, Meanwhile, Person, Step } from './board-script.ts';
import { Died, faultyDisk, unsyncedDisk, type FaultKind } from './faulty-disk.ts';
import type { Script, ScriptedCall } from './scripted-room.ts';
import { IN_MEMORY } from './sealed-folder.ts';
import { makeWorld, type Process, type World } from './world.ts';

/** A file system like any other, and no other test's syncs to wait for. */

const CONFIG = `adapters:
  scripted: { type: command, run: ["true"] }
agents:
  builder: { adapter: scripted }
  reviewer: { adapter: scripted }
  second: { adapter: scripted }
`;

const QUIET: Step = {
  do: 'step',
  works: [],
  reviews: [],
  checks: [],
  meanwhile: [],
  clock_ms: 0,
};
/** More than any board of six kind tasks can need, one after the other. */
const REST_STEPS_MAX = 100;

interface Play {
  readonly board: Board;
  readonly world: World;
  readonly ids: readonly string[];
  readonly contracts: ReadonlyMap<string, string>;
  readonly memory: Memory;
  readonly words: Words;
  /** What people answered, resolved or noted, in order. */
  readonly told: string[];
  /** Rules that an agent saw broken, told when the step is over. */
  readonly broken: string[];
  random: number;
}

export async function playBoard(board: Board): Promise<void> {
  const world = makeWorld(IN_MEMORY);
  try {
    const play = setUp(board, world);
    for (const command of board.script) {
      if (command.do === 'step') await doStep(play, command);
      else await doPerson(play, command);
    }
    await comeToRest(play);
  } finally {
    world.remove();
    // MOCK agents end at once, so that thousands of boards would be one turn of the event loop; and
    // what a turn saw through a weak reference, abort signals with all they know, lives until its end.
    await nextTurn();
  }
}

function setUp(board: Board, world: World): Play {
  const ids = board.tasks.map((_, i) => `t${i + 1}`);
  world.write('.contracts/config.yaml', `parallel: ${board.parallel}\n${CONFIG}`);
  const contracts = new Map(
    board.tasks.map((spec, i) => [`t${i + 1}`, contractOf(`t${i + 1}`, spec, ids)]),
  );
  for (const [id, text] of contracts) world.write(`active_tasks/ready/${id}/contract.md`, text);
  const tokens = new Map<string, string>();
  let count = 0;
  return {
    board,
    world,
    ids,
    contracts,
    memory: {
      root: world.root,
      specs: new Map(board.tasks.map((spec, i) => [`t${i + 1}`, spec])),
      tokens,
      nonces: new Map(),
      outcomes: new Map(),
      marks: new Map(),
      interfered: new Map(),
      odd: new Set(),
      deleted: new Map(),
      lastMv: new Map(),
    },
    words: {
      token: () => `tok${++count}z`,
      written: (id, token) => void tokens.set(token, id),
      forget: (text) => {
        for (const [token] of text.matchAll(/tok\d+z/g)) tokens.delete(token);
      },
    },
    told: [],
    broken: [],
    random: 0,
  };
}

function openProcess(play: Play, disk: Disk, script: Script, clock_ms: number): Process {
  const process = play.world.process({ disk, script });
  const { machine } = process;
  return {
    ...process,
    ws: {
      ...process.ws,
      machine: {
        ...machine,
        now: () => new Date(machine.now().getTime() + clock_ms),
        random: () => (play.random = (play.random * 1103 + 0.12345) % 1),
      },
    },
  };
}

function highestOf(seen: Look, ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id) => [id, attemptsOf(seen, id).at(-1)?.number ?? 0]));
}

async function doPerson(play: Play, { task, act }: Person): Promise<void> {
  const id = play.ids[task % play.ids.length] ?? '';
  const seen = look(play.world.root, play.ids);
  const state = stateOf(seen, id);
  if (state === undefined) return;
  const { ws } = openProcess(play, unsyncedDisk, () => 0, 0);
  const highest = highestOf(seen, play.ids).get(id) ?? 0;
  const bare = state === 'blocked' && !seen.files.has(`blocked/${id}/blocked.md`);
  if (act.act === 'delete' && act.file === 'blocked.md') play.memory.odd.add(id);
  const result = seen.files.get(`${state}/${id}/result.md`);
  if (act.act === 'delete' && act.file === 'result.md' && result !== undefined)
    play.memory.deleted.set(id, result);
  await doAct(
    {
      ws,
      root: play.world.root,
      id,
      state,
      words: TOLD.has(act.act) ? remembering(play) : play.words,
      contract: play.contracts.get(id) ?? '',
      moved: (from, to) => {
        if (from === to) return;
        interfere(play.memory, id, from, highest);
        if (from === 'done' || from === 'aborted' || bare) play.memory.odd.add(id);
        if (act.act === 'mv') play.memory.lastMv.set(id, { from, to });
        else play.memory.lastMv.delete(id);
      },
    },
    act,
  );
  nothingLost(play.memory, look(play.world.root, play.ids));
}

const TOLD: ReadonlySet<string> = new Set(['answer', 'answer_by_hand', 'resolve', 'note']);

function remembering(play: Play): Words {
  return {
    ...play.words,
    written: (id, token) => {
      play.told.push(token);
      play.words.written(id, token);
    },
  };
}

function checkBrief(play: Play, { desk, task }: ScriptedCall): void {
  if (play.board.strict_briefs === undefined) return;
  const brief = readFileSync(join(desk, 'brief.md'), 'utf8');
  for (const token of play.told) {
    if (!brief.includes(token)) play.broken.push(`the brief of ${task} has ${token}`);
  }
}

async function doStep(play: Play, command: Step): Promise<boolean> {
  const { world, ids } = play;
  const log: Logged[] = [];
  const hand = (id: string, to: State): void => {
    const from = stateOf(look(world.root, ids), id);
    if (from === undefined || !moveByHand(world.root, id, from, to)) return;
    log.push({ event: 'hand', task: id, from, to } satisfies HandMove);
  };
  const disk = diskFor(play, command, hand);
  const { script, missing } = scriptFor(play, command, hand);
  const before = look(world.root, ids);
  const { ws } = openProcess(play, disk, script, command.clock_ms);
  let died = false;
  let progressed = true;
  try {
    const report = await step(ws, { emit: (event) => log.push(event) });
    progressed = report.progressed;
  } catch (error) {
    if (!(error instanceof Died)) throw error;
    died = true;
  }
  must(play.broken.length === 0, play.broken.join('; '));
  const after = look(world.root, ids);
  const disturbed =
    missing() || command.fault !== undefined || log.some((one) => one.event === 'hand');
  checkStep(play.memory, {
    before,
    after,
    log,
    died,
    disturbed,
    progressed,
    highest: highestOf(before, ids),
  });
  return progressed;
}

function diskFor(play: Play, { fault, hand }: Step, move: (id: string, to: State) => void): Disk {
  let writes = 0;
  const before = <A extends unknown[]>(real: (...args: A) => void) => {
    return (...args: A): void => {
      if (hand !== undefined && writes++ === hand.at) {
        move(play.ids[hand.task % play.ids.length] ?? '', hand.to);
      }
      real(...args);
    };
  };
  const base: Disk = {
    ...unsyncedDisk,
    create: before(unsyncedDisk.create),
    rename: before(unsyncedDisk.rename),
    mkdir: before(unsyncedDisk.mkdir),
    remove: before(unsyncedDisk.remove),
  };
  const faulty = faultyDisk(fault?.at, fault === undefined ? undefined : kindOf(fault), base);
  // Only what changes something is counted: a death before a look leaves the same disk.
  const looking = <A extends unknown[], R>(real: (...args: A) => R) => {
    return (...args: A): R => {
      if (faulty.dead) throw new Died();
      return real(...args);
    };
  };
  return {
    ...faulty,
    list: looking(base.list),
    names: looking(base.names),
    stat: looking(base.stat),
    read: looking(base.read),
    sync: looking(base.sync),
  };
}

function kindOf({ kind }: Fault): FaultKind {
  if (kind === 'ENOSPC' || kind === 'EIO') return { kind: 'errno', code: kind, for_good: false };
  return { kind };
}

function scriptFor(
  play: Play,
  command: Step,
  move: (id: string, to: State) => void,
): { script: Script; missing: () => boolean } {
  const works = command.works.values();
  const reviews = command.reviews.values();
  const checks = command.checks.values();
  const meanwhile = command.meanwhile.values();
  const take = <T>(from: Iterator<T>, usual: T): T => {
    const next = from.next();
    return next.done === true ? usual : next.value;
  };
  let missing = false;
  const script: Script = (call) => {
    if (call.kind === 'check') {
      const said = take(checks, 'passes');
      missing ||= said === 'missing';
      return said === 'passes' ? 0 : said === 'fails' ? 1 : 127;
    }
    interrupt(play, call, take<Meanwhile>(meanwhile, 'nothing'), move);
    const at = { root: play.world.root, id: call.task, desk: call.desk, words: play.words };
    if (call.kind === 'work') checkBrief(play, call);
    if (call.kind === 'work') return doWork(at, take(works, 'complete'));
    doReview(at, take(reviews, 'approves'));
    return 0;
  };
  return { script, missing: () => missing };
}

/** While the agent runs, a person moves the folder or edits the contract. */
function interrupt(
  play: Play,
  call: ScriptedCall,
  what: Meanwhile,
  move: (id: string, to: State) => void,
): void {
  if (what === 'nothing') return;
  if (what !== 'edits') return move(call.task, what);
  const { root } = play.world;
  const state = stateOf(look(root, play.ids), call.task);
  const token = play.words.token(call.task);
  if (state === undefined) return;
  const path = join(folderOf({ root, state, id: call.task }), 'contract.md');
  try {
    writeFileSync(path, `\n${token}\n`, { flag: 'a' });
    play.words.written(call.task, token);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Kind agents, no people, no faults: after some steps nothing moves any more, and stays so. */
async function comeToRest(play: Play): Promise<void> {
  let steps = 0;
  while (await doStep(play, QUIET)) must(++steps < REST_STEPS_MAX, 'the board comes to rest');
  const { root } = play.world;
  const before = look(root, play.ids);
  const { ws } = openProcess(play, unsyncedDisk, () => 0, 0);
  const planned = await step(ws, { dry_run: true });
  sameTree(before, look(root, play.ids));
  const waiting = new Set(
    planned.events.flatMap((one) => (one.event === 'waits' ? [one.task] : [])),
  );
  for (const one of planned.events) {
    if (play.board.strict_briefs === undefined || one.event !== 'waits') continue;
    must(!one.reason.includes('nothing was answered'), `${one.task} lost an answer`);
  }
  const live = play.ids.filter((id) => !/^(?:done|aborted)$/.test(stateOf(before, id) ?? ''));
  const silent = live.filter((id) => !waiting.has(id));
  expect(silent, 'each says what it waits for').toEqual([]);
  for (const id of live) {
    const open = attemptsOf(before, id).find((one) => !one.lost && one.outcome === undefined);
    must(open?.owner['owner'] !== 'process', `nobody forgot attempt ${open?.number} of ${id}`);
  }
}
