/** What leads a check in a worktree back into the main checkout: PATH, Python's editable installs. */
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { kindOf, realOf } from '../../process/path-kind.ts';
import { findProgram } from '../../process/program.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { bytesAt, entriesOf } from '../../task/store/snapshots/folder-snapshot.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const BYTES_MAX = 1024 * 1024;

/** PATH without folders that lead into the main checkout. */
export function pathOutside(ws: Workspace, main: string, path = ''): string {
  const leads = (one: string): boolean => isWithin(main, realOf(one) ?? one);
  // `npm link` leads there as well. The folder of node itself stays.
  const links = (one: string): boolean =>
    entriesOf(ws.disk, one).some(({ name, kind }) => kind === 'other' && leads(join(one, name)));
  const keeps = (one: string): boolean => one === dirname(process.execPath) || !links(one);
  return path
    .split(delimiter)
    .filter((one) => !isAbsolute(one) || (!leads(one) && keeps(one)))
    .join(delimiter);
}

interface Asked {
  readonly command: string;
  readonly main: string;
  readonly own: readonly string[];
}

/** `FILE names PATH`: the file of an editable install, and the path in the main checkout. */
export function editableInstall(ws: Workspace, asked: Asked): string | undefined {
  const below = (folder: string, names: RegExp): readonly string[] =>
    entriesOf(ws.disk, folder).flatMap(({ name }) => (names.test(name) ? join(folder, name) : []));
  return [...asked.own, ...onPath(ws, asked)]
    .flatMap((prefix) => below(prefix, /^lib(?:64)?$/))
    .flatMap((lib) => below(lib, /^python/))
    .flatMap((python) => below(python, /^(?:site|dist)-packages$/))
    .flatMap((packages) => below(packages, /\.pth$|^__editable__/))
    .flatMap((file) => {
      const text = Buffer.from(bytesAt(ws.disk, file, BYTES_MAX) ?? []).toString();
      const named = text.match(/[^'"\s](?:[^'"\r\n]*[^'"\s])?/g) ?? [];
      const real = named.flatMap((one) => realOf(resolve(dirname(file), one)) ?? []);
      return real.filter((one) => isWithin(asked.main, one)).map((one) => `${file} names ${one}`);
    })[0];
}

/** The environment of the Python on PATH, unless the command uses one in the worktree. */
function onPath(ws: Workspace, { command, main, own }: Asked): readonly string[] {
  const named = command.match(/(?<![^\s;&|(])(?:python[\d.]*|pytest)(?![^\s;&|)])/g) ?? [];
  // A script counts as using the environment of the worktree.
  const isUsed = (one: string): boolean => named.length === 0 && kindOf(one) === 'folder';
  if (own.some((one) => command.includes(`${basename(one)}/`) || isUsed(one))) return [];
  const path = pathOutside(ws, main, ws.env['PATH']);
  return (named.length === 0 ? ['python', 'python3'] : named).flatMap((name) => {
    const file = findProgram(name, path) ?? '/usr/bin/python3';
    const found = [file, realOf(file) ?? file].map((one) => join(one, '../..'));
    const venv = found.find((one) => kindOf(join(one, 'pyvenv.cfg')) === 'file');
    return venv ?? [...found, '/usr/local', join(ws.env['HOME'] ?? '/nonexistent', '.local')];
  });
}
