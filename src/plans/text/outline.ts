/** Collects what belongs to each box and to the plan. Never fails, in linear time. */
import type { PlanBox } from '../core/plan-document.ts';
import { indentOf, type Line } from '../../task/text/markdown/line-scanner.ts';
import { noAttributes, type AttributeKey } from './attributes.ts';
import type { PlanBullet, PlanLine } from './boxes.ts';
import {
  keyOf,
  labelOf,
  LABEL_CHARS_MAX,
  mistyped,
  readField,
  readListed,
  type FieldRead,
} from './fields.ts';
import { isUnclosed, takeInline } from './inline.ts';
import { unreadWait } from './typos.ts';
import { boldWaveOf, isCriteria, Places, remark, type Remark } from './sections.ts';
import { dedent, Nesting, type Draft, type Field, type Outline } from './tree.ts';
import { plainWords, takeLabel } from './values.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';

export function outlineOf(lines: readonly PlanLine[]): Outline {
  const walk = new Walk();
  for (const line of lines) walk.step(line);
  const { drafts, before, fields, places } = walk;
  const remarks = [...places.remarks, ...walk.remarks, ...places.unmarkedWaves()];
  return { drafts, waves: places.waves, sections: places.all, before, fields, remarks };
}

const BRACKET_LINES_MAX = 20;

class Walk {
  readonly drafts: Draft[] = [];
  readonly before: Line[] = [];
  readonly fields: Field[] = [];
  readonly remarks: Remark[] = [];
  readonly places = new Places();

  private readonly nesting = new Nesting();
  /** The last outermost item: labels without an indent are still its own. */
  private last: Draft | undefined;
  /** Such a label was found, so lines after it belong to the item, too. */
  private resumed = false;
  /** The list below a label such as `**Files**:`. */
  private listing: { draft: Draft; key: AttributeKey } | undefined;
  private criterionOf: Draft | 'plan' | undefined;
  /** Items with other labels: plain fields after one are text. */
  private readonly labelled = new Set<Draft>();
  /** The line before is blank. */
  private gap = false;
  /** The draft whose title the next line continues. */
  private continued: Draft | undefined;
  /** How many lines may still close the brackets of the title. */
  private unclosed = 0;
  /** The line before is text, so this one may continue its paragraph. */
  private words = false;

  step({ line, bullet, rule, html }: PlanLine): void {
    if (this.drafts.length === 0 && bullet?.box === undefined) this.before.push(line);
    if (line.kind === 'front' || line.kind === 'comment') return;
    if (line.kind === 'blank') {
      this.keep(line);
      this.continued = undefined;
    } else if (line.kind === 'heading') {
      this.close();
      this.places.heading(line);
    } else if (bullet !== undefined) this.bullet(line, bullet);
    else if (rule) this.rule(line);
    else if (line.kind === 'text' && !html) this.text(line);
    else this.other(line);
    this.gap = line.kind === 'blank';
  }

  private close(): void {
    this.nesting.close();
    this.last = undefined;
    this.resumed = false;
    this.listing = undefined;
    this.criterionOf = undefined;
    this.continued = undefined;
    this.words = false;
  }

  private bullet(line: Line, bullet: PlanBullet): void {
    this.nesting.outdent(bullet.column);
    this.continued = undefined;
    this.words = true;
    const { draft: parent } = this.nesting;
    const own = bullet.number === undefined && this.nesting.isOwn(bullet.column);
    const { box, inside } = bullet;
    const boxed = box === undefined ? undefined : this.box(line, bullet, box, parent);
    this.nesting.push({ inside, draft: boxed ?? parent });
    if (boxed !== undefined) return;
    const draft = parent ?? (this.resumed ? this.last : undefined);
    if (draft !== undefined) this.below(draft, line, bullet.text, own);
    else {
      this.places.plainWave(line, bullet.text);
      if (boldWaveOf(bullet.text) === undefined) this.keep(line);
      this.outside(line, bullet.text);
    }
  }

  private box(line: Line, bullet: PlanBullet, box: PlanBox, parent: Draft | undefined): Draft {
    this.listing = undefined;
    if (this.criterionOf !== undefined && isOwn(bullet)) this.criterionOf = undefined;
    const { section, wave, early } = this.places;
    const draft: Draft = {
      line,
      bullet,
      box,
      parent,
      section,
      wave,
      early,
      paragraph: [bullet.text],
      parts: [],
      attributes: noAttributes(),
      criterionOf: parent === undefined ? this.criterionOf : undefined,
      title: '',
      label: undefined,
      written: '',
      rest: '',
      kind: 'task',
    };
    parent?.parts.push(draft);
    this.drafts.push(draft);
    this.places.box();
    this.continued = draft;
    this.unclosed = isUnclosed(bullet.text) ? BRACKET_LINES_MAX : 0;
    if (parent === undefined && this.criterionOf === undefined) {
      this.last = draft;
      this.resumed = false;
    }
    return draft;
  }

  private rule(line: Line): void {
    if (indentOf(line.raw).column < (this.nesting.outermost ?? 4)) this.close();
    else this.other(line);
  }

  private text(line: Line): void {
    const { column } = indentOf(line.visible);
    const words = line.visible.trim();
    const outside = column < (this.nesting.outermost ?? Infinity);
    if (outside) this.places.plainWave(line, words);
    const wave = outside ? boldWaveOf(words) : undefined;
    if (wave !== undefined) {
      this.close();
      this.places.startWave(wave, line);
      return;
    }
    if (this.unclosed > 0 && this.continued !== undefined) {
      this.continued.paragraph.push(words);
      this.unclosed = words.includes(')') ? 0 : this.unclosed - 1;
      return;
    }
    if (this.label(line, words, column)) return;
    if (this.gap || !this.words) this.nesting.outdent(column);
    const { draft } = this.nesting;
    if (draft !== undefined) this.reportMistyped(draft, line, words);
    if (this.continued !== undefined && this.continued === draft) draft.paragraph.push(words);
    else this.keep(line);
    this.words = true;
    this.listing = undefined;
    if (draft === undefined && !this.resumed) this.outside(line, words);
  }

  private reportMistyped(draft: Draft, line: Line, words: string): void {
    if (this.labelled.has(draft)) return;
    const label = labelOf(words);
    const wait = this.words && !this.gap ? [] : unreadWait(words);
    for (const message of label === undefined ? wait : mistyped(label))
      this.remarks.push(remark(line, message, words));
  }

  /** A line with a key, or a label of the item's own text. */
  private label(line: Line, words: string, column: number): boolean {
    const label = labelOf(words);
    if (label === undefined || !(label.bold || keyOf(label) !== undefined)) return false;
    const held = this.nesting.holding(column);
    const own = this.nesting.isOwn(column);
    const near = this.gap ? undefined : this.nesting.first;
    const isOfLast = label.bold && plainTitle(label.key) !== 'checkpoint';
    const draft = held ?? near ?? (isOfLast ? this.last : undefined);
    if (draft === undefined) return false;
    if (held === undefined && label.bold) this.resumed = true;
    this.nesting.outdent(held === undefined ? draft.bullet.inside : column);
    this.continued = undefined;
    this.words = true;
    this.below(draft, line, words, own);
    return true;
  }

  /** A field, an entry of the list below one, or text. */
  private below(draft: Draft, line: Line, words: string, own: boolean): void {
    const label = labelOf(words);
    // Numbered steps and what is nested in them are text.
    if (!own && this.listing?.draft !== draft) return this.keep(line);
    if (own && label?.bold === true) {
      this.listing = undefined;
      const beside = this.resumed && draft === this.last && isCriteria(label.key);
      this.criterionOf = beside ? draft : undefined;
    }
    const { attributes } = draft;
    const plain = own && !this.labelled.has(draft);
    let read: FieldRead = own ? readField(words, attributes, plain) : { wrong: [] };
    if (read.key !== undefined) {
      this.listing = read.listing === true ? { draft, key: read.key } : undefined;
    } else if (own && label?.bold === true) {
      this.labelled.add(draft);
    } else if (this.listing?.draft === draft) {
      read = readListed(words, this.listing.key, attributes);
    }
    for (const message of read.wrong) this.remarks.push(remark(line, message, words));
    // Remarks about references are for the executor.
    const listed = read.listing === true && read.key === 'context_files';
    if (read.key === undefined || listed) this.keep(line);
  }

  private outside(line: Line, words: string): void {
    this.listing = undefined;
    const wave = boldWaveOf(words);
    if (wave !== undefined) {
      this.last = undefined;
      this.places.startWave(wave, line);
    }
    const label = labelOf(words);
    if (label === undefined) return;
    const { section } = this.places;
    this.criterionOf = isCriteria(label.key) ? 'plan' : undefined;
    this.fields.push({ ...label, line, section, late: section.boxes > 0 });
  }

  /** Code, quotes and HTML are text of the item around them. */
  private other(line: Line): void {
    // A line directly after a paragraph continues it, whatever its indent.
    const goesOn = line.kind === 'indented' && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line.visible);
    if (goesOn && this.continued !== undefined) {
      this.continued.paragraph.push(line.visible.trim());
      return;
    }
    const lazy = line.kind === 'code' || (line.kind === 'indented' && !this.gap);
    if (!lazy) this.nesting.outdent(indentOf(line.raw).column);
    this.continued = undefined;
    this.words = line.kind === 'indented' && this.words;
    this.keep(line);
  }

  /** Adds a line to the text of its item or section. */
  private keep(line: Line): void {
    const draft = this.nesting.draft ?? (this.resumed ? this.last : undefined);
    if (draft === undefined && this.drafts.length > 0) this.places.words(line);
    if (draft === undefined || (line.kind === 'blank' && draft.parts.at(-1) === '')) return;
    const raw = line.kind === 'code' ? line.raw : line.visible;
    draft.parts.push(dedent(raw, draft.bullet.inside));
  }
}

/** A number or attributes make it an item, not a criterion of the one before. */
function isOwn({ number, text }: PlanBullet): boolean {
  if (number !== undefined) return true;
  const attributes = noAttributes();
  takeInline(text, attributes);
  const { label } = takeLabel(plainWords(text.slice(0, LABEL_CHARS_MAX)));
  return attributes.named || label !== undefined;
}
