/** Data of the package in templates/. A file that is missing or cannot be read is a fault: the package is broken. */
import { join } from 'node:path';
import { Fault, type Result } from '../../task/core/model/problem.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { packageFolder } from './package-folder.ts';
import { readText } from './text-file.ts';
import type { Workspace } from './workspace.ts';

type OnDisk = Pick<Workspace, 'disk'>;

/** A YAML file as data; a test reads each of them. */
export function packageData<T>(ws: OnDisk, file: string): T {
  return whole(file, readYaml(packageText(ws, file), file)).head as T;
}

/** A package manager that links files gives each of them more names. */
export function packageText({ disk }: OnDisk, file: string): string {
  return whole(file, readText(disk, join(packageFolder(), file), file, { single_link: false }));
}

function whole<T>(file: string, read: Result<T>): T {
  if (read.ok) return read.value;
  const why = read.problems[0]?.message ?? 'it cannot be read';
  const fix = 'Install the package again: npm install agent-contracts';
  throw new Fault('program', `${file} of this package: ${why}`, { fix });
}
