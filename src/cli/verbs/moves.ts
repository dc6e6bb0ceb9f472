/** confirm, abort, retry, reopen: one folder to another, as `mv` would, after a look. */
import type { Command } from 'commander';
import type { Problem } from '../../core/problem.ts';
import type { State } from '../../core/state.ts';
import { moveManyByVerb, type MoveVerb } from '../../engine/verbs/moves.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { colourState } from '../output.ts';
import { example, idOf, misused, open, refuse, unwrap, type Verb } from '../verb.ts';

export const confirm = move('confirm');
export const abort = move('abort');
export const retry = move('retry');
export const reopen = move('reopen');

/** Nothing is moved then: who gave a reason meant one task. */
function noReason(name: MoveVerb, words: string): Problem {
  const fix = `Leave the reason in a note: contracts note ID "…"; then contracts ${name} ID`;
  return misused(`${name} takes ids, and no reason`, fix, words);
}

/** Its runner died, and its agent did not. */
async function stopLeft(verb: Verb, id: string, state: State): Promise<void> {
  const { endOrphans } = await import('../../engine/verbs/orphans.ts');
  const ended = await endOrphans(verb.ws, state, id);
  if (ended > 0) verb.out.say(`${id}  its runner was gone; ${ended} processes of its agent ended`);
}

/** What was made for a task that is given up is given up with it. */
async function allBelow(verb: Verb, ids: readonly string[]): Promise<readonly string[]> {
  const { withAllBelow } = await import('../../engine/verbs/below.ts');
  return withAllBelow(verb.ws, ids);
}

function move(name: MoveVerb) {
  return (command: Command, frame: Frame): void => {
    command
      .argument('<id...>')
      .option('--json', 'one JSON value a line')
      .addHelpText('after', example(`contracts ${name} ID`))
      .action(async (typed: string[], _flags: unknown, self: Command) => {
        const verb = open(frame, self);
        if (verb === undefined) return;
        const words = typed.find((one) => /\s/.test(one));
        if (words !== undefined) return refuse(frame, verb.out, [noReason(name, words)]);
        const named = typed.flatMap((one) => idOf(verb, one) ?? []);
        const ids = name === 'abort' ? await allBelow(verb, named) : named;
        const many = moveManyByVerb(verb.ws, name, ids);
        for (const result of many.results) {
          const moved = unwrap(verb, result);
          if (moved === undefined) continue;
          const { id, from, to, trigger, problems, kept } = moved;
          const reason = `contracts ${name}`;
          const more = kept === undefined ? {} : { kept };
          verb.out.data({
            v: 1,
            event: 'moved',
            task: id,
            from,
            to,
            trigger,
            reason,
            problems,
            ...more,
          });
          const where = kept === undefined ? '' : `  ${escapeText(kept)}`;
          verb.out.say(`${id}  ${colourState(moved.from)} → ${colourState(moved.to)}${where}`);
          for (const problem of moved.problems) verb.out.problem(problem);
          if (name === 'abort') await stopLeft(verb, id, to);
        }
        if (many.fault !== undefined) throw many.fault;
        if (frame.code === EXIT.fine && name !== 'abort') verb.out.say('Next: contracts run');
      });
  };
}
