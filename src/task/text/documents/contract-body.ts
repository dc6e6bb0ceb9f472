/**
 * The body of a contract by headings; what is missing is empty. Only a code block under `## Steps` that
 * is not closed is reported: half a script must never run.
 */
import type { Criterion } from '../../core/model/contract.ts';
import type { Words } from '../../core/model/contract-body.ts';
import { unescapeBlock, unescapeComments } from '../markdown/escape.ts';
import { indentOf, type Line } from '../markdown/line-scanner.ts';
import {
  boxItemsOf,
  itemsOf,
  oneLine,
  plainTitle,
  sectionsNamed,
  sectionText,
  visibleText,
  type Item,
  type Section,
} from '../markdown/sections.ts';

export interface ContractBody extends Words {
  /** The text of the first heading of level 1; empty without one. */
  readonly heading: string;
  readonly context_files: readonly { readonly path: string; readonly line: number }[];
  /** 1-based line of a shell block that is not closed. */
  readonly openStep: number | undefined;
}

/** `said`: the title in the head, which the first heading says again, perhaps with more words. */
export function readBody(all: readonly Line[], said: string | undefined): ContractBody {
  const hasTitle = said !== undefined;
  const title = all.find((line) => line.kind === 'heading' && line.level === 1)?.title ?? '';
  const lines = hasTitle ? withoutTitle(all) : all;
  const text = (...names: string[]) => unescapeBlock(sectionText(lines, ...names));
  return {
    heading: unescapeComments(oneLine(title)),
    objective: text('Objective'),
    requirements: text('Requirements', 'Requirements Reference'),
    instructions: text('Instructions'),
    criteria: readCriteria(lines),
    context_files: readContextFiles(lines),
    // Only a brief asks.
    get rest() {
      return unescapeBlock(restOf(all, lines, said));
    },
    ...readSteps(lines),
  };
}

const TEXTS = [['Objective'], ['Requirements', 'Requirements Reference'], ['Instructions']];
const LISTS = ['Success Criteria', 'Context Files'];

/** A heading that only says what the file is. */
const FORM = /^(?:task )?contract(?:: *[a-z0-9_-]*$| *$)/;

/** The text that is read nowhere above, with its headings: background, drawings, words beside criteria and files. */
function restOf(all: readonly Line[], lines: readonly Line[], said?: string): string {
  const first = all.find(({ level }) => level === 1);
  const heading = plainTitle(first?.title ?? '');
  const isTitle = [plainTitle(said ?? heading), ''].includes(heading.replace(FORM, ''));
  const title = isTitle && (said === undefined || lines !== all) ? first : undefined;
  const texts = TEXTS.flatMap((names) => sectionsNamed(lines, ...names).slice(0, 1));
  const lists = LISTS.flatMap((name) => sectionsNamed(lines, name).slice(0, 1)).filter(isBare);
  const read = new Set([...texts, ...lists].flatMap((one) => [one.heading, ...one.lines]));
  return visibleText(all.filter((line) => line !== title && !read.has(line)));
}

/** True if nothing is there but items, and no words beside a path. */
function isBare({ heading, lines }: Section): boolean {
  const items = boxItemsOf(lines);
  const shown = lines.filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
  const isPlain = shown.length === items.reduce((sum, { below }) => sum + 1 + below.length, 0);
  // Each criterion is a line of its own: what is nested stands as it is written.
  const isFlat = ({ line, below }: Item) =>
    indentOf(line.visible).column === 0 && !below.some((one) => /^(?:[-*+]|\d+[.)])\s/.test(one));
  const isPath = ({ text, below }: Item) =>
    below.length === 0 && text.replace(/^`+|`+$/g, '') === listedPath(text);
  const isRead = plainTitle(heading.title) === 'success criteria' ? isFlat : isPath;
  return isPlain && items.every(isRead);
}

/** A task that is called Steps has none: the one heading above sections of level 2 is a title, and no section. */
function withoutTitle(lines: readonly Line[]): readonly Line[] {
  const headings = lines.filter(({ kind }) => kind === 'heading');
  const [first, ...others] = headings;
  const isTitle = first?.level === 1 && others.every(({ level }) => level !== 1);
  const hasSections = others.some(({ level }) => level === 2);
  return isTitle && hasSections ? lines.slice(lines.indexOf(first) + 1) : lines;
}

const NAMED = /^ {0,3}#[^\n]*cont(?:ract|ext)/im;
const HIDES = /<(?:!--|pre|script|style|textarea)/i;

/**
 * Whether the contract is accepted or refused without reading its body: no heading could name the task
 * or list context files, and code blocks plainly open and close. False where that takes a closer look.
 */
export function isPlainBody(body: string): boolean {
  return (!body.includes('<') || !HIDES.test(body)) && !NAMED.test(body) && fencesClose(body);
}

/** Each fence is at the start of its line, and each that opens is closed by one of the same. */
function fencesClose(body: string): boolean {
  if (body.includes('~~~')) return false;
  let open = false;
  for (let at = body.indexOf('```'); at !== -1;) {
    const end = body.indexOf('\n', at);
    const info = body.slice(at + 3, end === -1 ? body.length : end);
    if (at > 0 && body[at - 1] !== '\n') return false;
    if (open ? info !== '' : !/^[a-z]*$/.test(info)) return false;
    open = !open;
    at = end === -1 ? -1 : body.indexOf('```', end);
  }
  return !open;
}

export function itemText(item: Item): string {
  return unescapeComments(oneLine([item.text, ...item.below].join(' ')));
}

function firstSection(lines: readonly Line[], name: string): readonly Line[] {
  return sectionsNamed(lines, name)[0]?.lines ?? [];
}

function readCriteria(lines: readonly Line[]): Criterion[] {
  return boxItemsOf(firstSection(lines, 'Success Criteria'))
    .map((item) => ({ text: itemText(item), line: item.line.index + 1 }))
    .filter(({ text }) => text !== '')
    .map((criterion, index) => ({ number: index + 1, ...criterion }));
}

function readContextFiles(lines: readonly Line[]): { path: string; line: number }[] {
  return itemsOf(firstSection(lines, 'Context Files'))
    .map((item) => ({ path: listedPath(item.text), line: item.line.index + 1 }))
    .filter(({ path }) => path !== '' && path !== 'none' && path !== '(none)');
}

/** The path of a list entry: in backticks, or before a dash or a bracket with words about it. */
export function listedPath(text: string): string {
  const run = /^`+/.exec(text)?.[0];
  if (run !== undefined) {
    const end = text.indexOf(run, run.length);
    if (end !== -1) return text.slice(run.length, end).trim();
  }
  const dash = text.search(/\s(?:—|–|--)\s/);
  const path = (dash === -1 ? text : text.slice(0, dash)).trim();
  if (!path.endsWith(')')) return path;
  const bracket = path.lastIndexOf(' (');
  return bracket <= 0 ? path : path.slice(0, bracket).trim();
}

const SHELLS = new Set(['sh', 'bash', 'shell']);

function readSteps(lines: readonly Line[]): Pick<ContractBody, 'steps' | 'openStep'> {
  const steps: string[] = [];
  let open: { line: Line; code: string[]; shell: boolean } | undefined;
  for (const line of firstSection(lines, 'Steps')) {
    if (line.kind === 'fence' && line.opens) {
      if (open?.shell === true) return { steps, openStep: open.line.index + 1 };
      const word = line.title.split(/\s/)[0]?.toLowerCase() ?? '';
      open = { line, code: [], shell: SHELLS.has(word) };
    } else if (line.kind === 'fence' && open !== undefined) {
      const script = open.code.join('\n');
      if (open.shell && script.trim() !== '') steps.push(script);
      open = undefined;
    } else if (line.kind === 'code' && open !== undefined) {
      // A block inside a list is indented with it; its script is not.
      const indent = Math.min(indentOf(line.raw).length, indentOf(open.line.raw).length);
      open.code.push(line.raw.slice(indent));
    } else if (open?.shell === true) {
      return { steps, openStep: open.line.index + 1 };
    }
  }
  return { steps, openStep: open?.shell === true ? open.line.index + 1 : undefined };
}
