/**
 * What must hold on every board after every step, whatever people, agents and crashes did. Reads
 * the disk on its own and the events of the step; throws with words when something does not hold.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatesOf } from '../../src/task/core/model/policy.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { TRANSITIONS } from '../../src/index.ts';
import { makeContract } from '../engine/core/make.ts';
import { attemptsOf, head, stateOf, textsOf, type AttemptSeen, type Look } from './board-look.ts';
import type { TaskSpec } from './board-script.ts';

/** A person's mv during the step, among its events in the order in which things happened. */
export interface HandMove {
  readonly event: 'hand';
  readonly task: string;
  readonly from: State;
  readonly to: State;
}
export type Logged = Event | HandMove;

export interface Stepped {
  readonly before: Look;
  readonly after: Look;
  readonly log: readonly Logged[];
  readonly died: boolean;
  /** An errno was injected, a check's program was missing, or somebody moved things meanwhile. */
  readonly disturbed: boolean;
  readonly progressed: boolean;
  /** Highest attempt of each task before the step. */
  readonly highest: ReadonlyMap<string, number>;
}

/** What is remembered of a board from the first command to the last. */
export interface Memory {
  readonly root: string;
  readonly specs: ReadonlyMap<string, TaskSpec>;
  readonly tokens: Map<string, string>;
  readonly nonces: Map<string, unknown>;
  readonly outcomes: Map<string, string>;
  /** The attempt after which a task's counters start anew. */
  readonly marks: Map<string, number>;
  /** Moves by people since then: each may cut a round of the runner short. */
  readonly interfered: Map<string, number>;
  /** Tasks whose rounds cannot be told from outside: closed once, or freed without a blocked.md. */
  readonly odd: Set<string>;
  /** The result.md that a person deleted last, by task. */
  readonly deleted: Map<string, string>;
  /** A person's latest mv of a task, until the runner moves it again. */
  readonly lastMv: Map<string, { readonly from: State; readonly to: State }>;
}

export function must(condition: boolean, words: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${words}`);
}

export function checkStep(memory: Memory, stepped: Stepped): void {
  const ids = [...memory.specs.keys()];
  for (const id of ids) {
    onePlace(stepped, id);
    const attempts = attemptsOf(stepped.after, id);
    numbersAndOutcomes(memory, id, attempts);
    // What ended is not looked at again, unless a desk was left: reopened, it is recovered.
    const live = !['done', 'aborted'].includes(stateOf(stepped.after, id) ?? '');
    if (live && !stepped.died && !stepped.disturbed) oneOpen(id, attempts);
    movesByTable(stepped, id);
    neverPutBack(memory, stepped, id);
    trackRounds(memory, stepped, id);
    counted(memory, id, attempts);
    notBlockedTooEarly(memory, stepped, id, attempts);
    doneIsEarned(memory, stepped, id, attempts);
  }
  nothingLost(memory, stepped.after);
  waitsAreHelpful(stepped);
  noFault(stepped);
  if (!stepped.progressed && !stepped.died && !stepped.disturbed) {
    sameTree(stepped.before, stepped.after);
  }
}

function onePlace({ after }: Stepped, id: string): void {
  const places = after.places.get(id) ?? [];
  must(places.length === 1, `${id} is in exactly one state, not in [${places.join(', ')}]`);
}

function numbersAndOutcomes(memory: Memory, id: string, attempts: readonly AttemptSeen[]): void {
  const seen = new Set<number>();
  for (const { number, owner, outcome_text } of attempts) {
    const key = `${id} ${number}`;
    must(!seen.has(number), `attempt ${key} is there once`);
    seen.add(number);
    const nonce = memory.nonces.get(key);
    must(owner['nonce'] !== undefined, `attempt ${key} has an owner`);
    must(nonce === undefined || nonce === owner['nonce'], `attempt ${key} is not reused`);
    memory.nonces.set(key, owner['nonce']);
    const outcome = memory.outcomes.get(key);
    must(outcome === undefined || outcome === outcome_text, `outcome ${key} never changes`);
    if (outcome_text !== undefined) memory.outcomes.set(key, outcome_text);
  }
  for (const key of memory.nonces.keys()) {
    const [of = '', number] = key.split(' ');
    must(of !== id || seen.has(Number(number)), `attempt ${key} is still there`);
  }
}

function oneOpen(id: string, attempts: readonly AttemptSeen[]): void {
  const open = attempts.filter((one) => !one.lost && one.outcome === undefined);
  must(open.length <= 1, `${id} has at most one open attempt`);
  const owner = open[0]?.owner['owner'];
  must(owner !== 'process', `a step that ended leaves no attempt of its own open on ${id}`);
}

const PAIRS = new Set(
  TRANSITIONS.filter((row) => row.by === 'runner').map(
    (row) => `${row.from} ${row.trigger} ${row.to}`,
  ),
);
const EDGES = new Set(
  TRANSITIONS.filter((row) => row.by === 'runner').map((row) => `${row.from} ${row.to}`),
);

function movesByTable({ before, after, log, died }: Stepped, id: string): void {
  let at = stateOf(before, id);
  let hands = false;
  for (const one of log) {
    if (!('task' in one) || one.task !== id) continue;
    if (one.event === 'hand') hands = true;
    if (one.event !== 'moved') continue;
    const row = `${one.from} ${one.trigger} ${one.to}`;
    must(PAIRS.has(row), `${id}: ${row} is in the table`);
    must(hands || at === one.from, `${id} is moved from where it stands, ${at} not ${one.from}`);
    at = one.to;
  }
  const now = stateOf(after, id);
  if (hands || now === at) return;
  must(died && EDGES.has(`${at} ${now}`), `${id} went from ${at} to ${now} by a told move`);
}

/** A new claim, an answer, a resolution, news of another task: reasons to go that way again. */
const OF_ITS_OWN: ReadonlySet<string> = new Set([
  'claimed',
  'answered',
  'resolved',
  'dependency_aborted',
  'unconfirmed',
]);

function neverPutBack(memory: Memory, { log, highest }: Stepped, id: string): void {
  let last = memory.lastMv.get(id);
  for (const one of log) {
    if (!('task' in one) || one.task !== id) continue;
    if (one.event === 'hand') last = { from: one.from, to: one.to };
    // What is claimed where the person put it goes from there by its own outcome, also steps later.
    if (one.event === 'claimed' && one.attempt > (highest.get(id) ?? 0)) last = undefined;
    if (one.event !== 'moved') continue;
    const back = last !== undefined && one.from === last.to && one.to === last.from;
    const newer = one.attempt !== undefined && one.attempt > (highest.get(id) ?? 0);
    must(
      !back || newer || OF_ITS_OWN.has(one.trigger),
      `${id} is not put back from ${one.from} to ${one.to} (${one.trigger})`,
    );
    last = undefined;
  }
  if (last === undefined) memory.lastMv.delete(id);
  else memory.lastMv.set(id, last);
}

function trackRounds(memory: Memory, { before, after, log, highest }: Stepped, id: string): void {
  for (const one of log) {
    if (!('task' in one) || one.task !== id) continue;
    if (one.event === 'hand') {
      interfere(memory, id, one.from, highest.get(id) ?? 0);
      if (one.from === 'blocked') memory.odd.add(id);
    }
    if (one.event === 'moved' && one.from === 'blocked') newRound(memory, id, highest.get(id) ?? 0);
  }
  // A runner that died just after such a move had no time to tell.
  const left = stateOf(before, id) === 'blocked' && stateOf(after, id) !== 'blocked';
  if (left) newRound(memory, id, highest.get(id) ?? 0);
  if (stateOf(after, id) === 'done' || stateOf(after, id) === 'aborted') {
    memory.odd.add(id);
    newRound(memory, id, attemptsOf(after, id).at(-1)?.number ?? 0);
  }
}

function newRound(memory: Memory, id: string, after: number): void {
  memory.marks.set(id, Math.max(after, memory.marks.get(id) ?? 0));
  memory.interfered.set(id, 0);
}

export function interfere(memory: Memory, id: string, from: State, highest: number): void {
  if (from === 'blocked' || from === 'done' || from === 'aborted') newRound(memory, id, highest);
  memory.interfered.set(id, (memory.interfered.get(id) ?? 0) + 1);
}

const COUNTED: readonly (readonly [
  'retries_max' | 'questions_max' | 'reviews_max',
  readonly string[],
])[] = [
  ['retries_max', ['failed', 'timed_out', 'crashed', 'violated']],
  ['questions_max', ['questions']],
  ['reviews_max', ['needs_work', 'unverified']],
];

function counted(memory: Memory, id: string, attempts: readonly AttemptSeen[]): void {
  const spec = memory.specs.get(id);
  const mark = memory.marks.get(id) ?? 0;
  const slack = memory.interfered.get(id) ?? 0;
  for (const [limit, names] of COUNTED) {
    const max = (spec?.[limit] ?? 0) + 1 + slack;
    const found = attempts.filter(
      (one) => !one.lost && one.number > mark && names.includes(String(one.outcome?.['outcome'])),
    );
    must(
      found.length <= max,
      `${id}: ${found.length} times ${names.join('/')} after attempt ${mark}, at most ${max}`,
    );
  }
}

/**
 * What was resolved is forgiven: the round after it has all its tries. What can only end the same way, as
 * nothing changed, is not tried again.
 */
function notBlockedTooEarly(
  memory: Memory,
  { log }: Stepped,
  id: string,
  attempts: readonly AttemptSeen[],
): void {
  if (memory.odd.has(id)) return;
  for (const one of log) {
    if (one.event !== 'moved' || one.task !== id || one.to !== 'blocked') continue;
    const [limit, names] = COUNTED.find(([, all]) => all.includes(one.trigger)) ?? [];
    if (limit === undefined || names === undefined) continue;
    const mark = memory.marks.get(id) ?? 0;
    const found = attempts.filter(
      (a) => !a.lost && a.number > mark && names.includes(String(a.outcome?.['outcome'])),
    );
    const max = memory.specs.get(id)?.[limit] ?? 0;
    must(
      found.length > max || found.at(-1)?.outcome?.['no_result'] === 'same_again',
      `${id} is blocked after ${found.length} of ${max + 1} (${one.trigger})`,
    );
  }
}

function doneIsEarned(
  memory: Memory,
  { before, after, log }: Stepped,
  id: string,
  attempts: readonly AttemptSeen[],
): void {
  if (stateOf(after, id) !== 'done' || stateOf(before, id) === 'done') return;
  if (log.some((one) => one.event === 'hand' && one.task === id)) return;
  const spec = memory.specs.get(id);
  if (spec === undefined) return;
  const ended = attempts.filter((one) => !one.lost && one.outcome !== undefined);
  const last = ended.at(-1);
  must(last?.outcome?.['outcome'] === 'approved', `${id} is done with an approval`);
  const adopted = last.outcome['adopted'];
  const of = attempts.find((one) => one.number === (adopted ?? last.number));
  const record = head(after.files.get(`${of?.folder ?? ''}receipts.md`));
  must(record !== undefined, `${id} is done with receipts`);
  const receipts = record['receipts'] ?? [];
  must(Array.isArray(receipts), `${id} is done with a list of receipts`);
  must(
    receipts.length === Number(spec.check) &&
      receipts.every((one: { passed: boolean }) => one.passed),
    `${id} is done with every check passed`,
  );
  // A person may delete it between an approval and the move that a death cut short.
  const result = after.files.get(`done/${id}/result.md`) ?? memory.deleted.get(id) ?? '';
  must(
    result.includes('- [x] It works') && result.includes('- [x] It is there'),
    `${id} is done with every criterion ticked`,
  );
  const file = join(memory.root, 'out', `${id}.txt`);
  must(
    !spec.deliverable || (existsSync(file) && readFileSync(file).length > 0),
    `${id} is done with its deliverable`,
  );
  const work = ended.findLast((one) => one.owner['kind'] === 'work')?.number ?? 0;
  for (const gate of gatesOfSpec(id, spec)) {
    const said = ended.some(
      (one) =>
        one.number > work &&
        one.outcome?.['outcome'] === 'approved' &&
        one.outcome['gate'] === gate,
    );
    must(said, `${id} is done with the word of ${gate}`);
  }
}

function gatesOfSpec(id: string, spec: TaskSpec): readonly string[] {
  return gatesOf(
    makeContract({
      head: { quality_gate: [...spec.gates], deliverables: spec.deliverable ? [id] : [] },
      checks: spec.check ? [{ kind: 'run', command: 'x' }] : [],
    }),
    undefined,
  );
}

export function nothingLost(memory: Memory, seen: Look): void {
  for (const id of memory.specs.keys()) {
    const text = textsOf(seen, id);
    for (const [token, of] of memory.tokens) {
      must(of !== id || text.includes(token), `${token}, written for ${id}, is kept`);
    }
  }
}

const VERBS =
  /contracts (step|run|list|show|answer|approve|resolve|abort|retry|reopen|note|confirm|delegate|collect|check|doctor|recover) ?/;
const EDITS =
  /^(edit depends_on|write (result|questions)\.md|write active_tasks\/\S+\/result\.md|fill in |put it back |take \S+ out of depends_on)/;

function waitsAreHelpful({ log, after, died, disturbed }: Stepped): void {
  for (const one of log) {
    if (one.event !== 'waits') continue;
    must(one.reason !== '', `${one.task} waits with a reason`);
    if (one.on !== 'person') continue;
    const help = VERBS.test(one.fix) || EDITS.test(one.fix);
    must(help, `${one.task} waits for a person with a fix that can be done: ${one.fix}`);
    const file = /fill in active_tasks\/(\S+\.md)/.exec(one.fix)?.[1];
    if (file === undefined || died || disturbed) continue;
    must(after.files.has(file), `${one.task} names a file that is there: ${file}`);
  }
}

function noFault({ log, disturbed, died }: Stepped): void {
  const fault = log.find((one) => one.event === 'fault');
  if (fault === undefined || fault.event !== 'fault') return;
  must(disturbed || died, `no fault without a cause: ${fault.reason}`);
}

export function sameTree(before: Look, after: Look): void {
  const changed = [...new Set([...before.files.keys(), ...after.files.keys()])].filter(
    (path) => before.files.get(path) !== after.files.get(path),
  );
  must(changed.length === 0, `a step without news changes nothing: ${changed.join(', ')}`);
}
