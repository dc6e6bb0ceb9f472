/**
 * A patch as `git apply` reads it. Texts are latin1, one character a byte, so that no encoding is
 * guessed. Where two texts have little in common, one is removed and the other added whole.
 */
import { formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff';

const CONTEXT = 3;
/** Edits up to which the shortest way is looked for; beyond, time would grow with their square. */
const EDITS_MAX = 500;

export interface FileChange {
  readonly path: string;
  /** undefined: it was not there, or is not there any more. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly mode_before?: number | undefined;
  readonly mode_after?: number | undefined;
}

/** git omits the count of a hunk of one line. */
const OF_ONE_LINE = /(?<=\n@@ -\d+),1(?= \+)|(?<=\n@@ -[\d,]+ \+\d+),1(?= @@\n)/g;

/** Empty when there is no difference. */
export function filePatch({ path, before, after, mode_before, mode_after }: FileChange): string {
  const [isCreate, isDelete] = [before === undefined, after === undefined];
  const [oldMode, newMode] = [modeOf(mode_before), modeOf(mode_after)];
  const isOneMode = oldMode === newMode && !isCreate && !isDelete;
  if (before === after && isOneMode) return '';
  const patch = formatPatch({
    isGit: true,
    isCreate,
    isDelete,
    ...(isOneMode ? {} : { oldMode, newMode }),
    oldFileName: isCreate ? '/dev/null' : `a/${path}`,
    newFileName: isDelete ? '/dev/null' : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunksOf(before ?? '', after ?? ''),
  });
  return patch.replaceAll(OF_ONE_LINE, '');
}

function modeOf(mode = 0): string {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

function hunksOf(before: string, after: string): StructuredPatchHunk[] {
  const limits = { context: CONTEXT, maxEditLength: EDITS_MAX };
  const found = structuredPatch('', '', before, after, undefined, undefined, limits);
  if (found !== undefined) return found.hunks;
  const [out] = structuredPatch('', '', before, '').hunks;
  const [put] = structuredPatch('', '', '', after).hunks;
  return out && put
    ? [{ ...out, newLines: put.newLines, lines: [...out.lines, ...put.lines] }]
    : [];
}
