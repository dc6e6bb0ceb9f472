/**
 * The walk through the lines of a plan: which belong to which box, which say something of the plan. What
 * a box is in the end (task, group, criterion) is not asked here. It cannot fail, and takes time linear
 * in the text.
 */
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
  /** The last item that is nested in nothing: labels that are not indented are still its own. */
  private last: Draft | undefined;
  /** Such a label was seen, so that what follows it belongs to the item as well. */
  private resumed = false;
  /** Where bullets go that stand below `**Files**:`. */
  private listing: { draft: Draft; key: AttributeKey } | undefined;
  private criterionOf: Draft | 'plan' | undefined;
  /** With labels that are not ours: plain fields behind one are part of its words. */
  private readonly labelled = new Set<Draft>();
  /** The line before is blank. */
  private gap = false;
  /** The draft whose title the next line continues. */
  private continued: Draft | undefined;
  /** How many of the next lines may close the brackets that the title opened. */
  private unclosed = 0;
  /** The line before is words, so that the next one may be part of their paragraph. */
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
    if (draft !== undefined) this.tellMistyped(draft, line, words);
    if (this.continued !== undefined && this.continued === draft) draft.paragraph.push(words);
    else this.keep(line);
    this.words = true;
    this.listing = undefined;
    if (draft === undefined && !this.resumed) this.outside(line, words);
  }

  private tellMistyped(draft: Draft, line: Line, words: string): void {
    if (this.labelled.has(draft)) return;
    const label = labelOf(words);
    const wait = this.words && !this.gap ? [] : unreadWait(words);
    for (const message of label === undefined ? wait : mistyped(label))
      this.remarks.push(remark(line, message, words));
  }

  /** A line that says something of an item, or begins words of its own below it. */
  private label(line: Line, words: string, column: number): boolean {
    const label = labelOf(words);
    if (label === undefined || !(label.bold || keyOf(label) !== undefined)) return false;
    const held = this.nesting.holding(column);
    const own = this.nesting.isOwn(column);
    const near = this.gap ? undefined : this.nesting.first;
    const draft = held ?? near ?? (label.bold ? this.last : undefined);
    if (draft === undefined) return false;
    if (held === undefined && label.bold) this.resumed = true;
    this.nesting.outdent(held === undefined ? draft.bullet.inside : column);
    this.continued = undefined;
    this.words = true;
    this.below(draft, line, words, own);
    return true;
  }

  /** Words below an item: a field, an entry of the list below one, or just words. */
  private below(draft: Draft, line: Line, words: string, own: boolean): void {
    const label = labelOf(words);
    // Steps and what is nested in them have words of their own.
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
    // What is said about references is for whoever works on it.
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

  /** Code, quotes and HTML: words of the item that they are nested in. */
  private other(line: Line): void {
    // However far it is indented, a line without a blank one before it goes on with the paragraph.
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

  /** Adds a line to the words of the item that it is nested in, or to those of its section. */
  private keep(line: Line): void {
    const draft = this.nesting.draft ?? (this.resumed ? this.last : undefined);
    if (draft === undefined && this.drafts.length > 0) this.places.words(line);
    if (draft === undefined || (line.kind === 'blank' && draft.parts.at(-1) === '')) return;
    const raw = line.kind === 'code' ? line.raw : line.visible;
    draft.parts.push(dedent(raw, draft.bullet.inside));
  }
}

/** With a number or attributes: an item, and not what the one before is measured by. */
function isOwn({ number, text }: PlanBullet): boolean {
  if (number !== undefined) return true;
  const attributes = noAttributes();
  takeInline(text, attributes);
  const { label } = takeLabel(plainWords(text.slice(0, LABEL_CHARS_MAX)));
  return attributes.named || label !== undefined;
}
