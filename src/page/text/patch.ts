/** A patch as git prints it, as rows to be drawn. A text that is no patch stays readable: its lines as they are. */
import { parsePatch } from 'diff';

export interface PatchRow {
  /** ` `, `+`, `-` as in the patch; `@` heads a hunk; `\` is a remark. */
  readonly sign: string;
  readonly text: string;
  /** Line numbers from 1, before and after the change. */
  readonly was?: number;
  readonly is?: number;
}

export interface PatchFile {
  readonly path: string;
  readonly rows: readonly PatchRow[];
}

export function patchFiles(patch: string): readonly PatchFile[] {
  if (patch.trim() === '') return [];
  try {
    const files = parsePatch(patch).filter(({ hunks }) => hunks.length > 0);
    const whole = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
    // What is no hunk, such as a file of bytes, would be left out without a word.
    if (
      whole > 0 &&
      whole === patch.match(/^@@ /gm)?.length &&
      !/^(?:Binary|GIT binary)/m.test(patch)
    )
      return files.map(({ oldFileName = '', newFileName = '', hunks }) => ({
        path: nameOf(newFileName) ?? nameOf(oldFileName) ?? '',
        rows: hunks.flatMap(rowsOf),
      }));
  } catch {
    // Below.
  }
  return [{ path: '', rows: patch.split('\n').map((line) => ({ sign: '\\', text: line })) }];
}

type Hunk = ReturnType<typeof parsePatch>[number]['hunks'][number];

function rowsOf({ oldStart, newStart, oldLines, newLines, lines }: Hunk): readonly PatchRow[] {
  let [was, is] = [oldStart, newStart];
  // The library counts an empty side from the line behind it.
  const from = oldLines === 0 ? oldStart - 1 : oldStart;
  const to = newLines === 0 ? newStart - 1 : newStart;
  const head = { sign: '@', text: `@@ -${from},${oldLines} +${to},${newLines} @@` };
  const rows = lines.map((line): PatchRow => {
    const [sign = ' ', text] = [line[0], line.slice(1)];
    if (sign === '+') return { sign, text, is: is++ };
    if (sign === '-') return { sign, text, was: was++ };
    return sign === '\\' ? { sign, text } : { sign: ' ', text, was: was++, is: is++ };
  });
  return [head, ...rows];
}

function nameOf(file: string): string | undefined {
  return file === '/dev/null' || file === '' ? undefined : file.replace(/^[ab]\//, '');
}

/** Removed lines beside those that took their place. */
export function besides(rows: readonly PatchRow[]): readonly (readonly [PatchRow?, PatchRow?])[] {
  const pairs: [PatchRow?, PatchRow?][] = [];
  let [removed, added]: [PatchRow[], PatchRow[]] = [[], []];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push([removed[i], added[i]] as [PatchRow?, PatchRow?]);
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.sign === '-') {
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.sign === '+') added.push(row);
    else {
      flush();
      pairs.push([row, row]);
    }
  }
  flush();
  return pairs;
}
