/**
 * How wide the output is, and text cut, padded and wrapped to fit. Text of others must be escaped before it
 * comes here; our own colours take no cells. Into a pipe nothing is cut, because a program reads it.
 */
import stringWidth from 'string-width';
import type { Streams } from '../streams/streams.ts';

const CELLS_MIN = 24;
const CELLS_MAX = 250;
const CELLS_DEFAULT = 80;

export interface Screen {
  /** Cells in a line: those of the terminal, else COLUMNS, else 80; from 24 to 250. */
  readonly cells: number;
  /** The width at which lines are cut; Infinity where there is no terminal. */
  readonly limit: number;
}

/** Asked again before each drawing: a window changes its size. */
export function screenOf(streams: Streams, env: NodeJS.ProcessEnv = process.env): Screen {
  const given = streams.columns ?? Number(env['COLUMNS']);
  const wanted = Number.isInteger(given) && given > 0 ? given : CELLS_DEFAULT;
  const cells = Math.min(CELLS_MAX, Math.max(CELLS_MIN, wanted));
  return { cells, limit: streams.isTTY === true ? cells : Infinity };
}

// oxlint-disable-next-line no-control-regex
const SGR = /\u001b\[[\d;]*m/g;

/** One cell each: ASCII, and letters, punctuation and arrows that no terminal shows wider. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u2190-\u2193]*$/;

/** The library is loaded when it is first called (scripts/bundle.mjs): most text does not need it. */
function widthOfBare(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Cells that a terminal takes for it: 2 for CJK and emoji, none for combining marks and colours. */
export function width(text: string): number {
  return widthOfBare(bareText(text));
}

/** Without our own colours. */
export function bareText(text: string): string {
  return text.includes('\u001b') ? text.replace(SGR, '') : text;
}

let segmenter: Intl.Segmenter | undefined;

/** Each of which a terminal shows as one sign. */
function signs(bare: string): string[] {
  if (NARROW.test(bare)) return [...bare];
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(bare)].map(({ segment }) => segment);
}

/** Signs, and colours as pieces of their own. */
function pieces(text: string): string[] {
  if (!text.includes('\u001b')) return signs(text);
  return text
    .split(/(\u001b\[[\d;]*m)/) // oxlint-disable-line no-control-regex
    .flatMap((part) => (part.startsWith('\u001b') ? [part] : signs(part)));
}

/** At most `cells` cells of it, the last one `…` where something is missing. Colours still end. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (width(text) <= cells) return text;
  let used = 0;
  let full = false;
  let kept = '';
  for (const piece of pieces(text)) {
    if (piece.startsWith('\u001b')) {
      kept += piece;
      continue;
    }
    if (full) continue;
    used += widthOfBare(piece);
    full = used > cells - 1;
    kept += full ? '…' : piece;
  }
  return kept;
}

/** Exactly `cells` cells: cut, or filled up with spaces. */
export function fit(text: string, cells: number): string {
  const kept = cut(text, cells);
  return Number.isFinite(cells) ? kept + ' '.repeat(Math.max(0, cells - width(kept))) : kept;
}

/**
 * Lines of at most `cells` cells, broken at spaces and between wide signs; those after the first begin with
 * `indent` spaces. A long path stays whole, so that it can be copied; any other long word is broken.
 */
export function wrap(text: string, cells: number, indent = 0): string[] {
  if (!Number.isFinite(cells)) return text.split('\n');
  return text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '    '), cells, indent));
}

function wrapLine(text: string, cells: number, indent: number): string[] {
  if (width(text) <= cells) return [text];
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  let used = line.length;
  let bare = true;
  let gap = '';
  const next = (): void => {
    lines.push(line);
    [line, used, bare] = [margin, indent, true];
  };
  for (const word of text.slice(line.length).split(/( +)/)) {
    if (/^ *$/.test(word)) {
      gap = word;
      continue;
    }
    for (const part of partsOf(word, cells - indent)) {
      const room = cells - used - (bare ? 0 : gap.length);
      const wide = width(part);
      if (wide > room && !bare) next();
      else if (!bare) [line, used] = [line + gap, used + gap.length];
      [line, used, bare, gap] = [line + part, used + wide, false, ''];
    }
  }
  return [...lines, line];
}

/** Parts of a word between which a line may break: around each wide sign, and anywhere when it is too long for a line. */
function partsOf(word: string, cells: number): string[] {
  const long = width(word) > cells && !word.includes('/');
  if (!long && NARROW.test(word)) return [word];
  const parts: string[] = [];
  let open = false;
  for (const piece of pieces(word)) {
    const alone = !piece.startsWith('\u001b') && (long || widthOfBare(piece) > 1);
    if (open && !alone) parts[parts.length - 1] += piece;
    else parts.push(piece);
    open = !alone;
  }
  return parts;
}

export interface Column {
  /** Cells that a cut leaves; when left out it is never cut. */
  readonly least?: number;
  /** Cells at most, however much room there is. */
  readonly most?: number;
  /** True for names, of a bounded length: where nothing is cut, as wide as the widest, so that columns stay even. */
  readonly even?: boolean;
  /** True for figures: blanks are in front of them. */
  readonly right?: boolean;
  /** True for ids: cut before any other, down to ID_CELLS. */
  readonly ids?: boolean;
  /** Order in which columns are left out where even `least` of all has no room: the highest first. */
  readonly drop?: number;
}

/** Rows as lines of at most `cells` cells, two spaces between columns; the widest column is cut first. */
export function columns(
  rows: readonly (readonly string[])[],
  shapes: readonly Column[],
  cells: number,
): string[] {
  const wide = shapes.map(() => new Uint32Array(rows.length));
  for (const [n, row] of rows.entries())
    for (let i = 0; i < shapes.length; i++) (wide[i] as Uint32Array)[n] = width(row[i] ?? '');
  const widths = widthsOf(wide, shapes, cells);
  const used = widths.flatMap((one, i) => (one > 0 ? [i] : []));
  const last = used.at(-1);
  const cell = (text: string, taken: number, i: number): string => {
    const room = widths[i] ?? 0;
    const fits = taken <= room || !Number.isFinite(cells);
    const short = fits ? text : cut(text, room);
    const blanks = ' '.repeat(Math.max(0, room - (fits ? taken : width(short))));
    if (shapes[i]?.right === true) return blanks + short;
    return i === last ? short : short + blanks;
  };
  const least = used.reduce((sum, i) => sum + (widths[i] ?? 0) + 2, -2);
  // Too narrow for columns: each row is wrapped, and stays one entry.
  if (least > cells)
    return rows.map((row) => {
      const some = row.flatMap((cell) => cut(cell.trim(), 2 * cells) || []);
      return wrap(some.join('  '), cells, 2)
        .map((line) => cut(line, cells))
        .join('\n');
    });
  return rows.map((row, n) => {
    let line = '';
    for (const i of used) {
      if (i !== used[0]) line += '  ';
      line += cell(row[i] ?? '', wide[i]?.[n] ?? 0, i);
    }
    return line.trimEnd();
  });
}

const ID_CELLS = 20;

function widthsOf(wide: readonly Uint32Array[], shapes: readonly Column[], cells: number) {
  const widths = shapes.map(({ most = Infinity, even = false }, i) => {
    let widest = 0;
    for (const one of wide[i] ?? []) widest = Math.max(widest, one);
    return even && !Number.isFinite(cells) ? widest : Math.min(most, widest);
  });
  const used = (of: readonly number[]): number =>
    of.reduce((sum, one) => sum + (one > 0 ? one + 2 : 0), -2);
  const orders = shapes.flatMap(({ drop = 0 }) => drop).sort((a, b) => b - a);
  for (const order of orders) {
    const least = widths.map((one, i) => Math.min(one, shapes[i]?.least ?? one));
    if (order > 0 && used(least) > cells) widths[shapes.findIndex((one) => one.drop === order)] = 0;
  }
  for (let over = used(widths) - cells; over > 0; over--) {
    const spare = widths.map((one, i) => (one > (shapes[i]?.least ?? Infinity) ? one : 0));
    const ids = shapes.findIndex((shape, i) => shape.ids === true && (spare[i] ?? 0) > ID_CELLS);
    const widest = ids < 0 ? spare.indexOf(Math.max(...spare)) : ids;
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
