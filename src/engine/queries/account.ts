/** Accounts of what was done since a moment, by the records in the folders of the tasks. */
import { changedFiles } from '../attempt/attempt-diff.ts';
import { accountOf, type Account, type Accounted } from '../../task/core/attempts/account.ts';
import { isTerminal, STATES, type State } from '../../task/core/model/state.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readAttempts, readReceipts } from '../../workspace/tasks/read-attempts.ts';

/** `places`: of these tasks alone, by the states that they are in; else of all that are not archived. */
export function accountSince(
  ws: Workspace,
  since_ms: number,
  places?: ReadonlyMap<string, State>,
): Account {
  const all = (): readonly (readonly [string, State])[] =>
    STATES.flatMap((state) =>
      listState(ws.disk, ws.layout, state).ids.map((id) => [id, state] as const),
    );
  const tasks = [...(places ?? all())].flatMap(([id, state]) => accounted(ws, state, id, since_ms));
  return accountOf(tasks, since_ms);
}

function accounted(
  ws: Workspace,
  state: State,
  id: string,
  since_ms: number,
): readonly Accounted[] {
  const folder = taskFolder(ws.layout, state, id);
  // The move after each outcome changes it.
  if (isTerminal(state) && (ws.disk.stat(folder)?.ctime_ms ?? 0) < since_ms) return [];
  const { attempts } = readAttempts(ws, folder, id);
  const isNew = (at = ''): boolean => Date.parse(at) >= since_ms;
  if (!attempts.some(({ outcome }) => isNew(outcome?.at))) return [];
  const receipts = attempts
    .filter(({ kind, lost, outcome }) => kind === 'review' && !lost && isNew(outcome?.at))
    .flatMap((one) => readReceipts(ws, attemptFolder(folder, one.number))?.receipts ?? []);
  // A review that ran no check has those of the one before.
  const ran = new Map(
    receipts.filter(({ at }) => isNew(at)).map((one) => [`${one.at} ${one.check}`, one]),
  );
  const work = attempts.filter(({ outcome }) => isNew(outcome?.at));
  const changed = changedFiles(ws, folder, work).files;
  // Lines that others wrote at the same time would count in each of them.
  const isMixed = work.some(({ outcome }) => (outcome?.beside?.length ?? 0) > 0);
  const files = isMixed
    ? changed.map(({ path }) => ({ path, added: null, removed: null }))
    : changed;
  const is_blocked = state === 'blocked';
  return [
    { id, is_done: state === 'done', is_blocked, attempts, receipts: [...ran.values()], files },
  ];
}
