/**
 * Lists of boxes in Markdown: any checklist, and the tasks.md of spec-kit and OpenSpec, whose differences
 * are a row each. The reader of plans reads them, once their headings are called as in a plan. Pure.
 */
import { BOX_MARKS, type PlanItem } from '../../plans/core/plan-document.ts';
import { parsePlan } from '../../plans/text/plan.ts';
import { isPathLike, plainWords } from '../../plans/text/values.ts';
import { isPerson } from '../../task/core/model/contract.ts';
import { ok, type Result } from '../../task/core/model/problem.ts';
import { scanMarkdown, type Line } from '../../task/text/markdown/line-scanner.ts';
import { bulletOf } from '../../task/text/markdown/sections.ts';
import { warning, type ForeignList, type ForeignTask } from '../core/foreign.ts';
import type { Words } from '../core/words.ts';
import { commandsIn } from './commands.ts';

/** A row of templates/exchange/tools.yaml. */
export interface Dialect {
  /** Pattern of the id in front of a title. */
  readonly id?: string;
  /** Dependencies in a section: none, the item before, or the items without [P]. */
  readonly order?: 'free' | 'chain' | 'marked';
  /** Its headings of the second level are waves. */
  readonly checkpoint?: 'auto' | 'interactive';
  /** "Create … in path" makes a file. */
  readonly makes?: boolean;
}

export interface ChecklistSource {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly words: Words;
  /** In tasks without waves the order goes on from wave to wave. */
  readonly to: 'plan' | 'contracts';
}

const ANY_ID = String.raw`^(?:[A-Z]{1,6}-?\d+(?:\.\d+)*[a-z]?(?=[.:)]?\s)|\d+(?:\.\d+)+[a-z]?(?=[.:)]?\s)|\d+[a-z]?(?=[.:)]\s))`;
/** A line with a box, or with words about waiting: what is wrong there is wrong in any list. */
const REPORTED =
  /^\s*(?:[-*+•]|\d+[.)])?\s*\[(?:[^\]\p{L}]{0,3}|x)\]|\b(?:depends?|dependent|blocked)\b/iu;

export function readChecklist(source: ChecklistSource, dialect: Dialect): Result<ForeignList> {
  const { name, file, text, words } = source;
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const read = parsePlan(asPlan(plain, dialect, words), file);
  if (!read.ok) return read;
  const { items, boxes, title, objective, waves, warnings, criteria } = read.value;
  const [about = '', ...early] = objective.split(/\n(?=## )/);
  const top = items[0]?.headings?.join();
  const first = early.at(-1)?.replace(/^.*\n/, '').trim() ?? '';
  const lines = plain.split('\n');
  const problems = warnings.filter(({ line }) => REPORTED.test(lines[line - 1] ?? ''));
  const marked = markedItems(items, lines, dialect, (line, found) =>
    problems.push(warning({ file, line }, 'two_states', 'a number is there twice', found)),
  );
  const idOf = new Map(marked.map(({ item, id }) => [item.key, id]));
  const waits = waitsOf(marked, dialect, source.to);
  const starts = boxes.map((box) => box.line);
  const tasks = marked.map((one): ForeignTask => {
    const { item, id, marks, struck } = one;
    const { line, meaning: mark } = item.box;
    const own = new Set(item.criteria.map(({ box }) => box.line));
    while ((starts[0] ?? Infinity) <= line || own.has(starts[0] ?? 0)) starts.shift();
    const end = starts[0] ?? Infinity;
    const block = lines.slice(line - 1, end - 1);
    const heading = block.findIndex((words_) => /^#{1,6}\s/.test(words_));
    const later = item.headings?.find((words_) => words.heading(words_) === 'later');
    const isParked = mark === 'open' && later !== undefined;
    const meaning = struck || mark === 'dropped' ? 'dropped' : isParked ? 'parked' : mark;
    const { reviewers, squad, category, skills, write, type, keys, context_from } = item;
    const { priority, complexity, ...more } = keys;
    const runs = item.verify.flatMap((check) => /^run:\s*(.+)$/.exec(check)?.[1] ?? []);
    const boxes_text = [lines[line - 1] ?? '', ...item.criteria.map((criterion) => criterion.text)];
    const commands = commandsIn(boxes_text, runs);
    const verify = item.verify.filter((check) => !commands.includes(check.replace(/^run:\s*/, '')));
    const labels = marks
      .filter((word) => !/^p$/i.test(word) && !isByHand(word))
      .map((word) => word.toLowerCase());
    return {
      id,
      title: one.title,
      file,
      line,
      meaning,
      priority,
      parent: idOf.get(item.within ?? ''),
      status: meaning === 'parked' ? (later ?? '') : mark === 'open' ? '' : `[${BOX_MARKS[mark]}]`,
      // In a plan the text in front of the first box is for all of it: so it goes into these items.
      objective: item.headings?.join() === top ? `${first}\n\n${one.text}`.trim() : one.text,
      criteria: criteriaOf(item.criteria),
      depends:
        item.depends.length > 0
          ? item.depends.flatMap((ref) => meant(ref, one, marked))
          : (waits.get(one) ?? []),
      complexity: complexity as ForeignTask['complexity'],
      people: marks.some(isByHand) ? ['person'] : item.executors,
      tags: [...labels, ...item.tags],
      deliverables: [...item.deliverables, ...(dialect.makes ? madeBy(one.title) : [])],
      mentions: [...item.context_files, ...item.paths],
      commands,
      others: { reviewers, squad, category, skills, write, type, verify, context_from, ...more },
      wave: item.wave,
      headings:
        item.headings?.slice(0, item.wave === undefined ? undefined : -1).toReversed() ?? [],
      section: textOf(item),
      original: block
        .slice(0, heading < 0 ? undefined : heading)
        .join('\n')
        .trimEnd(),
      left: /^TXXX\b/i.test(`${id} ${one.title}`) ? 'is a placeholder' : undefined,
    };
  });
  const used = waves.filter(({ number }) => items.some(({ wave }) => wave === number));
  const whole = {
    name,
    title: title.replace(/^tasks?:\s*/i, '') || name,
    file,
    about,
    tasks,
    problems,
    original: text,
    waves: used,
  };
  return ok({ ...whole, checkpoint: dialect.checkpoint, criteria: criteriaOf(criteria) });
}

function textOf({ section_text = '', headings = [] }: PlanItem): string {
  return headings.reduce((left, heading) => left.replace(`${heading}:\n\n`, ''), section_text);
}

function criteriaOf(criteria: PlanItem['criteria']) {
  return criteria.map(({ text, box }) => ({ text, ticked: box.meaning === 'done' }));
}

/** `1.`, `Phase 1:`, `Fase 2 -`. */
const NUMBER = /^(?:\p{L}+\s*)?(?:\d+|N)\s*[.):：—–-]\s*(?=\S)/u;
const CHECKPOINT = /^(\s*[-*]?\s*(?:\*\*|__))([^*_:]{1,40})(?=:?(?:\*\*|__))/u;

/** Lines stay where they are: waves are called so, criteria and checkpoints by one word, and front matter goes. */
function asPlan(text: string, { checkpoint }: Dialect, words: Words): string {
  const lines = scanMarkdown(text);
  const headings = lines.filter(({ kind, level }) => kind === 'heading' && level <= 2);
  const hasBoxes = (from: Line): boolean => {
    const end = headings[headings.indexOf(from) + 1]?.index;
    return lines.slice(from.index, end).some((line) => bulletOf(line)?.ticked !== undefined);
  };
  let wave = 0;
  const named = lines.map((line) => {
    const { kind, level, title, raw, visible } = line;
    const meaning = kind === 'heading' ? words.heading(title) : undefined;
    const mayBe =
      kind === 'heading' && level === 2 && checkpoint !== undefined && meaning !== 'later';
    if (kind === 'front') return '';
    if (meaning === 'criteria') return `${'#'.repeat(level)} Acceptance Criteria`;
    if (mayBe && hasBoxes(line)) return `## Wave ${(wave += 1)}: ${title.replace(NUMBER, '')}`;
    const key = CHECKPOINT.exec(visible)?.[2] ?? '';
    return words.heading(key) === 'checkpoint' ? raw.replace(key, 'Checkpoint') : raw;
  });
  return named.join('\n');
}

interface Marked {
  readonly item: PlanItem;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** In brackets before the title. */
  readonly marks: readonly string[];
  readonly struck: boolean;
}

const BOX = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)+\[[^\]]\]\*?\s*/;
const MARKS = /^[.:)]?\s*((?:\[[^\]\n]{1,24}\]\s*)*)/;

function isByHand(mark: string): boolean {
  return isPerson(mark) || /^(?:m|manual)$/i.test(mark);
}

/** The id and the marks in front of each title. */
function markedItems(
  items: readonly PlanItem[],
  lines: readonly string[],
  dialect: Dialect,
  tellTwice: (line: number, id: string) => void,
) {
  const taken = new Set<string>();
  const form = new RegExp(dialect.id ?? ANY_ID, 'i');
  return items.map((item): Marked => {
    const first = (lines[item.box.line - 1] ?? '').replace(BOX, '');
    const bare = plainWords(first);
    const written = form.exec(`${bare} `)?.[0];
    const front = MARKS.exec(bare.slice(written?.length ?? 0))?.[1] ?? '';
    // The reader of plans cuts a long title, and puts the whole of it in front of the text.
    const [long = '', ...below] = item.title.endsWith('…')
      ? item.text.split('\n')
      : ['', item.text];
    let title = plainWords(long) || item.title;
    for (const part of [written ?? '', ...front.split(/(?<=\])\s*/)]) {
      if (part !== '' && title.startsWith(part))
        title = title.slice(part.length).replace(/^[.:)]?\s+/, '');
    }
    const base = written ?? item.key;
    let id = base;
    for (let n = 2; taken.has(id.toLowerCase()); n++) id = `${base}-${n}`;
    taken.add(id.toLowerCase());
    if (id !== base) tellTwice(item.box.line, base);
    const marks = [...front.matchAll(/\[([^\]]+)\]/g)].map(([, mark = '']) => mark);
    return {
      item,
      id,
      title: title.trim() || base,
      text: below.join('\n').trim(),
      marks,
      struck: /^[*_\s]*(?:[\w.-]+[*_\s]*)?~~/.test(first),
    };
  });
}

function waitsOf(items: readonly Marked[], { order = 'free' }: Dialect, to: ChecklistSource['to']) {
  const waits = new Map<Marked, readonly string[]>();
  let [front, beside, wave]: [string[], string[], number | undefined] = [[], [], undefined];
  for (const one of items) {
    const { item, struck, marks } = one;
    if (order === 'free' || struck || item.box.meaning === 'dropped') continue;
    if (to === 'plan' && item.wave !== wave) front = beside = [];
    ({ wave } = item);
    // One that says itself what it waits for stands beside the others, too.
    const says = item.depends.length > 0;
    const isBeside = order === 'marked' && (says || marks.some((mark) => /^p$/i.test(mark)));
    waits.set(one, isBeside || beside.length === 0 ? front : beside);
    if (isBeside) beside = [...beside, one.id];
    else [front, beside] = [[one.id], []];
  }
  return waits;
}

/** Ids that a reference means; the reference itself where it means none. */
function meant(ref: string, from: Marked, items: readonly Marked[]): readonly string[] {
  const word = ref
    .replace(/^[#@`]|`$/g, '')
    .trim()
    .toLowerCase();
  const isCalled = ({ id, title, item }: Marked) =>
    [id, title, item.key, item.label].some((name) => name?.toLowerCase() === word);
  const own = items.filter(isCalled).slice(0, 1);
  const number = Number(/^(?:wave|phase)\s+(\d+)$/.exec(word)?.[1]);
  const all = /^(?:all|everything)\b/.test(word) ? items.slice(0, items.indexOf(from)) : [];
  const many = own.length > 0 ? own : [...all, ...items.filter(({ item }) => item.wave === number)];
  return many.length > 0 ? many.map(({ id }) => id) : [ref];
}

const MAKES = /^(?:create|add|write|generate|scaffold|implement|define)\b/i;
const PLACE = /\b(?:in|at|to|as|into|under)\s+`?([\w@.][\w@./-]*)`?[.,;]?(?=\s|$)/gi;

/** The last path behind "in" of what it creates. */
function madeBy(title: string): readonly string[] {
  const paths = [...title.matchAll(PLACE)].map(([, path = '']) => path.replace(/[.,;]$/, ''));
  return MAKES.test(title)
    ? paths.filter((path) => isPathLike(path) && !path.endsWith('/')).slice(-1)
    : [];
}
