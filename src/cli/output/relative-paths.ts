/** Paths for people: in data below the workspace root, printed as they are opened from the person's folder. */
import { isAbsolute, join, relative, resolve } from 'node:path';
import { SETTINGS, type Layout } from '../../task/store/tasks/layout.ts';

/** `dir`: the folder that --dir names, as with `git -C`. A file outside of the workspace stays as it is. */
export function pathsFrom(layout: Layout, dir = '.'): (file: string) => string {
  const from = resolve(dir);
  const tasks = relative(layout.root, layout.tasks);
  return (file) => {
    const ours = [tasks, SETTINGS].some((top) => file === top || file.startsWith(`${top}/`));
    if (from === layout.root || isAbsolute(file) || !ours) return file;
    const whole = join(layout.root, file);
    const near = relative(from, whole);
    return near.length <= whole.length ? near : whole;
  };
}
