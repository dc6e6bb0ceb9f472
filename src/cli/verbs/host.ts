/** delegate, collect: a task for an agent that the person calls. */
import type { Command } from 'commander';
import { runInTerminal } from '../../agent/terminal-run.ts';
import { collect as collectDesk, delegate as claimFor, handedIn } from '../../engine/verbs/host.ts';
import { converse } from '../../engine/verbs/interactive.ts';
import { shown } from '../../store/layout.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { deafToCtrlC } from '../interruptible.ts';
import { isTerminal } from '../is-terminal.ts';
import { screenOf, wrap } from '../layout.ts';
import { example, idOf, misused, open, refuse, stands, unwrap, type Verb } from '../verb.ts';
import { doStep } from './step.ts';

export function delegate(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .option('-i, --interactive', 'open the client here, in this terminal, and collect when it ends')
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      example('contracts delegate ID > brief.md\ncontracts delegate ID --interactive'),
    )
    .action(async (typed: string, flags: { interactive?: boolean }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id === undefined) return;
      if (flags.interactive === true) await doConverse(verb, id);
      else doDelegate(verb, id);
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
      await doCollect(verb, id);
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

async function doCollect(verb: Verb, id: string, called = false): Promise<void> {
  const context = { ws: verb.ws, emit: verb.out.event, signal: new AbortController().signal };
  if (unwrap(verb, collectDesk(context, id)) !== undefined)
    await doStep(verb, { only: [id], called });
}

/** The terminal is the client's until it ends; then the desk is judged, whatever its exit code was. */
async function doConverse(verb: Verb, id: string): Promise<void> {
  const { frame, out, ws } = verb;
  if (out.json || !isTerminal(0) || !isTerminal(1)) {
    const fix = `Run it in a terminal, without --json; or take the brief: contracts delegate ${id}`;
    refuse(frame, out, [misused('--interactive opens a client, and here is no terminal', fix)]);
    return;
  }
  const context = { ws, emit: out.event, signal: new AbortController().signal };
  const opened = unwrap(verb, await converse(context, id));
  if (opened === undefined) return;
  const [program = ''] = opened.argv;
  const { cells } = screenOf(frame.streams);
  const said = [
    `Attempt ${opened.attempt}: opening ${escapeText(program)}. Its brief: ${out.path(shown(ws.layout, opened.brief_file))}`,
    `What it leaves on the desk is judged when it ends; after a crash: contracts collect ${id}`,
  ];
  for (const line of said) frame.streams.err(`${wrap(line, cells, 2).join('\n')}\n`);
  const { why } = await deafToCtrlC(() => runInTerminal(opened.argv, opened));
  opened.end();
  if (why !== '') frame.streams.err(`${escapeText(program)} ${escapeText(why)}\n`);
  if (handedIn(ws, opened.desk, id)) {
    await doCollect(verb, id, true);
    const on = `Next: contracts delegate ${id} --interactive opens the client again; contracts run calls it without you\n`;
    if (stands(verb, id, 'ready')) frame.streams.err(on);
    return;
  }
  frame.code = EXIT.people;
  const left = `${id}  nothing was handed in  → contracts delegate ${id} --interactive goes on, or contracts abort ${id}`;
  for (const line of wrap(left, cells, 2)) out.say(line);
}
