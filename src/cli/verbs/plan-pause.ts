/** plan pause and plan resume: whether anybody begins something of a plan. */
import type { Command } from 'commander';
import { pausePlan, resumePlan } from '../../engine/verbs/plan-pause.ts';
import type { Frame } from '../frame.ts';
import { leftPaused } from '../../engine/plan-facts.ts';
import { planOf } from '../plan-named.ts';
import { example, open } from '../verb.ts';

export function pauses(command: Command, frame: Frame, which: 'pause' | 'resume'): void {
  command
    .argument('[plan]', 'may be left out where there is only one')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example(`contracts plan ${which} launch`))
    .action((typed: string | undefined, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      const name = verb && (leftPaused(verb.ws, typed) ?? planOf(verb, typed));
      if (verb === undefined || name === undefined) return;
      const paused = which === 'pause';
      const changed = (paused ? pausePlan : resumePlan)(verb.ws, name);
      verb.out.data({ v: 1, event: 'plan_paused', plan: name, paused, changed });
      const before = changed ? '' : 'was already ';
      const words = paused
        ? `${name} ${changed ? 'is' : 'was'} ${before === '' ? '' : 'already '}paused: who works goes on, nobody else begins.`
        : changed
          ? `${name} goes on.`
          : `${name} was not paused.`;
      verb.out.tell(words);
      const next = paused ? `contracts plan resume ${name}` : 'contracts run';
      if (!verb.out.json) frame.streams.err(`Next: ${next}\n`);
    });
}
