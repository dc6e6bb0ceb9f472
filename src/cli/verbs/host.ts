/** delegate, collect: a task for an agent that the person calls. */
import type { Command } from 'commander';
import { collect as collectDesk, delegate as claimFor } from '../../engine/verbs/host.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Frame } from '../frame.ts';
import { example, idOf, open, unwrap, type Verb } from '../verb.ts';
import { doStep } from './step.ts';

export function delegate(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts delegate ID > brief.md'))
    .action((typed: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id !== undefined) doDelegate(verb, id);
    });
}

export function collect(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts collect ID'))
    .action(async (typed: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id === undefined) return;
      const context = { ws: verb.ws, emit: verb.out.event, signal: new AbortController().signal };
      if (unwrap(verb, collectDesk(context, id)) !== undefined) await doStep(verb, { only: [id] });
    });
}

function doDelegate(verb: Verb, id: string): void {
  const context = {
    ws: verb.ws,
    emit: () => undefined,
    signal: new AbortController().signal,
  };
  const delegated = unwrap(verb, claimFor(context, id));
  if (delegated === undefined) return;
  verb.out.data({ v: 1, event: 'delegated', ...delegated });
  verb.out.say(escapeText(delegated.brief, { multiline: true }));
  if (!verb.out.json) {
    verb.frame.streams.err(
      `Attempt ${delegated.attempt}. When the agent has ended: contracts collect ${id}\n`,
    );
  }
}
