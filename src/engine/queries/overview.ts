/** What is going on: how many tasks are where, what runs, what waits for a person, what to type next. */
import { STATES } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { idleWords } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { LineData } from '../core/events/command-lines.ts';
import { refusal } from '../core/words/waits.ts';
import { preflight } from '../preflight/preflight.ts';
import { countTasks } from './count-by-state.ts';
import { unmergedDone } from '../../worktrees/engine/unmerged.ts';
import { pauseWords, STOP } from '../../workspace/open/pause-file.ts';
import { isYours, listTasks, type ListedTask } from './list.ts';

export type Overview = LineData<'overview'>;

const NEXT_MAX = 3;
/** So many of what waits are looked into; the lines show fewer. */
const DRAFTS_MAX = 20;
export const NEW_TASK = 'contracts do "What you want"';

export function overview(ws: Workspace): Overview {
  const { tasks, problems } = listTasks(ws, { sort: 'turn' });
  const on = (...whom: ListedTask['waits_for'][]): ListedTask[] =>
    tasks.filter(({ waits_for }) => whom.includes(waits_for));
  const now = ws.machine.now().getTime();
  const running = on('agent').map((task) => {
    const ms = now - Date.parse(task.stands_since);
    return { ...task, seconds: Math.max(0, Math.round(ms / 1000)), step: task.step ?? '' };
  });
  const needs_person = tasks
    .filter(isYours)
    .map((task, place) => (place < DRAFTS_MAX ? looked(ws, task) : task));
  const for_host = tasks.filter(({ code }) => code === 'to_delegate');
  const draft = needs_person.find(({ code }) => code === 'unconfirmed');
  const asked = needs_person.filter(({ code }) => code !== 'unconfirmed');
  const counts = countTasks(ws, STATES).filter((one) => one.tasks > 0);
  const paused = pauseWords(ws);
  // A call is tried again, and needs no decision.
  const decisions = asked.filter(({ code }) => code !== 'client_fault');
  const [first] = decisions;
  const all = [
    paused && 'contracts pause --end',
    decisions.length > 1 ? 'contracts review' : first?.fix,
    first?.code === 'in_hands' && `contracts show ${first.id}`,
    for_host[0]?.fix,
    !paused && on('nothing', 'step').length + asked.length > decisions.length && 'contracts run',
    unmergedDone(ws).length > 0 && 'contracts merge',
    running[0] !== undefined && `contracts logs ${running[0].id} -f`,
    draft?.fix,
    ...idleWords(ws).map((words) => /contracts .*$/m.exec(words)?.[0]),
    NEW_TASK,
    'contracts help --all',
  ];
  const next = all.flatMap((one) => (one && one.startsWith('contracts ') ? [one] : []));
  const workspace = ws.layout.root;
  const reason = paused && { paused: paused.find((line) => line !== STOP) ?? '' };
  return {
    workspace,
    ...reason,
    counts,
    running,
    needs_person,
    for_host,
    next: next.slice(0, NEXT_MAX),
    problems,
  };
}

/** A draft that `confirm` would refuse waits with that error; a step does not look at what nobody confirmed. */
function looked(ws: Workspace, task: ListedTask): ListedTask {
  const read = task.code === 'unconfirmed' ? readTask(ws, task.state, task.id) : undefined;
  if (!read?.contract.ok) return task;
  const found = preflight(
    ws,
    taskFolder(ws.layout, task.state, task.id),
    read.contract.value,
    false,
  );
  const errors = found.filter(({ severity }) => severity === 'error');
  const { code, reason, fix } = refusal(errors);
  return errors.length === 0 ? task : { ...task, code, reason, fix };
}
