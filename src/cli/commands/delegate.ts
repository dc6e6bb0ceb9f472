/** delegate, collect: a task for an agent that the person calls. */
import { basename } from 'node:path';
import { runInTerminal } from '../../process/terminal-run.ts';
import {
  collect as collectDesk,
  delegate as claimFor,
  handedIn,
} from '../../engine/commands/delegate.ts';
import { converse } from '../../engine/commands/delegate-interactive.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { ignoringCtrlC } from '../terminal/interruptible.ts';
import { isTerminal } from '../streams/is-terminal.ts';
import { screenOf, wrap } from '../output/text-width.ts';
import {
  refuseUse,
  attempted,
  idOf,
  isIn,
  unwrap,
  verb,
  type Verb,
} from '../terminal/verb-context.ts';
import { doStep } from './step.ts';

export const runs = {
  delegate: verb((verb, flags: { interactive?: boolean }, typed: readonly string[]) =>
    each(verb, typed, flags.interactive === true ? doConverse : doDelegate),
  ),
  collect: verb((verb, _flags: unknown, typed: readonly string[]) => each(verb, typed, doCollect)),
};

/** One that is refused does not keep the others. The exit code is the worst. */
async function each(verb: Verb, typed: readonly string[], act: typeof doDelegate): Promise<void> {
  const { frame } = verb;
  let worst = frame.code;
  for (const one of new Set(typed)) {
    frame.code = EXIT.fine;
    await attempted(frame, () => act(verb, idOf(verb, one)));
    worst = Math.max(worst, frame.code);
    if (worst === EXIT.interrupted) break;
  }
  frame.code = worst;
}

function contextOf({ ws, out }: Verb) {
  return { ws, emit: out.event, signal: new AbortController().signal };
}

async function doDelegate(verb: Verb, id: string): Promise<void> {
  const delegated = unwrap(verb, await claimFor({ ...contextOf(verb), emit: () => undefined }, id));
  verb.out.data({ v: 1, event: 'delegated', ...delegated });
  verb.out.print(escapeText(delegated.brief, { multiline: true }));
  if (!verb.out.json) {
    verb.frame.streams.err(
      `Attempt ${delegated.attempt}. When the agent has ended: contracts collect ${id}\n`,
    );
  }
}

async function doCollect(verb: Verb, id: string, called = false): Promise<void> {
  unwrap(verb, collectDesk(contextOf(verb), id));
  await doStep(verb, { only: [id], called });
}

/** The client has the terminal until it ends; then the desk is judged, whatever its exit code is. */
async function doConverse(verb: Verb, id: string): Promise<void> {
  const { frame, out, ws } = verb;
  if (out.json || !isTerminal(0) || !isTerminal(1)) {
    const fix = `Run it in a terminal, without --json; or take the brief: contracts delegate ${id}`;
    refuseUse(verb, '--interactive opens a client, and this is not a terminal', fix);
  }
  const opened = unwrap(verb, await converse(contextOf(verb), id));
  const [program = ''] = opened.argv;
  const { cells } = screenOf(frame.streams);
  const lines = [
    `Attempt ${opened.attempt}: opening ${escapeText(basename(program))}. Its brief: ${out.path(shown(ws.layout, opened.brief_file))}`,
    `Its desk is judged when it ends; after a crash: contracts collect ${id}`,
  ];
  for (const line of lines) frame.streams.err(`${wrap(out.short(line), cells, 2).join('\n')}\n`);
  const { why } = await ignoringCtrlC(() => runInTerminal(opened.argv, opened));
  opened.end();
  if (why !== '') frame.streams.err(`${escapeText(program)} ${escapeText(why)}\n`);
  if (handedIn(ws, opened.desk, id)) {
    await doCollect(verb, id, true);
    const on = `Next: contracts delegate ${id} --interactive opens the client again; contracts run calls it without you\n`;
    if (isIn(verb, id, 'ready')) frame.streams.err(out.short(on));
    return;
  }
  frame.code = EXIT.people;
  const left = `${id}  nothing is on its desk  → contracts delegate ${id} --interactive continues, or contracts abort ${id}`;
  for (const line of wrap(left, cells, 2)) out.print(line);
}
