/** A claimed task goes to in_progress: the first move of an attempt (docs/protocol.md#enter). */
import { tryName } from '../../task/core/attempts/counters.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { findPlace, isHighest, type Running } from '../../workspace/tasks/attempt-context.ts';
import { notifyPerson, notifyState } from './notify.ts';

/** Moves a freshly claimed task into in_progress; false when a person was faster. */
export function enter(running: Running): boolean {
  const { ws, id, task } = running;
  if (task.state === 'in_progress') return findPlace(running)?.state === 'in_progress';
  if (task.state !== 'ready') return false;
  const moved = moveTask(ws.disk, ws.layout, id, 'ready', 'in_progress');
  if (moved === 'taken') {
    throw new Fault('tree', `${id} is both in ready and in in_progress`, {
      fix: `Move one of the two folders out of active_tasks; see contracts doctor`,
    });
  }
  if (moved === 'gone') return false;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  if (!isHighest(ws, folder, running.number)) return false;
  const { agent, owner } = running.owner;
  const who = owner === 'person' ? 'a person' : agent;
  const by = who === '' ? '' : ` by ${who}`;
  const move = {
    task: id,
    from: 'ready',
    to: 'in_progress',
    reason: `${tryName(task.attempts, running)}${by}`,
  } as const;
  running.emit({ event: 'moved', ...move, trigger: 'claimed', attempt: running.number });
  notifyState(ws, move);
  if (running.owner.owner === 'person') notifyPerson(ws, id, 'it is in your hands', 'in_progress');
  return true;
}
