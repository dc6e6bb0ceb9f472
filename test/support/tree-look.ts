/**
 * The whole tree of an arena, read without the code under test, and what must always be true of it
 * once it is quiet. Each finding is one sentence; no finding means that nothing was lost, doubled
 * or left over.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '../../src/task/core/model/state.ts';
import { statesOf, type Arena, type Line } from './arena.ts';

export interface SeenAttempt {
  readonly number: number;
  readonly lost: boolean;
  readonly folder: string;
  readonly outcome: string | undefined;
  readonly adopted: number | undefined;
  readonly kind: string;
  /** The wrapper's record that the agent had ended. */
  readonly exited: boolean;
}

export function attemptsOf(arena: Arena, state: State, id: string): SeenAttempt[] {
  const folder = join(arena.tasks, state, id, 'attempts');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name): SeenAttempt[] => {
      const match = /^(\d{4})(\.lost)?$/.exec(name);
      if (match === null) return [];
      const path = join(folder, name);
      const outcome = field(join(path, 'outcome.md'), 'outcome');
      const adopted = field(join(path, 'outcome.md'), 'adopted');
      return [
        {
          number: Number(match[1]),
          lost: match[2] !== undefined,
          folder: path,
          outcome,
          adopted: adopted === undefined ? undefined : Number(adopted),
          kind: field(join(path, 'owner.md'), 'kind') ?? '',
          exited: existsSync(join(path, 'desk', 'exit.md')),
        },
      ];
    })
    .sort((a, b) => a.number - b.number);
}

/** A line `name: value` of a record; undefined when there is no such file or line. */
export function field(file: string, name: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const value = new RegExp(`^${name}: *(.*)$`, 'm').exec(text)?.[1];
  return value?.replace(/^(["'])(.*)\1$/, '$2');
}

/** Everything that is wrong with a quiet tree. */
export function wrongs(arena: Arena): string[] {
  return [
    ...leftOvers(arena),
    ...wrongLedger(arena.ledger()),
    ...arena.ids.flatMap((id) => wrongTask(arena, id)),
  ];
}

function wrongTask(arena: Arena, id: string): string[] {
  const states = statesOf(arena, id);
  const [state] = states;
  if (states.length !== 1 || state === undefined) return [`${id} is in [${states.join()}]`];
  const folder = join(arena.tasks, state, id);
  const found: string[] = [];
  if (!sameText(join(folder, 'by-hand.txt'), id)) found.push(`${id}: a person's file is lost`);
  if (field(join(folder, 'contract.md'), 'title') !== id) found.push(`${id}: contract is lost`);
  const attempts = attemptsOf(arena, state, id);
  for (const [i, attempt] of attempts.entries()) {
    const name = `${id} attempt ${attempt.number}`;
    if (attempt.number !== i + 1) found.push(`${name} stands where number ${i + 1} should`);
    if (Number(field(join(attempt.folder, 'owner.md'), 'attempt')) !== attempt.number) {
      found.push(`${name} has no owner.md of its own number`);
    }
    if (!attempt.lost && attempt.outcome === undefined) found.push(`${name} is still open`);
    if (attempt.lost && attempt.exited) found.push(...notTakenOver(arena, attempts, attempt, id));
  }
  for (const line of arena.ledger().filter((one) => one.task === id && one.word === 'start')) {
    const attempt = attempts.find((one) => one.number === line.attempt);
    const missing = ['agent.md', 'output.log', 'desk/contract.md', 'desk/brief.md'].filter(
      (name) => attempt === undefined || !existsSync(join(attempt.folder, name)),
    );
    if (missing.length > 0) found.push(`${id} attempt ${line.attempt} lost ${missing.join()}`);
  }
  return found;
}

function sameText(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

/** An agent that had ended with a durable record is adopted, and never run again. */
function notTakenOver(
  arena: Arena,
  attempts: readonly SeenAttempt[],
  ended: SeenAttempt,
  id: string,
): string[] {
  const heir = attempts.find((one) => one.number > ended.number && one.outcome !== undefined);
  const ran = arena
    .ledger()
    .filter((line) => line.word === 'start' && line.task === id && heir !== undefined)
    .filter((line) => line.attempt > ended.number && line.attempt <= (heir?.number ?? 0));
  if (heir?.adopted === ended.number && ran.length === 0) return [];
  return [`${id}: the record of attempt ${ended.number} was not taken over by ${heir?.number}`];
}

function wrongLedger(ledger: readonly Line[]): string[] {
  const found: string[] = [];
  const started = new Set<string>();
  const open = new Map<string, Set<string>>();
  for (const { word, task, attempt, mark } of ledger) {
    if (word === 'overlap') found.push(`${task} attempt ${attempt} saw another run alive`);
    const running = open.get(task) ?? new Set<string>();
    open.set(task, running);
    if (word === 'start') {
      if (started.has(`${task} ${attempt}`)) found.push(`${task} attempt ${attempt} ran twice`);
      started.add(`${task} ${attempt}`);
      running.add(mark);
    }
    // Of a killed run there is no end. A run that ends must be the newest one of its task.
    if (word === 'end') {
      if ([...running].at(-1) !== mark)
        found.push(`${task} attempt ${attempt} ended after another had started`);
      running.delete(mark);
    }
  }
  return found;
}

/** Temporaries, prepared claims and desks that nobody took home. */
export function leftOvers(arena: Arena): string[] {
  return readdirSync(arena.tasks, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(^|\/)\.(new|tmp)-/.test(path) || /^\.desk\/[^/]+$/.test(path),
  );
}
