/** Finds programs as a shell would, without running anything. Never fails. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../task/core/base/folders.ts';
import { Fault } from '../task/core/model/problem.ts';
import { errorCode } from '../task/store/disk/disk.ts';
import { kindOf, realBelow, realOf } from './path-kind.ts';

export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/** `root`: where a relative path with a slash starts; `path`: the value of PATH. */
export function isInstalled(program: string, path: string, root: string): boolean {
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : join(root, program)]
    : path.split(delimiter).map((folder) => join(folder, program));
  return places.some((place) => {
    try {
      // Most places have no such file, and an error costs more than ten looks.
      if (statSync(place, { throwIfNoEntry: false }) === undefined) return false;
      accessSync(place, constants.X_OK);
      return true;
    } catch (error) {
      // A machine that is out of memory, or a disk that fails, proves nothing: its call will tell.
      return !ABSENT.has(errorCode(error) ?? '');
    }
  });
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG']);

/** Programs that the runner starts itself: never a file that an agent can write. */
export interface Programs {
  /** PATH without the folders that lie in the trees of the workspace. */
  readonly path: string;
  /** Absolute; undefined where it is not installed outside of the trees. Looked for once. */
  find(name: string): string | undefined;
  /** An absolute path that lies in one of the trees, or leads into one. */
  isInside(path: string): boolean;
  /** True if it exists, is absolute, and is not inside. */
  isBeyond(path: string): boolean;
}

const OF_A_PROCESS = /^\/+(?:proc|dev\/fd)(?:\/|$)/;

/** `trees`: absolute folders, asked at first need. Beyond them, programs are found as a shell would, by `path`. */
export function programsBeyond(trees: () => readonly string[], path = ''): Programs {
  let all: readonly string[] | undefined;
  let rest: string | undefined;
  const found = new Map<string, string | undefined>();
  const isIn = (one: string): boolean => {
    all ??= trees().flatMap((tree) => [tree, realOf(tree) ?? tree]);
    return all.some((tree) => isWithin(tree, one));
  };
  // What is missing may be made while a program starts; /proc names another place in each process.
  const isInside = (one: string): boolean =>
    OF_A_PROCESS.test(one) || isIn(resolve(one)) || isIn(realBelow(one));
  // What is missing may be made later, by an agent where it leads into the workspace.
  const isBeyond = (one: string): boolean =>
    isAbsolute(one) && realOf(one) !== undefined && !isInside(one);
  const beyond = (): string => (rest ??= path.split(delimiter).filter(isBeyond).join(delimiter));
  return {
    get path() {
      return beyond();
    },
    find: (name) => {
      if (!found.has(name)) found.set(name, findProgram(name, beyond(), isBeyond));
      return found.get(name);
    },
    isInside,
    isBeyond,
  };
}

/** Only in absolute folders: independent of the working folder. */
export function findProgram(
  program: string,
  path: string,
  isFit: (file: string) => boolean = () => true,
): string | undefined {
  return `${path}:${SYSTEM_PATH}`
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find((file) => kindOf(file) === 'file' && isFit(file));
}

/** Words of the shell, not looked for on PATH. */
const OF_THE_SHELL = new Set(
  (
    'if then elif else fi for while until do done case esac in function select time coproc ' +
    'alias bg break cd command continue declare echo eval exec exit export false fc fg getopts ' +
    'hash jobs kill let local printf pwd read readonly return set shift shopt source test times ' +
    'trap true type typeset ulimit umask unalias unset wait . : ! [ [[ { }'
  ).split(' '),
);

/** The bare name at the start of a command line; undefined for a path or a word of the shell. */
export function programOf(command: string): string | undefined {
  const word = /^\s*([\w.+-]+)(?=[\s;&|<>]|$)/.exec(command)?.[1];
  return word === undefined || OF_THE_SHELL.has(word) ? undefined : word;
}

/** Why a check cannot run whose first program is missing, and how to mend it. */
export function missingFor(
  command: string,
  path: string | undefined,
  root: string,
): Fault | undefined {
  const missing = programOf(command);
  if (missing === undefined || isInstalled(missing, path ?? '', root)) return undefined;
  const why = `check \`${command}\` needs ${missing}, which is not installed here`;
  const fix = 'Install it, or correct verify in contract.md; then contracts step';
  return new Fault('program', why, { fix });
}
