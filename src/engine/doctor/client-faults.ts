/** Problems of the clients that are used here: what a last call met, and a missing login. */
import { executorOf, roleOf } from '../../agents/engine/roles.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { loginWords } from '../../clients/adapters/client-login.ts';
import { CLIENTS } from '../../clients/core/records.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readBoard } from '../board/board.ts';
import type { clientVersions } from '../queries/client-versions.ts';
import { listTasks, type ListedTask } from '../queries/list.ts';

type Versions = Awaited<ReturnType<typeof clientVersions>>;

/** Names of the adapters that agents and tasks name here, or that one task. */
export function usedAdapters(ws: Workspace, task?: TaskRead): readonly string[] {
  const tasks = task === undefined ? [...readBoard(ws).tasks.values()] : [task];
  const executors = tasks.flatMap(({ contract }) =>
    contract.ok ? executorOf(ws, contract.value) : [],
  );
  const agents = task === undefined ? agentsOf(ws).names() : [];
  const roles = [...executors, ...agents.map((name) => roleOf(ws, name))];
  return [...new Set(roles.map(({ adapter_name }) => adapter_name))];
}

/** `id`: of that task alone. */
export function clientProblems(
  ws: Workspace,
  versions: Versions = new Map(),
  id?: string,
): readonly Problem[] {
  const environment = { code: 'environment', severity: 'warning' } as const;
  const logins = [...versions].flatMap(([name, { type, login }]) => {
    if (type === undefined || login !== 'no') return [];
    const message = `adapter ${name}: ${loginWords(type, login)}`;
    return problem({ ...environment, file: '.', message, fix: CLIENTS[type].login.how });
  });
  const waiting = listTasks(ws).tasks.filter(
    (task) => task.code === 'client_fault' && (id === undefined || id === task.id),
  );
  const alike = new Map<string, ListedTask[]>();
  for (const task of waiting) {
    const key = JSON.stringify([task.reason, task.fix]);
    alike.set(key, [...(alike.get(key) ?? []), task]);
  }
  return [
    ...logins,
    ...[...alike.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const { reason, fix, state } = first;
      const file = shown(ws.layout, taskFolder(ws.layout, state, first.id));
      const ids = others.map(({ id }) => id).join(', ');
      const more = others.length === 0 ? '' : `, as did that of ${ids}`;
      const message = `its last call failed${more}: ${reason}`;
      return problem({ ...environment, file, message, fix });
    }),
  ];
}
