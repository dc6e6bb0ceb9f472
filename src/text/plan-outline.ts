/**
 * A plan as a tree: sections by heading, waves, boxes nested in boxes, and of each the lines that
 * belong to it. What a box is in the end (task, group, criterion) is not asked here. It cannot fail,
 * and takes time linear in the text.
 */
import type { PlanBox, PlanWave } from '../core/plan-document.ts';
import {
  addAttribute,
  attributeKey,
  fieldValues,
  noAttributes,
  pathOf,
  takeInline,
  type AttributeKey,
  type Attributes,
} from './plan-attributes.ts';
import type { PlanBullet, PlanLine } from './plan-boxes.ts';
import { boldWaveOf, isCriteria, labelOf, waveOf, type Label } from './plan-labels.ts';
import { isPathLike, plainWords, takeLabel } from './plan-values.ts';
import { indentOf, type Line } from './markdown.ts';
import { plainTitle } from './sections.ts';

/** The lines below a heading, up to the next of its level or a higher one. */
export interface Section {
  /** 0: before the first heading. */
  readonly level: number;
  readonly above: Section | undefined;
  /** What its heading and the lines before its first box say of all items in it. */
  readonly attributes: Attributes;
  /** Its heading says that its boxes are criteria of the whole plan. */
  readonly criteria: boolean;
  boxes: number;
  /** A wave begins in it. */
  waves: boolean;
}

/** A box with its words and what is nested in it. */
export interface Draft {
  readonly line: Line;
  readonly bullet: PlanBullet;
  readonly box: PlanBox;
  readonly parent: Draft | undefined;
  readonly section: Section;
  readonly wave: number | undefined;
  /** The section of a team in which no wave has begun yet: should one, this comes before it. */
  readonly early: Section | undefined;
  /** Its line, and those that follow without a blank line. */
  readonly paragraph: string[];
  /** What stands below, in order. */
  readonly parts: (string | Draft)[];
  readonly attributes: Attributes;
  /** Set beside an item, below its `**Acceptance Criteria**:` without being nested in it. */
  readonly criterionOf: Draft | 'plan' | undefined;
}

/** Something that is wrong on a line. */
export interface Remark {
  readonly line: number;
  readonly message: string;
  readonly found: string;
}

export interface Outline {
  readonly drafts: readonly Draft[];
  readonly waves: readonly PlanWave[];
  readonly sections: readonly Section[];
  /** Lines of the text before the first box. */
  readonly before: readonly Line[];
  /** Fields outside of items: `Squad`, `Checkpoint` and others, by plain key. */
  readonly fields: readonly Field[];
  readonly remarks: readonly Remark[];
}

export interface Field {
  readonly key: string;
  readonly value: string;
  readonly line: Line;
  readonly section: Section;
}

interface Open {
  readonly inside: number;
  readonly draft: Draft | undefined;
}

const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Longer ones are words. */
const FIELD_CHARS_MAX = 4000;

export function outlineOf(lines: readonly PlanLine[]): Outline {
  const walk = new Walk();
  for (const line of lines) walk.step(line);
  return walk;
}

class Walk implements Outline {
  readonly drafts: Draft[] = [];
  readonly waves: PlanWave[] = [];
  readonly sections: Section[] = [];
  readonly before: Line[] = [];
  readonly fields: Field[] = [];
  readonly remarks: Remark[] = [];

  private section: Section;
  private wave: number | undefined;
  private early: Section | undefined;
  private open: Open[] = [];
  /** The last item that is nested in nothing: fields that are not indented are still its own. */
  private last: Draft | undefined;
  /** Such a field was seen, so that what follows it belongs to the item as well. */
  private resumed = false;
  /** Where bullets go that stand below `**Files**:`. */
  private listing: { draft: Draft; key: AttributeKey } | undefined;
  private criterionOf: Draft | 'plan' | undefined;
  /** Labels below an item that are not ours: plain fields behind one are part of its words. */
  private readonly labelled = new Set<Draft>();
  private gap = false;
  /** The words of which draft the next line continues. */
  private continued: Draft | undefined;
  private words = false;

  constructor() {
    this.section = this.enter(0, undefined, '', 1);
  }

  step({ line, bullet, html }: PlanLine): void {
    if (this.drafts.length === 0 && bullet?.box === undefined) this.before.push(line);
    if (line.kind === 'front' || line.kind === 'comment') return;
    if (line.kind === 'blank') {
      this.gap = true;
      this.keep(line);
      this.continued = undefined;
      return;
    }
    if (line.kind === 'heading') this.heading(line);
    else if (bullet !== undefined) this.bullet(line, bullet);
    else if (line.kind === 'text' && !html) this.text(line);
    else this.other(line);
    this.gap = false;
  }

  private enter(level: number, above: Section | undefined, title: string, line: number): Section {
    const { attributes, wrong, text } = takeInline(title, noAttributes());
    const named = /^squad\s*:\s*(\S.*)$/i.exec(text)?.[1];
    if (named !== undefined) addAttribute(attributes, 'squad', [named]);
    const criteria = above?.criteria === true || isCriteria(text);
    const section = { level, above, attributes, criteria, boxes: 0, waves: false };
    this.sections.push(section);
    for (const message of wrong) this.remark(line, message, title);
    if (attributes.worked || attributes.depends.length + attributes.unknown.length > 0)
      this.remark(line, 'a section has only squad, type, category and wave', title);
    return section;
  }

  private remark(line: number, message: string, found: string): void {
    this.remarks.push({ line, message, found: found.trim().slice(0, 60) });
  }

  private close(): void {
    this.open = [];
    this.last = undefined;
    this.resumed = false;
    this.listing = undefined;
    this.criterionOf = undefined;
    this.continued = undefined;
    this.words = false;
  }

  private heading(line: Line): void {
    this.close();
    let above: Section | undefined = this.section;
    while (above !== undefined && above.level >= line.level) above = above.above;
    const title = line.title.length > FIELD_CHARS_MAX ? '' : line.title;
    this.section = this.enter(line.level, above, title, line.index + 1);
    this.startWave(waveOf(takeInline(title, noAttributes()).text), line);
    const { squad } = this.section.attributes;
    if (squad !== undefined && !this.section.waves) this.early = this.section;
  }

  private startWave(found: { number: number; title: string } | undefined, line: Line): boolean {
    if (found === undefined) return false;
    this.wave = found.number;
    this.early = undefined;
    for (let at: Section | undefined = this.section; at !== undefined; at = at.above)
      at.waves = true;
    if (!this.waves.some(({ number }) => number === found.number))
      this.waves.push({ ...found, line: line.index + 1 });
    return true;
  }

  /** Closes what a line at this column is not nested in. */
  private outdent(column: number): void {
    while (this.open.length > 0 && column < this.open.at(-1)!.inside) this.open.pop();
  }

  private draftAt(): Draft | undefined {
    return this.open.findLast(({ draft }) => draft !== undefined)?.draft;
  }

  private bullet(line: Line, bullet: PlanBullet): void {
    this.outdent(bullet.column);
    this.continued = undefined;
    this.words = true;
    if (bullet.box !== undefined) {
      this.box(line, bullet, bullet.box);
      return;
    }
    const draft = this.draftAt() ?? (this.resumed ? this.last : undefined);
    this.open.push({ inside: bullet.inside, draft: undefined });
    if (draft === undefined) {
      this.listing = undefined;
      if (this.startWave(boldWaveOf(bullet.text), line)) this.last = undefined;
      else this.field(line, bullet.text);
      return;
    }
    if (this.attribute(draft, line, bullet.text)) return;
    if (this.listing?.draft === draft) this.listed(line, bullet.text);
    else this.keep(line);
  }

  private box(line: Line, bullet: PlanBullet, box: PlanBox): void {
    const parent = this.draftAt();
    this.listing = undefined;
    const alone = parent === undefined;
    // A number or attributes of its own: the next item, and not what the one before is measured by.
    if (bullet.number !== undefined || takeLabel(plainWords(bullet.text)).label !== undefined)
      this.criterionOf = undefined;
    if (this.criterionOf !== undefined && takeInline(bullet.text, noAttributes()).attributes.named)
      this.criterionOf = undefined;
    const draft: Draft = {
      line,
      bullet,
      box,
      parent,
      section: this.section,
      wave: this.wave,
      early: this.early,
      paragraph: [bullet.text],
      parts: [],
      attributes: noAttributes(),
      criterionOf: alone ? this.criterionOf : undefined,
    };
    parent?.parts.push(draft);
    this.drafts.push(draft);
    this.section.boxes += 1;
    this.open.push({ inside: bullet.inside, draft });
    this.continued = draft;
    if (alone && this.criterionOf === undefined) {
      this.last = draft;
      this.resumed = false;
    }
  }

  private text(line: Line): void {
    const { column } = indentOf(line.visible);
    const words = line.visible.trim();
    if (RULE.test(line.visible) && column < (this.open[0]?.inside ?? 4)) {
      this.close();
      return;
    }
    const outside = column < (this.open[0]?.inside ?? Infinity);
    if (outside && this.startWave(boldWaveOf(words), line)) {
      this.close();
      return;
    }
    if (this.label(line, words, column)) return;
    if (this.gap || !this.words) this.outdent(column);
    const draft = this.draftAt();
    if (this.continued !== undefined && this.continued === draft) draft.paragraph.push(words);
    else this.keep(line);
    this.words = true;
    this.listing = undefined;
    if (draft === undefined && !this.resumed) this.field(line, words);
  }

  /** A line that says something of an item, or begins words of its own below it. */
  private label(line: Line, words: string, column: number): boolean {
    const label = words.length > FIELD_CHARS_MAX ? undefined : labelOf(words);
    if (label === undefined) return false;
    const held = this.open.findLast(({ draft, inside }) => draft !== undefined && inside <= column);
    const near = this.gap ? undefined : this.open.find(({ draft }) => draft !== undefined);
    const draft = held?.draft ?? near?.draft ?? (label.bold ? this.last : undefined);
    if (draft === undefined) return false;
    if (!label.bold && keyOf(label) === undefined) return false;
    if (held === undefined && label.bold) this.resumed = true;
    this.outdent(held === undefined ? draft.bullet.inside : column);
    this.continued = undefined;
    this.words = true;
    if (!this.attribute(draft, line, words)) this.keep(line);
    return true;
  }

  /** `**Executor**: @x` and its like; false when it is something else. */
  private attribute(draft: Draft, line: Line, words: string): boolean {
    const labels = words.length > FIELD_CHARS_MAX ? [] : labelsOf(words);
    const first = labels[0];
    if (first === undefined) return false;
    const key = keyOf(first);
    if (first.bold) {
      this.listing = undefined;
      const criteria = isCriteria(first.key);
      this.criterionOf = criteria && this.resumed && draft === this.last ? draft : undefined;
    }
    if (key === undefined || (!first.bold && this.labelled.has(draft))) {
      if (first.bold) this.labelled.add(draft);
      return false;
    }
    for (const label of labels) {
      const own = keyOf(label);
      if (own === undefined) continue;
      const wrong = addAttribute(draft.attributes, own, fieldValues(label.value));
      if (wrong !== undefined) this.remark(line.index + 1, wrong, words);
    }
    this.listing = first.value === '' ? { draft, key } : undefined;
    if (key !== 'context_files' || first.value !== '') return true;
    this.keep(line);
    return true;
  }

  private listed(line: Line, text: string): void {
    const { draft, key } = this.listing!;
    if (key === 'context_files') {
      if (isPathLike(pathOf(text))) addAttribute(draft.attributes, key, [text]);
      this.keep(line);
      return;
    }
    const wrong = addAttribute(draft.attributes, key, [text]);
    if (wrong !== undefined) this.remark(line.index + 1, wrong, text);
  }

  /** Outside of items: of the plan, or of the section. */
  private field(line: Line, words: string): void {
    const label = words.length > FIELD_CHARS_MAX ? undefined : labelOf(words);
    if (label === undefined) return;
    const { key, value } = label;
    this.criterionOf = isCriteria(key) ? 'plan' : undefined;
    this.fields.push({ key: plainTitle(key), value, line, section: this.section });
  }

  /** Code, quotes and HTML: words of the item that they are nested in. */
  private other(line: Line): void {
    const { column } = indentOf(line.raw);
    if (line.kind !== 'code' && !(line.kind === 'indented' && !this.gap)) this.outdent(column);
    this.continued = undefined;
    this.words = line.kind === 'indented' && this.words;
    this.keep(line);
  }

  /** Adds a line to the words of the item that it is nested in. */
  private keep(line: Line): void {
    const draft = this.draftAt() ?? (this.resumed ? this.last : undefined);
    if (draft === undefined) return;
    const raw = line.kind === 'code' ? line.raw : line.visible;
    draft.parts.push(dedent(raw, draft.bullet.inside));
  }
}

function keyOf(label: Label): AttributeKey | undefined {
  return attributeKey(label.key, label.bold ? 'bold' : 'plain');
}

const BESIDE = /\s{0,4}[|·;,]?\s{1,4}(?=\*\*[A-Za-z][A-Za-z _-]{0,24}(?::\*\*|\*\*:))/;

/** `**Executor**: @x | **Verify**: y`: more than one on a line. */
function labelsOf(words: string): Label[] {
  const parts = words.startsWith('**') ? words.split(BESIDE) : [words];
  return parts.map(labelOf).filter((label) => label !== undefined);
}

/** Without the white space of so many columns; a tab that is cut leaves blanks. */
function dedent(raw: string, columns: number): string {
  const { column, length } = indentOf(raw);
  return `${' '.repeat(Math.max(0, column - columns))}${raw.slice(length)}`;
}
