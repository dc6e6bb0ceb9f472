/** The headings and waves of a plan. A heading may set attributes for its items. Never fails. */
import { CONTRACT_KEYS, type PlanWave } from '../core/plan-document.ts';
import type { Line } from '../../task/text/markdown/line-scanner.ts';
import {
  addAttribute,
  noAttributes,
  type AttributeKey,
  type Attributes,
  type Wrong,
} from './attributes.ts';
import { takeInline } from './inline.ts';
import { plainWords } from './values.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';

/** From a heading to the next of the same or a higher level. */
export interface Section {
  readonly line: number;
  /** 0: before the first heading. */
  readonly level: number;
  readonly above: Section | undefined;
  /** Without attributes. */
  readonly title: string;
  /** Attributes that all items in it inherit. */
  readonly attributes: Attributes;
  /** Its boxes are criteria of the plan. */
  readonly criteria: boolean;
  /** Without those below its own headings. */
  boxes: number;
  /** True if it has a box, below its own headings too. */
  holds: boolean;
  waves: boolean;
  /** Text outside of items, after the first box of the plan; true: after a box of this section. */
  readonly words: Map<Line, boolean>;
}

export const INHERITED = [
  'squad',
  'type',
  'category',
  'wave',
  'executors',
  'reviewers',
  'verify',
  'skills',
  'tags',
  'context_files',
  ...CONTRACT_KEYS,
] as const satisfies readonly AttributeKey[];

export interface Remark {
  readonly line: number;
  readonly message: string;
  readonly found: string;
  readonly fix?: string;
  /** An error: no contracts are made. */
  readonly refused?: true;
}

export function remark(line: Line, wrong: Wrong, found: string): Remark {
  const why = typeof wrong === 'string' ? { message: wrong } : wrong;
  return { line: line.index + 1, ...why, found: found.trim().slice(0, 60) };
}

/** Text that is in no contract: the first line of each section that has no other warning. */
export function unusedText(sections: readonly Section[], warned: ReadonlySet<number>): Remark[] {
  const found = new Map<Section, Remark>();
  for (const section of sections) {
    let at = section;
    while (!at.holds && at.above?.holds === false) at = at.above;
    const lines = [...section.words].flatMap(([line, late]) => (late === at.holds ? line : []));
    const line = lines.find((one) => !warned.has(one.index + 1) && WORDS.test(one.visible));
    if (line === undefined || section.criteria || found.has(at)) continue;
    const why = at.holds ? 'after a box and not indented' : 'in a section without boxes';
    const words = remark(line, `text ${why} is in no contract`, line.visible);
    found.set(at, {
      ...words,
      fix: 'Write it directly below a heading with boxes, or in an item.',
    });
  }
  return [...found.values()];
}

/** A word outside of HTML tags. */
const WORDS = /[\p{L}\p{N}](?![^<>]{0,200}>)/u;

/** The current section and wave while lines are read. */
export class Places {
  readonly all: Section[] = [];
  readonly waves = new Map<number, PlanWave>();
  readonly remarks: Remark[] = [];
  section: Section;
  wave: number | undefined;
  /** The section of a team before its first wave. */
  early: Section | undefined;
  private readonly plainWaves: { line: Line; words: string; number: number }[] = [];
  private level = 0;
  private placed = false;

  constructor() {
    this.section = this.add({ level: 0, line: 1, title: '' }, undefined, noAttributes());
  }

  private add(
    at: Pick<Section, 'level' | 'line' | 'title'>,
    above: Section | undefined,
    attributes: Attributes,
  ): Section {
    const criteria = above?.criteria === true || isCriteria(at.title);
    const inside = { boxes: 0, holds: false, waves: false, words: new Map<Line, boolean>() };
    const section = { ...at, above, attributes, criteria, ...inside };
    this.all.push(section);
    return section;
  }

  heading(line: Line): void {
    let above: Section | undefined = this.section;
    while (above !== undefined && above.level >= line.level) above = above.above;
    const attributes: Attributes = noAttributes();
    const { wrong, text: title } = takeInline(line.title, attributes);
    const squad = title.length > 200 ? undefined : /^squad\s*:\s*(\S.*)$/i.exec(title)?.[1];
    if (squad !== undefined) addAttribute(attributes, 'squad', [squad]);
    this.section = this.add({ level: line.level, line: line.index + 1, title }, above, attributes);
    for (const message of wrong) this.remarks.push(remark(line, message, line.title));
    if (hasOthers(attributes)) {
      const message = `a heading can set only these keys for its items: ${INHERITED.join(', ')}`;
      this.remarks.push(remark(line, message, line.title));
    }
    const wave = waveOf(title);
    if (wave !== undefined) {
      this.startWave(wave, line);
      return;
    }
    if (/^[^\p{L}\p{N}]{0,4}wave\b/iu.test(title))
      this.remarks.push(remark(line, 'a heading begins with wave but has no whole number', title));
    // A wave without boxes ends with its section.
    if (!this.placed && line.level <= this.level) this.wave = undefined;
    if (attributes.squad !== undefined) this.early = this.section;
  }

  box(): void {
    this.section.boxes += 1;
    for (let at: Section | undefined = this.section; at?.holds === false; at = at.above)
      at.holds = true;
    this.placed ||= this.wave !== undefined;
  }

  words(line: Line): void {
    this.section.words.set(line, this.section.boxes > 0);
  }

  plainWave(line: Line, words: string): void {
    const number = plainWaveOf(words);
    if (number !== undefined) this.plainWaves.push({ line, words, number });
  }

  /** A line about a wave that begins elsewhere is no mistake. */
  unmarkedWaves(): Remark[] {
    return this.plainWaves
      .filter(({ number }) => !this.waves.has(number))
      .map(({ line, words, number }) => ({
        ...remark(line, 'a plain line does not begin a wave', words),
        fix: `Make it a heading: ## Wave ${number}`,
      }));
  }

  startWave({ number, title }: { number: number; title: string }, line: Line): void {
    this.wave = number;
    this.level = line.level > 0 ? line.level : this.section.level + 1;
    this.early = undefined;
    for (let at: Section | undefined = this.section; at !== undefined; at = at.above)
      at.waves = true;
    if (!this.waves.has(number)) this.waves.set(number, { number, title, line: line.index + 1 });
  }
}

function hasOthers({ depends, deliverables, write, id, unknown }: Attributes) {
  const lists = [depends, deliverables, write ?? [], unknown];
  return id !== undefined || lists.some((list) => list.length > 0);
}

const WAVE = /^[^\p{L}\p{N}]{0,4}wave[ \t]+(\d{1,4})(?![\p{L}\p{N}.])(.*)$/iu;
const BOLD_LINE = /^(?:\*\*[^*]{1,120}\*\*|__[^_]{1,120}__)[ \t]*(?:$|[:(—–-])/;

export function waveOf(title: string): { number: number; title: string } | undefined {
  if (title.length > 200 || !/wave/i.test(title)) return undefined;
  const match = WAVE.exec(plainWords(title));
  if (match === null) return undefined;
  const rest = (match[2] ?? '').replace(/^[^\p{L}\p{N}(]+/u, '').trim();
  return { number: Number(match[1]), title: rest === '' ? `Wave ${match[1]}` : rest };
}

/** In a line it must be bold: `**Wave 2** — Build`. */
export function boldWaveOf(words: string): { number: number; title: string } | undefined {
  return BOLD_LINE.test(words) ? waveOf(words) : undefined;
}

const PLAIN_WAVE = /^wave[ \t]+(\d{1,4})[ \t]{0,4}(?:$|[:(—–])/iu;

function plainWaveOf(words: string): number | undefined {
  const match = words.length > 200 ? null : PLAIN_WAVE.exec(words);
  return match === null ? undefined : Number(match[1]);
}

const CRITERIA = new Set([
  'acceptance criteria',
  'success criteria',
  'definition of done',
  'final checklist',
  'done when',
]);

/** Boxes below such a title are criteria. */
export function isCriteria(title: string): boolean {
  return title.length < 100 && CRITERIA.has(plainTitle(title));
}
