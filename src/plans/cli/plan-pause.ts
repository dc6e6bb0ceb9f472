/** plan pause and plan resume. */
import { pausePlan, resumePlan } from '../engine/follow/pause.ts';
import { leftPaused } from '../engine/follow/plan-facts.ts';
import { planData, planOf } from './plan-argument.ts';
import { verb, type Run } from '../../cli/terminal/verb-context.ts';

export function pauses(which: 'pause' | 'resume'): Run {
  return verb((verb, _flags: unknown, typed?: string) => {
    const { ws, out, frame } = verb;
    const plan = leftPaused(ws, typed) ?? planOf(verb, typed);
    const paused = which === 'pause';
    const changed = (paused ? pausePlan : resumePlan)(ws, plan);
    planData(out, { v: 1, event: 'plan_paused', plan, paused, changed });
    const now = changed ? 'is' : 'was already';
    const words = paused
      ? `${plan} ${now} paused: running attempts continue, no new one starts.`
      : changed
        ? `${plan} is resumed.`
        : `${plan} was not paused.`;
    out.printWrapped(words);
    const next = paused ? `contracts plan resume ${plan}` : 'contracts run';
    if (!out.json) frame.streams.err(`Next: ${next}\n`);
  });
}
