/** The board without a screen: a line for each change of a task, for a terminal that is read from top to bottom. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isYours, listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { watchFolder } from '../../task/store/disk/watcher.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { makeOutput } from '../output/output.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { openIfThere, type Verb } from '../terminal/verb-context.ts';

const POLL_MS = 5000;

/** Prints until Ctrl-C; no cursor moves. */
export async function eachChange(verb: Verb): Promise<void> {
  const { out, frame } = verb;
  let { ws } = verb;
  let { tasks } = listTasks(ws);
  await interruptible(async (signal) => {
    let bell = new AbortController();
    const ring = (): void => bell.abort();
    signal.addEventListener('abort', ring);
    const watcher = await watchFolder(ws.layout.tasks, ring, () => undefined);
    out.print('\nA line for each change follows. Ctrl-C ends it.');
    while (!signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: bell.signal }).catch(() => undefined);
      bell = new AbortController();
      ws = asItIsNow(verb);
      const now = listTasks(ws).tasks;
      const time = ws.machine.now().toTimeString().slice(0, 5);
      for (const line of changesOf(tasks, now)) out.printWrapped(`${time}  ${line}`);
      tasks = now;
    }
    await watcher?.close();
  });
  frame.code = EXIT.interrupted;
}

/** The workspace as it is configured now; as it was, while it cannot be opened. Its problems are in no line. */
export function asItIsNow(verb: Verb): Verb['ws'] {
  const silent = { out: () => undefined, err: () => undefined };
  return openIfThere({ ...verb, out: makeOutput(silent, false) })?.ws ?? verb.ws;
}

/** Lines for what changed between two looks, one a task. */
export function changesOf(
  before: readonly ListedTask[],
  after: readonly ListedTask[],
): readonly string[] {
  const was = new Map(before.map((task) => [task.id, task]));
  const is = new Set(after.map(({ id }) => id));
  const lines = after.flatMap((task) => {
    const { id, state, reason, fix } = task;
    const old = was.get(id);
    if (old?.state === state && old.reason === reason) return [];
    const from = old === undefined ? 'new in ' : old.state === state ? '' : `${old.state} → `;
    const next = isYours(task) && fix !== '' ? `  → ${fix}` : '';
    return [escapeText(`${id}  ${from}${state}: ${reason}${next}`)];
  });
  const gone = before.flatMap(({ id, state }) => (is.has(id) ? [] : [`${id}  left ${state}`]));
  return [...lines, ...gone];
}
