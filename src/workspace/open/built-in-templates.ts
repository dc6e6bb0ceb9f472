/**
 * The templates of the package. The bundled command has them compiled in place of this file
 * (scripts/bundle.mjs). If one cannot be read, the package is damaged: a fault.
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

export function builtInText(disk: Disk, name: string): string {
  const folder = fileURLToPath(new URL('../../../templates/', import.meta.url));
  const path = join(folder, `${name}.hbs`);
  const read = readText(disk, path, path, { single_link: false });
  if (read.ok) return read.value;
  const why = `the template ${path} cannot be read: ${read.problems[0]?.message ?? ''}`;
  throw new Fault('template', why, { fix: 'Install the package again' });
}
