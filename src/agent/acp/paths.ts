/**
 * May this agent change the file at this path? Its desk always; below its root by its authority; all
 * else never. A path that leads through a link is refused, whatever lies behind it. Looks at the disk
 * through the port that it is given and changes nothing.
 */
import { isAbsolute, join, relative, resolve } from 'node:path';
import { refuseChange, type Authority, type ChangeKind } from '../../core/authority.ts';

export type Found = 'file' | 'folder' | 'other' | undefined;

export interface Grounds {
  readonly root: string;
  readonly desk: string;
  readonly authority: Authority;
  /** As lstat says it: a link is `other`. */
  look(path: string): Found;
}

export interface Wanted {
  readonly path: string;
  readonly kind: 'write' | 'delete';
  /** What is there stays, and something is added at the end. */
  readonly grows?: boolean;
}

/** `base` and `inner` are where it is: the desk or the root, and the way from there. */
interface Within {
  readonly base: string;
  readonly inner: string;
}

export type Judged =
  | ({ readonly allowed: true } & Within)
  /** Told, and let through: the authority is soft. */
  | ({ readonly allowed: false; readonly strong: false; readonly why: string } & Within)
  | { readonly allowed: false; readonly strong: true; readonly why: string };

export function judgePath(grounds: Grounds, wanted: Wanted): Judged {
  const { root, desk, authority } = grounds;
  const path = resolve(root, wanted.path);
  const onDesk = innerOf(desk, path);
  const inner = onDesk ?? innerOf(root, path);
  if (wanted.path.includes('\0') || inner === undefined) {
    return refused(`${wanted.path} lies outside of ${root}`);
  }
  const base = onDesk === undefined ? root : desk;
  const odd = linkOn(grounds, base, inner);
  if (odd !== undefined) return refused(`${inner}: ${odd} is a link or no plain file`);
  if (onDesk !== undefined) return { allowed: true, base, inner };
  const there = grounds.look(path) !== undefined;
  const refusals = kindsOf(wanted, there).map((kind) =>
    refuseChange(authority, { path: inner, kind }),
  );
  const refusal = refusals.includes(undefined) ? undefined : refusals[0];
  if (refusal === undefined) return { allowed: true, base, inner };
  if (refusal.strength === 'hard') return refused(refusal.why);
  return { allowed: false, strong: false, why: refusal.why, base, inner };
}

/** Any of them is enough: what only grows may be told so, or be an ordinary write. */
function kindsOf({ kind, grows }: Wanted, there: boolean): readonly ChangeKind[] {
  if (kind === 'delete') return ['delete'];
  if (!there) return ['create'];
  return grows === true ? ['write', 'append'] : ['write'];
}

function refused(why: string): Judged {
  return { allowed: false, strong: true, why };
}

/** Relative, with forward slashes; undefined outside of `base`, and for `base` itself. */
function innerOf(base: string, path: string): string | undefined {
  const inner = relative(base, path).replaceAll('\\', '/');
  if (inner === '' || inner === '..' || inner.startsWith('../') || isAbsolute(inner)) {
    return undefined;
  }
  return inner;
}

/** The first segment that is not what it has to be; undefined when all are folders, and a file. */
function linkOn(grounds: Grounds, base: string, inner: string): string | undefined {
  const segments = inner.split('/');
  let path = base;
  for (const [i, segment] of segments.entries()) {
    path = join(path, segment);
    const found = grounds.look(path);
    if (found === undefined) return undefined;
    const last = i === segments.length - 1;
    if (found === 'other' || (!last && found !== 'folder')) return segment;
  }
  return undefined;
}
