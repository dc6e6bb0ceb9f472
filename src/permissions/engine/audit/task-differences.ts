/** What changed in other tasks and the task's own records; moves by runners do not count. */
import { join } from 'node:path';
import type { ChangeKind } from '../../../task/core/model/permissions.ts';
import type { Found } from '../../core/judge-changes.ts';
import { isState } from '../../../task/core/model/state.ts';
import { shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { changesBetween } from '../../../task/store/snapshots/folder-snapshot.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { isExpectedTask } from '../../../workspace/tasks/capability.ts';
import type { Seen } from './snapshot.ts';

export function taskDifferences({ ws, id }: Running, before: Seen, after: Seen): Found[] {
  const found: Found[] = [];
  const add = (area: 'task' | 'own_task', kind: ChangeKind, path: string, words?: string): void => {
    found.push({ area, kind, path, own_workdir: false, ...(words === undefined ? {} : { words }) });
  };
  for (const { path: name } of changesBetween(before.tasks.files, after.tasks.files)) {
    const [was, now] = [before.tasks.files.get(name), after.tasks.files.get(name)];
    const owner = name.split('/')[0] ?? '';
    const place = after.tasks.places.get(owner);
    // Archived, done, started or ended since then: runners and people do that.
    if (was === undefined || (place === undefined && before.tasks.places.has(owner))) continue;
    if (now === undefined || !sameStanding(was, now)) continue;
    const known = place !== undefined && isState(place);
    const path = known
      ? join(shown(ws.layout, taskFolder(ws.layout, place, owner)), name.slice(owner.length + 1))
      : name;
    add('task', 'write', path);
  }
  for (const [other, place] of after.tasks.places) {
    if (before.tasks.places.has(other) || place === 'draft') continue;
    if (isState(place) && isExpectedTask(ws, other, place)) continue;
    const path = isState(place) ? shown(ws.layout, taskFolder(ws.layout, place, other)) : other;
    add('task', 'create', path, `create ${path}: a task that did not exist before`);
  }
  for (const { path, kind } of changesBetween(before.tasks.own, after.tasks.own)) {
    add('own_task', kind, `${id}/${path}`);
  }
  return found;
}

/** Runners change the state and the attempts, which are in front of the mark. */
function sameStanding(was: string, now: string): boolean {
  const standing = (mark: string): string => mark.replace(/(?:[\d.]+ ){3}[\d.]+(?: \w+)?$/, '');
  return standing(was) === standing(now);
}
