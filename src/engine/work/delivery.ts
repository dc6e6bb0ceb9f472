/** A deliverable that is handed in on a desk must not replace a file that a person wrote. */
import type { Contract } from '../../task/core/model/contract.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { ON_DESK } from '../../task/store/tasks/layout.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { deliveryOf, type PartsOf } from '../../workspace/tasks/capability.ts';
import { keptDesk } from '../../workspace/tasks/read-attempts.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** `folder`: of the task, in the state that it is in. */
interface Asked extends PartsOf {
  readonly contract: Contract;
}

/**
 * Hashes of what the attempts made, kept on their desks: only these may be replaced. undefined where the
 * file was handed in and no desk has it any more.
 */
export function madeByAttempts(
  ws: Workspace,
  file: string,
  { folder, attempts }: Pick<Asked, 'folder' | 'attempts'>,
): ReadonlySet<string> | undefined {
  const work = attempts.filter(({ kind }) => kind === 'work');
  const made = work.flatMap((attempt) => {
    const found = inside(ws.disk, `${keptDesk(folder, attempt)}/${ON_DESK}`, file);
    const read = found.ok ? readBytes(ws.disk, found.path, file) : undefined;
    return read?.ok === true ? [sha256(read.value)] : [];
  });
  const done = work.some(({ lost, outcome }) => !lost && outcome?.outcome === 'complete');
  return done && made.length === 0 ? undefined : new Set(made);
}

/** A file that no attempt made is a person's, and is not replaced. */
export function writtenByHand(ws: Workspace, asked: Asked): Problem | undefined {
  const { id, contract } = asked;
  const delivery = deliveryOf(ws, contract);
  if (delivery === undefined) return undefined;
  const { file, thing, use } = delivery;
  const path = `${ws.layout.root}/${file}`;
  if (ws.disk.stat(path) === undefined) return undefined;
  const made = madeByAttempts(ws, file, asked);
  if (made === undefined) return undefined;
  const there = readBytes(ws.disk, path, file, { single_link: false });
  if (there.ok && made.has(sha256(there.value))) return undefined;
  const fix = `To keep it: contracts abort ${id}, then ${use}; to have it written by ${contract.head.agent ?? 'its agent'}: move it away`;
  const how =
    made.size === 0 ? 'was written by hand since the claim' : 'was changed since it was handed in';
  return problem({
    code: 'bad_value',
    file,
    message: `the ${thing} ${how}, and is not written over`,
    fix,
  });
}
