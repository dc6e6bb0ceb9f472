/** The boxes of a plan, line by line; what only looks like one gives a warning. Never fails. */
import { BOX_MARKS, BOX_MEANINGS, type BoxMeaning, type PlanBox } from '../core/plan-document.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { indentOf, scanMarkdown, type Line } from '../../task/text/markdown/line-scanner.ts';

export interface PlanBullet {
  readonly column: number;
  /** Content from this column on is nested in it. */
  readonly inside: number;
  /** `3` in `3.` and `3)`. */
  readonly number?: string;
  /** After the bullet and its box. */
  readonly text: string;
  readonly box?: PlanBox;
}

export interface PlanLine {
  readonly line: Line;
  readonly bullet: PlanBullet | undefined;
  /** A thematic break: `---`, `* * *`. */
  readonly rule: boolean;
  /** In a block of HTML, where Markdown does not count. */
  readonly html: boolean;
}

const MARKER = /(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/y;
// One UTF-16 unit, so that replacing it changes nothing around it. Letters except x are no marks: `[P]`
// is a tag of spec-kit.
const BOX = /\[([xX]|[^[\]\\`\ud800-\udfff\u{10000}-\u{10ffff}\p{L}])\](?=[ \t]|$)/uy;
const LETTER = /\[(?!P\])\p{L}\](?=[ \t]|$)/uy;
const TIGHT = /\[([ xX~-])\](?![ \t([:]|$)/y;
const BROKEN =
  /\[(?:[ \t]*[xX~-]?[ \t]*|[\ud800-\udbff][\udc00-\udfff]\ufe0f?|.\ufe0f)\](?=[ \t]|$)/y;
const BARE = /^[ \t]*(?:[-*+•‣◦–—]|\d{1,9}[.)])?[ \t\u00a0]{0,8}\[[ xX~-]\][ \t\u00a0]{1,8}[^\s]/;
const DEEP = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX~-]\](?:[ \t]|$)/;
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HTML_BLOCK =
  /^[ \t]*<\/?(?:address|article|aside|blockquote|center|details|dialog|div|dl|dd|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s>/]|$)/i;

const MEANINGS: Readonly<Record<string, BoxMeaning>> = {
  ...Object.fromEntries(BOX_MEANINGS.map((one) => [BOX_MARKS[one], one])),
  X: 'done',
};

function at(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Several bullets at the start of a line count as one. */
function bulletsOf(text: string): (Omit<PlanBullet, 'text'> & { end: number }) | undefined {
  const indent = indentOf(text);
  let { column, length: end } = indent;
  let found: Omit<PlanBullet, 'text'> | undefined;
  for (let depth = 0; depth < 16; depth++) {
    const marker = at(MARKER, text, end);
    if (marker === null) break;
    const width = marker[0].length;
    found = {
      column: indent.column,
      // People mean two columns as nested, also below `1.` and `10.`.
      inside: Math.min(column + width + 1, column + 2),
      ...(marker[1] === undefined ? {} : { number: marker[1] }),
    };
    const gap = indentOf(text, end + width, column + width);
    column = gap.column;
    end += width + gap.length;
  }
  return found === undefined ? undefined : { ...found, end };
}

class Reader {
  readonly lines: PlanLine[] = [];
  readonly boxes: PlanBox[] = [];
  readonly warnings: Problem[] = [];
  private readonly file: string;
  private html = false;
  private paragraph = false;

  constructor(file: string) {
    this.file = file;
  }

  add(line: Line): void {
    if (line.kind === 'blank') this.html = false;
    else if (line.kind === 'text' && line.visible.includes('<') && HTML_BLOCK.test(line.visible))
      this.html = true;
    const read = line.kind === 'text' && !this.html;
    const rule = read && RULE.test(line.visible);
    const bullet = read && !rule ? this.bullet(line) : undefined;
    if (bullet?.box !== undefined) this.boxes.push(bullet.box);
    if (bullet === undefined) this.missed(line);
    this.lines.push({ line, bullet, rule, html: this.html });
    this.paragraph =
      line.kind === 'text' ||
      line.kind === 'comment' ||
      (line.kind === 'indented' && this.paragraph);
  }

  private bullet(line: Line): PlanBullet | undefined {
    const { visible } = line;
    const found = bulletsOf(visible);
    if (found === undefined) return undefined;
    const { end, ...bullet } = found;
    const match = at(BOX, visible, end) ?? at(TIGHT, visible, end);
    if (match === null) {
      if (at(BROKEN, visible, end) !== null) {
        this.warn(line, 'a box has no mark, or several', visible.slice(end, end + 5));
      } else if (at(LETTER, visible, end) !== null) {
        this.warn(
          line,
          'a letter in brackets does not count as a box',
          visible.slice(end, end + 3),
        );
      }
      return { ...bullet, text: visible.slice(end).trim() };
    }
    const mark = match[1] ?? '';
    const close = end + match[0].length;
    // Some tools mark optional items so: `- [ ]* 2.2 …`.
    const words = visible.slice(close).replace(/^\*[ \t]/, '');
    const rest = { ...bullet, text: words.trim() };
    if (!line.raw.startsWith(visible.slice(0, close))) {
      this.warn(line, 'a comment is in front of a box, so the box is ignored', match[0]);
      return rest;
    }
    const meaning = MEANINGS[mark];
    if (meaning === undefined)
      this.warn(line, 'a box has an unknown mark and counts as open', match[0]);
    if (close < visible.length && !/[ \t]/.test(visible[close]!))
      this.warn(line, 'no space after a box', visible.slice(end, close + 10));
    const box = { line: line.index + 1, offset: line.start + end + 1, meaning: meaning ?? 'open' };
    return { ...rest, box };
  }

  /** Notes what a person may take for a box. */
  private missed(line: Line): void {
    const { visible, kind } = line;
    if (!visible.includes('[')) return;
    if (kind === 'heading' && BARE.test(`${line.title} x`)) {
      this.warn(line, 'a box in a heading is ignored', line.title.slice(0, 20));
    } else if (kind === 'indented' && this.paragraph && DEEP.test(visible)) {
      this.warn(line, 'a box is indented too far to count', visible.trim().slice(0, 20));
    } else if (kind === 'text' && this.html && DEEP.test(visible)) {
      const message = 'a box directly below an HTML tag is ignored; put a blank line between them';
      this.warn(line, message, visible.trim().slice(0, 20));
    } else if (kind === 'text' && !this.html && BARE.test(visible)) {
      const message = 'a box without a bullet and a space before it is ignored';
      this.warn(line, message, visible.trim().slice(0, 20));
    }
  }

  private warn(line: Line, message: string, found: string): void {
    this.warnings.push(
      problem({
        code: 'bad_value',
        severity: 'warning',
        file: this.file,
        line: line.index + 1,
        message,
        found: JSON.stringify(found),
        expected: '- [ ], - [x], - [~] or - [-]',
        fix: 'Write a bullet, one mark in brackets, a space and the words.',
      }),
    );
  }
}

export function readPlanLines(
  text: string,
  file: string,
): Pick<Reader, 'lines' | 'boxes' | 'warnings'> {
  const reader = new Reader(file);
  for (const line of scanMarkdown(text)) reader.add(line);
  return reader;
}

/** `text` must be the text that the boxes were read from. */
export function markBoxes(
  text: string,
  marks: readonly { readonly box: PlanBox; readonly now: BoxMeaning }[],
): string {
  const units = text.split('');
  for (const { box, now } of marks) units[box.offset] = BOX_MARKS[now];
  return units.join('');
}
