/**
 * Which lines of a Markdown text are structure (headings, bullets, boxes), and which only look like it:
 * inside fences, HTML comments, quotes, front matter. It keeps offsets and takes linear time.
 */
type LineKind =
  | 'front' // front matter, its two delimiters included
  | 'blank'
  | 'heading'
  | 'text' // paragraphs, bullets, tables: what may be structure
  | 'indented' // too far to the right to be structure
  | 'fence' // a line that opens or closes a code block
  | 'code'
  | 'comment' // nothing visible on it
  | 'html' // text beside a block comment, or inside <pre>
  | 'quote';

export interface Line {
  /** 0-based. */
  readonly index: number;
  /** Without BOM and line end. */
  readonly raw: string;
  /** `raw` without its HTML comments. */
  readonly visible: string;
  /** Offset of `raw` in the text. */
  readonly start: number;
  readonly eol: '\n' | '\r\n' | '';
  readonly kind: LineKind;
  /** Level of a heading: 1 to 6; else 0. */
  readonly level: number;
  /** Text of a heading; info string of an opening fence; else empty. */
  readonly title: string;
  /** True for an opening fence. */
  readonly opens: boolean;
}

interface Piece {
  raw: string;
  start: number;
  eol: Line['eol'];
}

/** The white space at the start, with tab stops of 4. */
export function indentOf(raw: string, from = 0, column = 0): Indent {
  let at = from;
  let col = column;
  for (; at < raw.length; at++) {
    if (raw[at] === ' ') col += 1;
    else if (raw[at] === '\t') col += 4 - (col % 4);
    else break;
  }
  return { column: col, length: at - from };
}

const MARKER = /(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/y;
const FENCE = /(`{3,}|~{3,})/y;
const HEADING = /(#{1,6})(?=[ \t]|$)/y;
const RAW_OPEN = /<(?:pre|script|style|textarea)(?=[\s>]|$)/iy;
const RAW_CLOSE = /<\/(?:pre|script|style|textarea)>/i;

function matchAt(pattern: RegExp, raw: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(raw)?.[0];
}

function headingTitle(raw: string, at: number): string {
  const text = raw.slice(at).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  if (end === text.length) return text;
  const closed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return closed ? text.slice(0, end).trim() : text;
}

interface Indent {
  readonly column: number;
  /** In characters. */
  readonly length: number;
}

type Found = Partial<Pick<Line, 'visible' | 'level' | 'title' | 'opens'>> & { kind: LineKind };

/** The state between two lines. */
class Scan {
  /** A code block that is open; it ends left of the column of its `container`. */
  private fence: { readonly mark: string; readonly container: number } | undefined;
  private hidden: 'comment' | 'inline' | 'raw' | undefined;
  private hiddenUntil = 0;
  /** Content columns of the list items that are open. */
  private lists: number[] = [];
  private readonly closes: Int32Array;
  private readonly blanks: Int32Array;
  private readonly pieces: readonly Piece[];

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces;
    // For each line the next one (itself included) with `-->`, and the next blank one.
    const count = pieces.length;
    this.closes = new Int32Array(count + 1).fill(count);
    this.blanks = new Int32Array(count + 1).fill(count);
    for (let i = count - 1; i >= 0; i--) {
      const raw = pieces[i]!.raw;
      this.closes[i] = raw.includes('-->') ? i : this.closes[i + 1]!;
      this.blanks[i] = raw.trim() === '' ? i : this.blanks[i + 1]!;
    }
  }

  next(index: number): Found {
    const raw = this.pieces[index]!.raw;
    const indent = indentOf(raw);
    const blank = indent.length === raw.length || raw.trim() === '';
    if (this.fence !== undefined) {
      const found = this.inFence(raw, indent, blank);
      if (found !== undefined) return found;
    }
    if (this.hidden === 'raw') {
      if (RAW_CLOSE.test(raw)) this.hidden = undefined;
      return { kind: 'html' };
    }
    if (this.hidden !== undefined) return this.inComment(index, raw);
    if (blank) return { kind: 'blank' };
    return this.open(index, raw, indent);
  }

  private inFence(raw: string, indent: Indent, blank: boolean): Found | undefined {
    const { mark, container } = this.fence!;
    if (!blank && indent.column < container) {
      this.fence = undefined;
      return undefined;
    }
    const run = matchAt(FENCE, raw, indent.length);
    const closes =
      run !== undefined &&
      run[0] === mark[0] &&
      run.length >= mark.length &&
      indent.column <= container + 3 &&
      raw.slice(indent.length + run.length).trim() === '';
    if (!closes) return { kind: 'code' };
    this.fence = undefined;
    return { kind: 'fence' };
  }

  private inComment(index: number, raw: string): Found {
    if (index < this.hiddenUntil) return { kind: 'comment', visible: '' };
    this.hidden = undefined;
    return this.afterComment(index, raw.slice(raw.indexOf('-->') + 3));
  }

  private open(index: number, raw: string, first: Indent): Found {
    let { column, length: at } = first;
    while (this.lists.length > 0 && column < this.lists.at(-1)!) this.lists.pop();
    if (raw.startsWith('<!--', at)) return this.openComment(index, raw, at);
    let base = this.lists.at(-1) ?? 0;
    let depth = 0;
    for (; column - base < 4 && depth < 16; depth++) {
      const marker = matchAt(MARKER, raw, at);
      if (marker === undefined) break;
      const gap = indentOf(raw, at + marker.length, column + marker.length);
      const content = column + marker.length;
      const deep = gap.column - content > 4 || at + marker.length + gap.length >= raw.length;
      base = deep ? content + 1 : gap.column;
      this.lists.push(base);
      at += marker.length + gap.length;
      column = gap.column;
    }
    if (column - base >= 4) return { kind: 'indented', visible: this.strip(index, raw) };
    if (raw[at] === '>') return { kind: depth === 0 ? 'quote' : 'text' };
    const run = matchAt(FENCE, raw, at);
    if (run !== undefined) {
      const info = raw.slice(at + run.length).trim();
      if (run[0] === '~' || !info.includes('`')) {
        this.fence = { mark: run, container: base };
        return { kind: 'fence', title: info, opens: true };
      }
    }
    if (matchAt(RAW_OPEN, raw, at) !== undefined) {
      if (!RAW_CLOSE.test(raw)) this.hidden = 'raw';
      return { kind: 'html' };
    }
    const visible = this.strip(index, raw);
    const hashes = depth === 0 && column < 4 ? matchAt(HEADING, raw, at) : undefined;
    if (hashes === undefined) return { kind: 'text', visible };
    const title = headingTitle(visible, at + hashes.length);
    return { kind: 'heading', visible, level: hashes.length, title };
  }

  /** A block comment: whole lines up to the one with `-->`, or to the end of the text. */
  private openComment(index: number, raw: string, at: number): Found {
    const end = raw.indexOf('-->', at + 2);
    if (end === -1) {
      this.hidden = 'comment';
      this.hiddenUntil = this.closes[index + 1]!;
      return { kind: 'comment', visible: '' };
    }
    return this.afterComment(index, raw.slice(end + 3));
  }

  private afterComment(index: number, rest: string): Found {
    const visible = this.strip(index, rest);
    return visible.trim() === '' ? { kind: 'comment', visible: '' } : { kind: 'html', visible };
  }

  /**
   * Removes comments inside a line. One that is not closed on it hides the following lines only when
   * it is closed within the paragraph; else it is just text, as it is in CommonMark.
   */
  private strip(index: number, raw: string): string {
    let at = raw.indexOf('<!--');
    if (at === -1) return raw;
    let out = '';
    let from = 0;
    let ticks = 0;
    let counted = 0;
    for (; at !== -1; at = raw.indexOf('<!--', at)) {
      for (; counted < at; counted++) if (raw[counted] === '`') ticks += 1;
      if (ticks % 2 === 1 || raw[at - 1] === '\\') {
        at += 4;
        continue;
      }
      const end = raw.indexOf('-->', at + 4);
      if (end !== -1) {
        out += raw.slice(from, at);
        at = from = counted = end + 3;
        continue;
      }
      const close = this.closes[index + 1]!;
      if (close < this.blanks[index + 1]!) {
        this.hidden = 'inline';
        this.hiddenUntil = close;
        return out + raw.slice(from, at);
      }
      break;
    }
    return out + raw.slice(from);
  }
}

/** A text that ends in a line end has no empty line after it. */
function split(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    if (end === -1) {
      pieces.push({ raw: text.slice(start), start, eol: '' });
      break;
    }
    const crlf = end > start && text[end - 1] === '\r';
    pieces.push({ raw: text.slice(start, crlf ? end - 1 : end), start, eol: crlf ? '\r\n' : '\n' });
    start = end + 1;
  }
  return pieces;
}

/** How many lines are front matter. */
function frontEnd(pieces: readonly Piece[]): number {
  if (pieces[0]?.raw !== '---') return 0;
  const close = pieces.findIndex((piece, index) => index > 0 && piece.raw === '---');
  return close + 1;
}

/** `whole: false` for a part of a file, where a first `---` is no front matter. */
export function scanMarkdown(text: string, options: { whole: boolean } = { whole: true }): Line[] {
  const pieces = split(text);
  const front = options.whole ? frontEnd(pieces) : 0;
  const scan = new Scan(pieces);
  return pieces.map((piece, index) => {
    const found: Found = index < front ? { kind: 'front' } : scan.next(index);
    return { index, ...piece, visible: piece.raw, level: 0, title: '', opens: false, ...found };
  });
}
