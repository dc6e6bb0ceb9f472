/**
 * Paths for people: below the workspace root in all data, and printed as they are opened from where
 * the person stands. With --dir that is the named folder, as with `git -C`.
 */
import { isAbsolute, join, relative, resolve } from 'node:path';
import { SETTINGS, type Layout } from '../../task/store/tasks/layout.ts';

/** Only what is a path of the workspace is turned; `contracts` or a file of elsewhere stays. */
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
