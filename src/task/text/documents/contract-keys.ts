/** Keys of another notation, read as ours. What a contract cannot express is a problem. */
import { PLAIN_WORDS } from '../../core/model/checks.ts';
import { problem, type Problem } from '../../core/model/problem.ts';
import type { Place } from '../yaml/front-matter.ts';
import type { RawHead } from './contract-head.ts';

const READ: Readonly<Record<string, string>> = { executors: 'agent', reviewers: 'quality_gate' };
const ACCEPTANCE = 'acceptance_criteria';
const CHECK = new RegExp(`^(?:${PLAIN_WORDS.join('|')}|[a-z_]+_valid):`);

/** The head with keys of contracts alone; `criteria` are those that it names itself. */
export function withOwnKeys(
  raw: RawHead,
  file: string,
): { readonly raw: RawHead; readonly problems: readonly Problem[] } {
  const seen = [...Object.keys(READ), ACCEPTANCE].filter((key) => key in raw.head);
  if (seen.length === 0) return { raw, problems: [] };
  const head = { ...raw.head };
  const places = new Map(raw.places);
  const problems: Problem[] = [];
  const report = (key: string, message: string, fix: string): void => {
    problems.push(problem({ code: 'bad_value', file, ...raw.places.get(key), message, fix }));
  };
  for (const [key, own] of Object.entries(READ)) {
    if (!(key in head)) continue;
    const names = listOf(head[key]).map((one) =>
      typeof one === 'string' ? one.trim().replace(/^@/, '') : one,
    );
    delete head[key];
    if (own in head) report(key, `${key} and ${own} are both given`, `Keep ${own} alone`);
    else if (own === 'agent' && names.length !== 1) {
      const fix = 'Name one as agent, and make a contract for each of the others';
      report(key, `a contract has one agent, and ${key} names ${names.length}`, fix);
    } else head[own] = own === 'agent' ? names[0] : names;
    movePlaces(places, key, own);
  }
  const criteria: { text: string; line: number }[] = [];
  if (ACCEPTANCE in head) {
    const verify = listOf(head['verify'] ?? []);
    for (const [index, one] of listOf(head[ACCEPTANCE]).entries()) {
      const place = places.get(`${ACCEPTANCE}.${index}`) ?? places.get(ACCEPTANCE);
      if (typeof one === 'string' && !CHECK.test(one)) {
        criteria.push({ text: one.trim(), line: place?.line ?? 1 });
        continue;
      }
      if (place !== undefined) places.set(`verify.${verify.length}`, place);
      verify.push(one);
    }
    delete head[ACCEPTANCE];
    if (verify.length > 0) head['verify'] = verify;
  }
  return { raw: { head, places, criteria: criteria.filter(({ text }) => text !== '') }, problems };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...(value as unknown[])] : [value];
}

function movePlaces(places: Map<string, Place>, from: string, to: string): void {
  for (const [at, place] of places) {
    if (at === from || at.startsWith(`${from}.`)) places.set(to + at.slice(from.length), place);
  }
}
