/** Whom a sandbox is for, and the smallest parts of its places. */
import type { ClientFolder } from '../../process/adapter.ts';
import type { Closed } from './network.ts';
import { kindOf } from '../../process/path-kind.ts';
import type { SandboxPlace } from './bwrap-args.ts';
import type { Permissions } from '../../task/core/model/permissions.ts';

export interface Scope {
  readonly kind: 'work' | 'review' | 'check';
  /** The folder in which it works, absolute. */
  readonly root: string;
  readonly permissions: Permissions;
  /** Writable beside the workdir: its desk. */
  readonly writes: readonly string[];
  readonly clients?: readonly ClientFolder[];
  /** Variables that name files it reads. */
  readonly reads_env?: readonly string[];
  /** Why it has no network. */
  readonly closed?: Closed | undefined;
  /** Folders that were made for the client's own sandbox, absolute. */
  readonly made?: readonly string[];
  /** The runner may end before it: what stands in for missing settings is removed by the sandbox itself. */
  readonly unwatched?: true;
  /** Shown beside all that. */
  readonly shows?: readonly SandboxPlace[];
}

export function place(path: string, as: SandboxPlace['as']): SandboxPlace {
  return { path, as };
}

/** Leaves out what does not exist. */
export function read(paths: readonly (string | undefined)[]): SandboxPlace[] {
  return paths.flatMap((path) =>
    path === undefined || kindOf(path) === undefined ? [] : place(path, 'read'),
  );
}
