/** Data of the package, as YAML in templates/: a test reads each file whole. */
import { join } from 'node:path';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { packageFolder } from './package-folder.ts';
import { readText } from './text-file.ts';
import type { Workspace } from './workspace.ts';

type OnDisk = Pick<Workspace, 'disk'>;

export function packageData<T>(ws: OnDisk, file: string): T {
  const read = readYaml(packageText(ws, file), file);
  return (read.ok ? read.value.head : {}) as T;
}

/** Text of a file of the package; empty without it. Package managers link files, so each may have more names. */
export function packageText({ disk }: OnDisk, file: string): string {
  const read = readText(disk, join(packageFolder(), file), file, { single_link: false });
  return read.ok ? read.value : '';
}
