/**
 * The templates that come with the package, for who has no own ones. Read from the package's folder;
 * the bundled command has them compiled ahead in place of this file (scripts/bundle.mjs). One that
 * cannot be read is a fault: the package is damaged.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../task/core/model/problem.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import type { Template } from '../../task/text/markdown/template.ts';
import { readText } from './text-file.ts';

export function builtInTemplate(disk: Disk, name: string): Template {
  return builtInText(disk, name);
}

/** As it was written, before it was compiled. */
export function builtInText(disk: Disk, name: string): string {
  const folder = fileURLToPath(new URL('../../../templates/', import.meta.url));
  const path = join(folder, `${name}.hbs`);
  const read = readText(disk, path, path, { single_link: false });
  if (read.ok) return read.value;
  const why = read.problems[0]?.message ?? '';
  throw new Fault('template', `the template ${path} cannot be read: ${why}`, {
    fix: 'Install the package again',
  });
}
