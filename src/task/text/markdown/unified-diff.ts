/**
 * A patch as `git apply` reads it: unified, three lines of context, bytes kept as they are. Texts are
 * given and taken as latin1, one character a byte, so that no encoding is guessed. Pure; where two
 * texts have little in common, the middle is taken out and put in whole.
 */
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

/** Empty when there is no difference. */
export function filePatch({ path, before, after, ...modes }: FileChange): string {
  const executable = (mode: number | undefined): boolean => ((mode ?? 0) & 0o100) !== 0;
  const [was, is] = [modeOf(executable(modes.mode_before)), modeOf(executable(modes.mode_after))];
  const head: string[] = [];
  if (before === undefined) head.push(`new file mode ${is}`);
  else if (after === undefined) head.push(`deleted file mode ${was}`);
  else if (was !== is) head.push(`old mode ${was}`, `new mode ${is}`);
  const hunks = before === after ? '' : hunksOf(linesOf(before ?? ''), linesOf(after ?? ''));
  if (head.length === 0 && hunks === '') return '';
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const lines = [`diff --git ${a} ${b}`, ...head];
  if (hunks !== '') {
    lines.push(`--- ${before === undefined ? '/dev/null' : a}`);
    lines.push(`+++ ${after === undefined ? '/dev/null' : b}`);
  }
  return `${lines.join('\n')}\n${hunks}`;
}

function modeOf(executable: boolean): string {
  return executable ? '100755' : '100644';
}

/** As git quotes a name that holds more than plain characters. */
function quoted(path: string): string {
  const bytes = [...new TextEncoder().encode(path)];
  const plain = bytes.every((byte) => byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c);
  // A blank at the end, or one before it, would be taken for the end of the name.
  if (plain && !path.includes(' ')) return path;
  const parts = bytes.map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte > 0x1f && byte < 0x7f) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${parts.join('')}"`;
}

/** Each with its newline; the last one may have none. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

interface Edit {
  /** Lines of the one that go, and of the other that come. */
  readonly from: number;
  readonly to: number;
  readonly into: number;
  readonly until: number;
}

function hunksOf(a: readonly string[], b: readonly string[]): string {
  const edits = editsOf(a, b);
  let text = '';
  for (let first = 0; first < edits.length;) {
    let last = first;
    while (last + 1 < edits.length && near(edits[last], edits[last + 1])) last++;
    text += hunk(a, b, edits.slice(first, last + 1));
    first = last + 1;
  }
  return text;
}

function near(one: Edit | undefined, next: Edit | undefined): boolean {
  return (next?.from ?? 0) - (one?.to ?? 0) <= 2 * CONTEXT;
}

function hunk(a: readonly string[], b: readonly string[], edits: readonly Edit[]): string {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return '';
  const before = Math.min(CONTEXT, first.from);
  const [from, into] = [first.from - before, first.into - before];
  const to = Math.min(a.length, last.to + CONTEXT);
  const until = last.until + (to - last.to);
  let text = `@@ -${range(from, to)} +${range(into, until)} @@\n`;
  let at = from;
  for (const edit of edits) {
    text += marked(' ', a.slice(at, edit.from));
    text += marked('-', a.slice(edit.from, edit.to)) + marked('+', b.slice(edit.into, edit.until));
    at = edit.to;
  }
  return text + marked(' ', a.slice(at, to));
}

function range(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function marked(mark: string, lines: readonly string[]): string {
  return lines
    .map((line) => `${mark}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`)
    .join('');
}

/** Without what both begin and end with, by the shortest way (Myers); else all of it at once. */
function editsOf(a: readonly string[], b: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [old, fresh] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (old.length === 0 && fresh.length === 0) return [];
  const found = shortest(old, fresh);
  return (found ?? [{ from: 0, to: old.length, into: 0, until: fresh.length }]).map((edit) => ({
    from: edit.from + start,
    to: edit.to + start,
    into: edit.into + start,
    until: edit.until + start,
  }));
}

/** undefined when it takes more edits than are looked for. */
function shortest(a: readonly string[], b: readonly string[]): readonly Edit[] | undefined {
  const reached: Map<number, number>[] = [];
  let row = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= EDITS_MAX; d++) {
    reached.push(new Map(row));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (row.get(k - 1) ?? -1) < (row.get(k + 1) ?? -1));
      let x = down ? (row.get(k + 1) ?? 0) : (row.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) [x, y] = [x + 1, y + 1];
      row.set(k, x);
      if (x >= a.length && y >= b.length) return wayBack(reached, a.length, b.length);
    }
    row = new Map(row);
  }
  return undefined;
}

/** From the end to the beginning; steps that touch are one edit. */
function wayBack(reached: readonly ReadonlyMap<number, number>[], n: number, m: number): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [n, m];
  for (let d = reached.length - 1; d > 0; d--) {
    const row = reached[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (row.get(k - 1) ?? -1) < (row.get(k + 1) ?? -1));
    const came = down ? k + 1 : k - 1;
    const from = row.get(came) ?? 0;
    const into = from - came;
    const step = down
      ? { from, to: from, into, until: into + 1 }
      : { from, to: from + 1, into, until: into };
    const next = edits[0];
    if (next !== undefined && next.from === step.to && next.into === step.until) {
      edits[0] = { ...next, from: step.from, into: step.into };
    } else edits.unshift(step);
    [x, y] = [from, into];
  }
  return edits;
}
