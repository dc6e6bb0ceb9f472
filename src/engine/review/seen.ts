/**
 * Digests of what a gate was shown, as seen.sums in the attempt that asked it: result.md in the first line,
 * then each file of the change. An approval holds for these alone (docs/concepts.md#gates-and-verdicts).
 */
import { approvalsFrom, awaitedReview } from '../../task/core/attempts/counters.ts';
import { parsedJson } from '../../task/core/base/json.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { put } from '../../task/store/disk/put.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { withSignature } from '../../task/text/documents/signature.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { calledIn } from '../../workspace/tasks/read-attempts.ts';
import { changedFiles } from '../attempt/attempt-diff.ts';
import { ABSENT, baseline, look, parsed, PATTERN } from '../attempt/deliverables.ts';

type Judged = Pick<TaskRead, 'attempts' | 'contract' | 'state' | 'review'>;

/** `at`: the folder of the attempt, below `task`. `result`: the text that result.md is about to have. */
export function keepSeen(
  ws: Workspace,
  task: string,
  of: Judged,
  at: string,
  result?: string,
): void {
  const lines = [resultLine(ws, task, result), ...filesOf(ws, task, of)];
  put(ws.putting, `${at}/seen.sums`, bytesOf(lines.join('\n')));
}

/** Without the signature, which comes after it. */
function resultLine({ disk }: Workspace, task: string, result?: string): string {
  const text = result ?? textIfThere(disk, `${task}/result.md`) ?? '';
  return `${sha256(withSignature(text, undefined).trimEnd())} result.md`;
}

/** Lines for what is held: of a worktree its commit counts; beside other tasks in one tree, its deliverables alone. */
function filesOf(ws: Workspace, task: string, { attempts, contract, state }: Judged) {
  const named = contract.ok ? contract.value.head.deliverables : [];
  const work = attempts.filter(({ kind, lost }) => kind === 'work' && !lost);
  const isApart = state === 'review' && work.some(({ outcome }) => outcome?.branch);
  const isAlone = !isApart && !work.some(({ outcome }) => outcome?.beside?.length);
  const changed = isAlone ? changedFiles(ws, task, attempts).files.map(({ path }) => path) : [];
  const held = named.filter((path) => !isApart || path.startsWith(`${SETTINGS}/`));
  const lines = changed.map((path) => lineOf(ws, path));
  return [...new Set([...baseline(ws, held), ...lines])];
}

/** A path with the end of a line in it is written as JSON. */
const lineOf = (ws: Workspace, path: string) =>
  `${look(ws, path).hash ?? ABSENT} ${path.includes('\n') ? JSON.stringify(path) : path}`;

const pathOf = (written: string): string => {
  const read = written.startsWith('"') ? parsedJson(written) : undefined;
  return typeof read === 'string' ? read : written;
};

/** Files that differ from what this attempt showed. None where it has no record: earlier versions wrote none. */
function changedSince(ws: Workspace, task: string, at: string): readonly string[] {
  const [result, ...files] = textIfThere(ws.disk, `${at}/seen.sums`)?.split('\n') ?? [];
  if (result === undefined) return [];
  const now = files
    .map(parsed)
    .flatMap(({ hash, path }) =>
      hash === PATTERN ? baseline(ws, [path]) : lineOf(ws, pathOf(path)),
    );
  const known = new Set([result, ...files]);
  return [resultLine(ws, task), ...now]
    .filter((line) => !known.has(line))
    .map((line) => parsed(line).path);
}

/** Files that changed after an approval that counts, a person's that is not taken over yet among them. */
export function changedSinceApproval(ws: Workspace, task: string, { attempts, review }: Judged) {
  const said = awaitedReview(attempts) && review?.ok ? review.value.verdict : 'APPROVED';
  if (said !== 'APPROVED') return [];
  const from = attempts.filter(({ number }) => number >= approvalsFrom(attempts));
  const counted = from.filter(
    ({ lost, anew, outcome }) => !lost && !anew && outcome?.outcome !== 'interrupted',
  );
  return [...new Set(counted.flatMap((one) => changedSince(ws, task, calledIn(task, one))))];
}
