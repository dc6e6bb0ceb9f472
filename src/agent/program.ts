/** Looks for an executable file as a shell would, without running anything. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** `root` is where a relative path with a slash starts from; `path` is the value of PATH. */
export function isInstalled(program: string, path: string, root: string): boolean {
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : join(root, program)]
    : path.split(delimiter).map((folder) => join(folder, program));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
