/** Data of the package, as YAML in templates/: a test reads each file whole. */
import { join } from 'node:path';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { packageFolder } from './package-folder.ts';
import { textIfThere } from './text-file.ts';
import type { Workspace } from './workspace.ts';

export function packageData<T>({ disk }: Pick<Workspace, 'disk'>, file: string): T {
  const read = readYaml(textIfThere(disk, join(packageFolder(), file)) ?? '', file);
  return (read.ok ? read.value.head : {}) as T;
}
