/** The plan that a verb is about, by what was typed; and how many there are of something, in words. */
import { problem } from '../core/problem.ts';
import { askedWords, plansAsked } from '../engine/plan-requests.ts';
import { planFileOf, planNames, resolvePlan } from '../engine/plans.ts';
import { COMMAND_LINE } from './output.ts';
import { refuse, type Verb } from './verb.ts';

/** The plan that was meant; undefined, and said, where that is none. */
export function planOf(verb: Verb, typed: string | undefined): string | undefined {
  const found = resolvePlan(verb.ws, typed);
  if (found.ok) return found.value;
  const [asked, ...more] = plansAsked(verb.ws).filter(
    ({ plan }) => plan === typed || (typed === undefined && planNames(verb.ws).length === 0),
  );
  if (asked !== undefined && more.length === 0) {
    const fix = `See contracts show ${asked.task}`;
    const file = planFileOf(verb.ws, asked.plan);
    const message = `this plan is ${askedWords(asked)}`;
    refuse(verb.frame, verb.out, [problem({ code: 'missing_file', file, message, fix })]);
    return undefined;
  }
  const typos = found.problems.map((one) => ({ ...one, file: COMMAND_LINE, line: 1, col: 1 }));
  refuse(verb.frame, verb.out, typos);
  return undefined;
}

export function many(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
