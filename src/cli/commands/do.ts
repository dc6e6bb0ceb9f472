/** do: new, confirm and run of one task, followed until it has ended or a person is needed. */
import { moveByVerb } from '../../engine/commands/moves.ts';
import { storyOf } from '../../engine/queries/show.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { openWorkspace } from '../../workspace/open/workspace.ts';
import type { NewFlags } from '../prompts/new-flags.ts';
import { askForExecutor } from '../prompts/new-walk.ts';
import { Cancelled } from '../terminal/ask.ts';
import { EXIT } from '../terminal/frame.ts';
import {
  confirmNext,
  printCreated,
  refuseUse,
  unwrap,
  verb,
  type Place,
  type Verb,
} from '../terminal/verb-context.ts';
import { chooseClient, makeWorkspace } from './init.ts';
import { meantBy, newTask } from './new.ts';
import { visit } from './review.ts';
import { doRun } from './step.ts';

export const runs = {
  do: verb(doTask, haveWorkspace),
};

/** Makes one where none is above, or one has no folder of tasks: one that is broken is not hidden behind a new one. */
async function haveWorkspace(place: Place, flags: NewFlags, title = ''): Promise<void> {
  const { frame, line, out } = place;
  const { ports, capabilities } = frame;
  if (title.trim() === '' && (flags.from ?? flags.like) === undefined) {
    const fix = 'Give a title, or --from FILE: contracts do "What you want"';
    refuseUse(place, 'there is nothing to do', fix);
  }
  const opened = openWorkspace({ capabilities, ports, reads: true, dir: line.dir });
  const { disk, layout } = opened.ok ? opened.value : {};
  if (!opened.ok && opened.problems.every(({ code }) => code !== 'missing_file')) return;
  const named = flags.adapter ?? flags.agent ?? flags.squad ?? flags.sh ?? flags.from ?? flags.like;
  const root = layout?.root ?? line.dir ?? '.';
  if (layout === undefined || disk?.stat(layout.tasks) === undefined)
    return out.print(await makeWorkspace(frame, root, named !== undefined));
  const chosen = named === undefined ? await chooseClient(frame, root) : [];
  for (const one of chosen) out.print(`added ${one} to ${SETTINGS}/config.yaml of ${root}`);
}

async function doTask(verb: Verb, given: NewFlags, title?: string): Promise<void> {
  const { ws, out, frame } = verb;
  const flags = meantBy(verb, given);
  const lacksWho = title !== undefined && asksWho(verb, flags);
  const more = lacksWho && verb.ask && (await askForExecutor(verb, verb.ask));
  const all = { ...flags, ...more };
  const made = unwrap(verb, await newTask(verb, title, all, lacksWho && !more));
  const { id } = made;
  if (made.problems.some(({ severity }) => severity === 'error')) {
    printCreated(verb, made);
    out.printWrapped(`${id} stays a draft. Next: ${confirmNext(verb, made)}; contracts run`);
    frame.code = EXIT.usage;
    return;
  }
  out.data({ v: 1, event: 'created', ...made });
  for (const problem of made.problems) if (!out.json) out.problem(problem);
  const { from, to, trigger } = unwrap(verb, moveByVerb(ws, 'confirm', id));
  out.event({ event: 'moved', task: id, from, to, trigger, reason: 'confirmed by contracts do' });
  do await doRun(verb, { only: [id] });
  while (await wasDecided(verb, id));
  const isDone = locate(ws.disk, ws.layout, id).includes('done');
  if (!isDone && frame.code === EXIT.fine) frame.code = EXIT.people;
}

/** No agent is named, and the default agent runs a script that is not given. */
function asksWho({ ws }: Verb, { sh, agent, adapter, squad, from }: NewFlags) {
  const named = sh ?? agent ?? adapter ?? squad ?? from;
  return named === undefined && ws.config.adapter === 'shell';
}

/** A person is asked here, where one can be, and has said how it continues. */
async function wasDecided(verb: Verb, id: string): Promise<boolean> {
  const whom = async (): Promise<string> => {
    const story = await storyOf(verb.ws, id);
    return story.ok ? story.value.waits_for : 'nobody';
  };
  const isAsked = verb.frame.code === EXIT.people && (await whom()) === 'person';
  if (verb.ask === undefined || !isAsked) return false;
  try {
    if ((await visit(verb, verb.ask, id)) !== 'done') return leftWaiting(verb, id);
  } catch (error) {
    if (error instanceof Cancelled) return leftWaiting(verb, id);
    throw error;
  }
  return !['person', 'host', 'nobody'].includes(await whom());
}

/** The task keeps what it has: Esc and skip leave it to a later command. */
function leftWaiting({ ws, out }: Verb, id: string): false {
  const [state = 'review'] = locate(ws.disk, ws.layout, id);
  out.print(`It waits in ${state}. Next: contracts review`);
  return false;
}
