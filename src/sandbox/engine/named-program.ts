/**
 * A command that settings name and the runner starts for a person. Where agents are confined, what it
 * takes from the workspace is confined too, as a check is: an agent may have written it.
 */
import { isAbsolute, resolve } from 'node:path';
import type { Environment } from '../../process/adapter.ts';
import { kindOf } from '../../process/path-kind.ts';
import { isInstalled } from '../../process/program.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { namedInside } from '../core/named-inside.ts';
import { confine, willConfine } from './confine.ts';
import { networkClosed } from './network.ts';

export interface Named {
  readonly argv: readonly string[];
  readonly env: Environment;
  /** PATH of the program, where what starts it has another one. */
  readonly path?: string | undefined;
  readonly cwd: string;
  /** What of it lies in the workspace, so that it is confined. */
  readonly inside?: string;
  /** After its end, where it is waited for. */
  end(): void;
}

export interface NamedOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Where it is started, absolute: the workspace, where it is left out. */
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

/** What of `argv` lies in the workspace; undefined where nothing does, or agents are not confined. */
export function insideHere(ws: Workspace, argv: readonly string[]): string | undefined {
  const { programs, layout, env } = ws;
  const at = (path: string): string => resolve(layout.root, path);
  const inside = namedInside(argv, {
    isProgramInside: (program) =>
      program.includes('/')
        ? !programs.isBeyond(at(program))
        : programs.find(program) === undefined &&
          isInstalled(program, env['PATH'] ?? '', layout.root),
    isInside: (path) =>
      (isAbsolute(path) || kindOf(at(path)) !== undefined) && programs.isInside(at(path)),
  });
  return inside !== undefined && willConfine(ws, undefined) ? inside : undefined;
}

export function namedProgram(ws: Workspace, argv: readonly string[], given: NamedOptions): Named {
  const { root } = ws.layout;
  const { fill = (one) => one, more = [], writes = [], cwd = root } = given;
  const [program = '', ...filled] = argv.map((one, i) => (i === 0 ? one : fill(one)));
  const rest = [...filled, ...more];
  const end = (): void => undefined;
  if (!willConfine(ws, undefined)) return { argv: [program, ...rest], env: given.env, cwd, end };
  const inside = insideHere(ws, argv);
  if (inside === undefined) {
    const found = program.includes('/') ? program : (ws.programs.find(program) ?? program);
    const env = { ...given.env, PATH: ws.programs.path };
    return { argv: [found, ...rest], env, cwd: given.away ? folderBeyond(ws) : cwd, end };
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

export function folderBeyond({ home, programs }: Workspace): string {
  return home !== undefined && programs.isBeyond(home) ? home : '/';
}
