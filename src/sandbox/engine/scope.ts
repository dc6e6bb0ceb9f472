/**
 * What a place of a sandbox is made of: whose it is, and the smallest of its parts. Knows no layout.
 */
import type { ClientFolder } from '../../process/adapter.ts';
import { kindOf } from '../../process/path-kind.ts';
import type { SandboxPlace } from './bwrap-args.ts';
import type { Authority } from '../../task/core/model/permissions.ts';

export interface Scope {
  readonly kind: 'work' | 'review' | 'check';
  /** The folder in which it works, absolute. */
  readonly root: string;
  readonly authority: Authority;
  /** Where it may write beside the workdir: its desk. */
  readonly writes: readonly string[];
  /** The folders of its client. */
  readonly clients?: readonly ClientFolder[];
  /** Variables of its environment that name what it reads, wherever that lies. */
  readonly reads_env?: readonly string[];
  /** Folders below the root that the client's own sandbox wants to be there. */
  readonly opens?: readonly string[];
}

export function place(path: string, as: SandboxPlace['as']): SandboxPlace {
  return { path, as };
}

/** Those that are there. */
export function read(paths: readonly (string | undefined)[]): SandboxPlace[] {
  return paths.flatMap((path) =>
    path === undefined || kindOf(path) === undefined ? [] : place(path, 'read'),
  );
}
