/** confirm, abort: a task into another folder, as `mv` would, after a look; archive: out of the folders of tasks. */
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import { archiveTasks } from '../../engine/commands/archive.ts';
import { moveManyByVerb, type Moved } from '../../engine/commands/moves.ts';
import { strangerNamed } from '../../engine/board/resolve-id.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { colourState } from '../output/output.ts';
import { pick } from '../prompts/which-task.ts';
import {
  refuseUse,
  attempted,
  idOf,
  needsId,
  printMoved,
  unwrap,
  verb,
  type Run,
  type Verb,
} from '../terminal/verb-context.ts';

interface ArchiveFlags {
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

const OLD_MS = 30 * 24 * 60 * 60 * 1000;

export const runs = {
  confirm: move('confirm'),
  abort: move('abort'),
  archive: verb((verb, flags: ArchiveFlags, typed: readonly string[]) => {
    const { ws, out, frame } = verb;
    const dry_run = flags.dryRun === true;
    const { archived, problems, kept } = archiveTasks(ws, {
      ids: typed.map((one) => idOf(verb, one, typed[0])),
      older_than_ms: flags.olderThan ?? OLD_MS,
      dry_run,
    });
    for (const { id, from, to, reason } of archived) {
      const action = { kind: 'archive', from, to, reason } as const;
      if (dry_run) out.data({ v: 1, event: 'planned', task: id, action });
      else out.data({ v: 1, event: 'archived', task: id, from, to, reason });
      const would = dry_run ? 'would: ' : '';
      out.printWrapped(`${id}  ${would}${colourState(from)} → ${escapeText(to)}  ${reason}`);
    }
    for (const problem of problems) out.problem(problem);
    if (archived.length === 0 && problems.length === 0) {
      const young = kept === 1 ? '; 1 task is younger' : kept > 1 ? `; ${kept} are younger` : '';
      out.print(`Nothing is old enough${young}. Name it: contracts archive ID`);
    }
    if (problems.length > 0) frame.code = typed.length > 0 ? EXIT.usage : EXIT.people;
  }),
};

const FROM: Readonly<Record<'confirm' | 'abort', readonly State[]>> = {
  confirm: ['draft'],
  abort: LIVE_STATES,
};

function move(name: 'confirm' | 'abort'): Run {
  const fix = `Leave the reason in a note: contracts note ID "…"; then contracts ${name} ID`;
  const act = async (verb: Verb, _flags: unknown, given: readonly string[]): Promise<void> => {
    const { ws, frame } = verb;
    const typed = given.length > 0 ? given : await pick(verb, FROM[name]);
    if (typed.length === 0) return;
    const words = typed.find((one) => /\s/.test(one) && !strangerNamed(ws, one));
    if (words !== undefined) refuseUse(verb, `${name} takes ids, and no reason`, fix, words);
    const named: string[] = [];
    for (const one of typed)
      named.push(...((await attempted(frame, () => [idOf(verb, one, typed[0])])) ?? []));
    // What was made for an aborted task is aborted with it.
    const ids = name === 'abort' ? (await aborting()).withAllBelow(ws, named) : named;
    const many = moveManyByVerb(ws, name, ids);
    for (const result of many.results) {
      const moved = await attempted(frame, () => unwrap(verb, result));
      if (moved === undefined) continue;
      reportMoved(verb, name, moved);
      if (name === 'abort') await stopLeft(verb, moved.id, moved.to);
    }
    if (many.fault !== undefined) throw many.fault;
    if (frame.code === EXIT.fine && name !== 'abort') verb.out.print(`Next: ${nextOf(verb, ids)}`);
  };
  return verb(act, needsId(`contracts ${name} ID`));
}

/** `name`: of the verb that moved it. */
export function reportMoved(verb: Verb, name: string, moved: Moved): void {
  const { id: task, from, to, trigger, problems, kept } = moved;
  const facts = { task, from, to, trigger, reason: `contracts ${name}`, problems };
  verb.out.data({ v: 1, event: 'moved', ...facts, ...(kept === undefined ? {} : { kept }) });
  printMoved(verb, moved, kept === undefined ? '' : `  ${escapeText(kept)}`);
}

/** Next command: no run begins what only the session of an agent can take. */
export function nextOf({ ws, out }: Verb, ids: readonly string[]): string {
  const isForHost = ids.every((id) => {
    const { contract } = readTask(ws, 'ready', id) ?? {};
    return contract?.ok === true && executorOf(ws, contract.value).adapter?.mode === 'host';
  });
  return isForHost
    ? `contracts delegate ${ids.map((id) => out.short(id)).join(' ')}`
    : 'contracts run';
}

const aborting = () => import('../../engine/commands/abort.ts');

/** Its runner ended, and its agent did not. */
async function stopLeft(verb: Verb, id: string, state: State): Promise<void> {
  const ended = await (await aborting()).endOrphans(verb.ws, state, id);
  if (ended > 0)
    verb.out.printWrapped(`${id}  its runner had exited; ${ended} processes of its agent ended`);
}
