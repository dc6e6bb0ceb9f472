/**
 * A command that settings name and the runner starts for a person. Where agents are confined, what it
 * takes from the workspace is confined too, as a check is: an agent may have written it.
 */
import { delimiter, resolve } from 'node:path';
import type { Environment } from '../../process/adapter.ts';
import { kindOf, realBelow } from '../../process/path-kind.ts';
import { isInstalled } from '../../process/program.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { namedInside, runsCode, type Around } from '../core/named-inside.ts';
import { confine, willConfine } from './confine.ts';
import { networkClosed } from './network.ts';

export interface Named {
  readonly argv: readonly string[];
  readonly env: Environment;
  /** PATH of the program, where what starts it has another one. */
  readonly path?: string | undefined;
  readonly cwd: string;
  /** The part of it in the workspace, for which it is confined. */
  readonly inside?: string;
  /** After its end, where it is waited for. */
  end(): void;
}

export interface NamedOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Folder of the start, absolute: the workspace, where it is left out. */
  readonly cwd?: string;
  /** Beside confined agents it is started where none of them writes, so that relative names lead nowhere. */
  readonly away?: true;
  /** Puts values into the arguments; what lies in the workspace is seen before. */
  readonly fill?: (argument: string) => string;
  /** Arguments of the runner, behind them. */
  readonly more?: readonly string[];
  /** Files that it may write although they are the runner's; absolute. */
  readonly writes?: readonly string[];
}

/** The part of `argv` in the workspace; undefined where there is none, or agents are not confined. */
export function insideHere(
  ws: Workspace,
  argv: readonly string[],
  cwd = ws.layout.root,
): string | undefined {
  const inside = namedInside(argv, aroundOf(ws, cwd));
  return inside !== undefined && willConfine(ws, undefined) ? inside : undefined;
}

function aroundOf({ programs, layout, env, home = '/' }: Workspace, cwd: string): Around {
  const at = (path: string): string => resolve(layout.root, path);
  const isThere = (path: string): boolean => kindOf(path) !== undefined && programs.isInside(path);
  const inHome = (path: string): string => `${home}/${path.replace(/^~[^/]*/, '')}`;
  return {
    isProgramInside: (program) =>
      program.includes('/')
        ? !programs.isBeyond(at(program))
        : programs.find(program) === undefined &&
          isInstalled(program, env['PATH'] ?? '', layout.root),
    isInside: (path, isCode) =>
      // What a shell puts behind "$HOME" begins with a slash.
      /^[~/]/.test(path)
        ? programs.isInside(inHome(path)) || (path.startsWith('/') && programs.isInside(path))
        : isThere(at(path)) ||
          isThere(resolve(cwd, path)) ||
          ((isCode || path.includes('/')) && isThere(inHome(path))),
    isAround: (folder) =>
      [folder, inHome(folder)].some((one) => isWithin(realBelow(one), realBelow(layout.root))),
  };
}

export function namedProgram(ws: Workspace, argv: readonly string[], given: NamedOptions): Named {
  const { root } = ws.layout;
  const { fill = (one) => one, more = [], writes = [], cwd = root } = given;
  const [program = '', ...filled] = argv.map((one, i) => (i === 0 ? one : fill(one)));
  const rest = [...filled, ...more];
  const end = (): void => undefined;
  if (!willConfine(ws, undefined)) return { argv: [program, ...rest], env: given.env, cwd, end };
  const inside = insideHere(ws, argv, cwd);
  if (inside === undefined) {
    const found = program.includes('/') ? resolve(root, program) : ws.programs.find(program);
    const env = { ...beyondOf(ws, given.env), PATH: ws.programs.path };
    // An interpreter finds modules in the folder that it is in.
    const isAway = given.away === true || runsCode(argv);
    return { argv: [found ?? program, ...rest], env, cwd: isAway ? folderBeyond(ws) : cwd, end };
  }
  const closed = networkClosed(ws, undefined, 'setup');
  const mark = ws.machine.nonce();
  const confined = confine(
    ws,
    undefined,
    { kind: 'check', root, permissions: READ_ONLY, writes, closed, unwatched: true },
    { argv: [program, ...rest], env: given.env, cwd: root, starts: [], mark },
  );
  const env = { ...confined.env, PATH: ws.programs.path };
  return { ...confined, env, path: confined.env['PATH'], inside };
}

/** Without what names a file of the workspace, such as VIMINIT or XDG_DATA_DIRS. */
function beyondOf(ws: Workspace, env: NamedOptions['env']): NamedOptions['env'] {
  const isBeyond = ([name, value]: readonly [string, string]): boolean =>
    name.startsWith('CONTRACTS_') ||
    !/[./]/.test(value) ||
    insideHere(ws, ['-', ...value.split(delimiter)]) === undefined;
  return Object.fromEntries(Object.entries(env).filter(isBeyond));
}

export function folderBeyond({ home, programs }: Workspace): string {
  return home !== undefined && programs.isBeyond(home) ? home : '/';
}
