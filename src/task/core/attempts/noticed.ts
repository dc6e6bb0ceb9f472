/** Changes outside the permissions that are not counted against the agent. */
import { RUNS_WORDS } from '../model/permissions.ts';
import { lastEnded } from './counters.ts';
import { given } from '../base/defined-fields.ts';
import type { Attempt, OutcomeRecord } from './record.ts';

/**
 * What changed outside its permissions while the work was done, for those who judge it; what is looked at
 * first also of earlier attempts, whose work it is part of.
 */
export function noticedIn(attempts: readonly Attempt[]): readonly string[] {
  const last = lastEnded(attempts, 'work')?.outcome?.noticed ?? [];
  const work = attempts.filter(({ kind, lost }) => kind === 'work' && !lost);
  const first = work.flatMap(({ outcome }) => outcome?.noticed ?? []).filter(isFirst);
  return [...new Set([...first, ...runsFirst(last)])];
}

/** Ends a line about a file outside the globs of an agent, in a folder that its sandbox had to open. */
export const BEYOND = ' (its sandbox let it: a person decides)';

export function isBeyond(line: string): boolean {
  return line.endsWith(BEYOND);
}

/** True for such a file, and for one that runs by itself at whoever uses the project. */
export function isFirst(line: string): boolean {
  return isBeyond(line) || line.endsWith(RUNS_WORDS);
}

/** Lines that a person has to look at before they open or merge the work. */
export function runsFirst(lines: readonly string[]): string[] {
  return [...lines.filter(isFirst), ...lines.filter((line) => !isFirst(line))];
}

const OWN_DOING = ' (its own doing: its strength refuses nothing)';

/** Line about a change that is provably the agent's, and let through by the strength of its permissions. */
export function ownDoing(why: string): string {
  return `${why}${OWN_DOING}`;
}

export function isOwnDoing(line: string): boolean {
  return line.endsWith(OWN_DOING);
}

/** The last of very many lines says how many more there are. */
function countOf(lines: readonly string[] = []): number {
  const more = /^and (\d+) more$/.exec(lines.at(-1) ?? '')?.[1];
  return more === undefined ? lines.length : lines.length - 1 + Number(more);
}

/** How many, as fields of an event; those that are none are left out. */
export function countsOf({ noticed, violations }: Pick<OutcomeRecord, 'noticed' | 'violations'>) {
  return given({
    violations: countOf(violations) || undefined,
    noticed: countOf(noticed) || undefined,
  });
}

/** Lines noticed of the latest work and of its reviews. */
export function noticedCount(attempts: readonly Attempt[]): number {
  const work = lastEnded(attempts, 'work')?.number ?? 0;
  return attempts
    .filter(({ number, lost }) => number >= work && !lost)
    .reduce((sum, { outcome }) => sum + countOf(outcome?.noticed), 0);
}

export function noticedWords(count: number): string {
  return `noticed ${count} change${count === 1 ? '' : 's'} outside its permissions`;
}
