/** The plan that a verb means, by its argument. */
import { relative, resolve } from 'node:path';
import { problem } from '../../task/core/model/problem.ts';
import { askedWords, plansAsked } from '../engine/start/plan-requests.ts';
import { planFileOf, planNames, resolvePlan } from '../engine/start/find-plans.ts';
import { plansFolder } from '../../task/store/tasks/layout.ts';
import { dataOf } from '../../cli/output/output.ts';
import type { lines } from '../core/plan-lines.ts';
import { refuse, unwrapTyped, type Verb } from '../../cli/terminal/verb-context.ts';

export const planData = dataOf<typeof lines>();

/** A name, the beginning of one, or a path of its folder or plan.md. Refuses where no plan is meant. */
export function planOf(verb: Verb, given: string | undefined): string {
  const typed = given === undefined ? undefined : (planAt(verb, given) ?? given);
  const found = resolvePlan(verb.ws, typed);
  if (found.ok) return found.value;
  const [asked, ...more] = plansAsked(verb.ws).filter(
    ({ plan }) => plan === typed || (typed === undefined && planNames(verb.ws).length === 0),
  );
  if (asked !== undefined && more.length === 0) {
    const fix = `See contracts show ${asked.task}`;
    const file = planFileOf(verb.ws, asked.plan);
    const message = `this plan is ${askedWords(asked)}`;
    refuse(verb, [problem({ code: 'missing_file', file, message, fix })]);
  }
  return unwrapTyped(verb, found);
}

function planAt({ ws, line }: Verb, path: string): string | undefined {
  const whole = resolve(line.dir ?? '.', path);
  const [name = ''] = relative(plansFolder(ws.layout), whole).split('/');
  return /[/.]/.test(path) && planNames(ws).includes(name) ? name : undefined;
}
