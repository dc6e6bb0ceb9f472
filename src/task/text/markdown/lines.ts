/** A text as lines with offsets and line ends: the lines put together are the text again. */

export type LineKind =
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
  /** Of a heading: 1 to 6; else 0. */
  readonly level: number;
  /** Of a heading: its text; of an opening fence: its info string; else empty. */
  readonly title: string;
  /** Of an opening fence only. */
  readonly opens: boolean;
}

export interface Piece {
  raw: string;
  start: number;
  eol: Line['eol'];
}

/** A text that ends in a line end has no empty line after it. */
export function split(text: string): Piece[] {
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
export function frontEnd(pieces: readonly Piece[]): number {
  if (pieces[0]?.raw !== '---') return 0;
  const close = pieces.findIndex((piece, index) => index > 0 && piece.raw === '---');
  return close + 1;
}
