/**
 * A foreign list as the text of a plan.md. What strangers wrote is quoted or escaped, so that no box, key,
 * heading or script in it counts: reading the plan gives these items and no others. Pure.
 */
import { BOX_MARKS, waveTitle } from '../../plans/core/plan-document.ts';
import { attributeKey, mistypedInline } from '../../plans/text/attributes.ts';
import { isCriteria } from '../../plans/text/sections.ts';
import { plainWords, takeLabel } from '../../plans/text/values.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { escapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { Arranged } from '../core/arrange.ts';
import type { ForeignList } from '../core/foreign.ts';

const TITLE_CHARS_MAX = 200;
/** Of a line: a longer one is not read as a list. */
const NEEDS_MAX = 40;

export function planText(list: ForeignList, items: readonly Arranged[], name: string): string {
  const { context = [], criteria = [], about = '', checkpoint, file } = list;
  const boxes = criteria.map(({ text, ticked }) => `- [${ticked ? 'x' : ' '}] ${inert(text)}`);
  const parts = [
    `# Plan: ${titleText(list.title)}`,
    checkpoint === undefined ? '' : `Checkpoint: ${checkpoint}`,
    context.length === 0 ? '' : `**Context Files**: ${context.map(code).join(', ')}`,
    `Imported from ${code(file)}. The original is in \`.contracts/plans/${name}/original.md\`.`,
    quoted(about),
    itemsText(list, items),
    boxes.length === 0 ? '' : `## Definition of Done\n\n${boxes.join('\n')}`,
  ];
  return `${joined(parts)}\n`;
}

/** The items below their headings. `again`: behind headings that the plan has already, and without their text. */
export function itemsText(
  { waves = [] }: ForeignList,
  items: readonly Arranged[],
  again = '',
): string {
  let above: string | undefined;
  let top: number | undefined;
  let text = '';
  const told = new Set<string>();
  for (const one of items) {
    const { wave: number, headings = [], section = '' } = one.task;
    const wave = waves.find((other) => other.number === number);
    const title = wave && waveTitle([{ ...wave, title: headingWords(wave.title) }], wave.number);
    const inner = headings.map(headingWords).join(': ');
    const key = joined([title ?? '', inner]);
    if (key !== above) {
      // An item without an inner heading comes back to the wave: else the one above would have it.
      const isOpen = wave !== undefined && top === number && inner !== '';
      const { checkpoint = '' } = (top !== number && wave) || {};
      const asked = /\s/.test(checkpoint) ? `**Checkpoint**: ${inert(checkpoint)}` : '';
      const outer = title === undefined || isOpen ? '' : `## ${title}${again}`;
      const below = inner === '' ? '' : `${wave === undefined ? '##' : '###'} ${inner}${again}`;
      const shown = outer + below === '' ? `## Tasks${again}` : outer;
      const fresh = section.split(/\n{2,}/).filter((part) => !told.has(part));
      for (const part of fresh) told.add(part);
      const about = again === '' ? [asked, quoted(joined(fresh))] : [];
      text += `\n${joined([shown, ...about, below])}\n\n`;
    }
    [above, top] = [key, number];
    text += itemText(one);
  }
  return text.trim();
}

/** No wave, squad or criteria by its words alone. */
function headingWords(title: string): string {
  const words = titleText(title).replace(/#+$/, '').trim();
  const isOurs = /^[^\p{L}\p{N}]{0,4}(?:wave|squad)\b/iu.test(words) || isCriteria(words);
  return isOurs ? `Section: ${words}` : words;
}

/** Asked for twice: for the plan, and for the table. */
export const itemText = /* @__PURE__ */ onceFor(writeItem);

function writeItem(arranged: Arranged): string {
  const { task, id, depends, agent = '', priority = '', tags, checks } = arranged;
  const { complexity = '', deliverables = [], mentions, criteria, meaning } = task;
  const lists = {
    id: [id],
    executor: [agent],
    depends: depends.slice(0, NEEDS_MAX),
    files: deliverables.map(code),
    context: mentions.map(code),
    priority: [priority],
    complexity: [complexity],
    tags,
    verify: checks.map((check) => `\`run: ${check}\``),
  };
  const named = Object.entries(lists).map(
    ([key, all]) => [key, all.filter(Boolean).join(', ')] as const,
  );
  const keys = named.filter(([, value]) => value !== '').map(([key, value]) => `${key}: ${value}`);
  const mark = BOX_MARKS[meaning === 'done' ? 'done' : meaning === 'dropped' ? 'dropped' : 'open'];
  const below = [
    quoted(itemWords(arranged)),
    ...criteria.map(({ text }) => `- [ ] ${inert(text)}`),
  ];
  for (let at = NEEDS_MAX; at < depends.length; at += NEEDS_MAX)
    below.unshift(`- **Depends**: ${depends.slice(at, at + NEEDS_MAX).join(', ')}`);
  const lines = below.join('\n').split('\n').filter(Boolean);
  const title = `- [${mark}] **${titleText(planTitle(task.title) || id)}** (${keys.join(', ')})`;
  return [title, ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** What an agent is to read besides the title. */
function itemWords(arranged: Arranged): string {
  const { title, objective, instructions = '', notes = [] } = arranged.task;
  const said = notes.map((note) => `${note.title}: ${note.text}`);
  const long = title.length > TITLE_CHARS_MAX ? title : '';
  return joined([long, objective, instructions, ...said, factsIn(arranged)]);
}

/** Facts, and the commands that nobody took over as checks. */
export function factsIn({ task, facts, checks }: Arranged): string {
  const offered = task.commands.filter((one) => !checks.includes(one));
  return [
    ...facts,
    ...offered.map(
      (one) => `It names a command, which is a check only where \`verify\` says so: ${one}`,
    ),
  ].join('\n');
}

export function joined(parts: readonly string[]): string {
  const texts = parts.map((text) => text.trim());
  return texts.filter(Boolean).join('\n\n');
}

/** A number in front of a title is a label in a plan, and no part of it. */
export function planTitle(title: string): string {
  const words = oneLine(title);
  const short = words.length > TITLE_CHARS_MAX ? `${words.slice(0, TITLE_CHARS_MAX - 1)}…` : words;
  return takeLabel(short).title;
}

/** Each line a quote: nothing in it is a box, a key, a heading or a script. */
function quoted(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/);
  return text.trim() === '' ? '' : lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

function code(path: string): string {
  return `\`${path}\``;
}

const OPENED =
  /(?<!\\)\((?=[\s*_`]{0,6}([A-Za-z][A-Za-z _-]{0,23}?)[*_`]{0,6}[:=]|\s*(?:depend\w*|blocked|requires|after)[ \t])/gi;

/** One line without comments, and brackets that would be read as attributes. */
function inert(text: string): string {
  const isKey = (key: string) =>
    attributeKey(key, 'inline') !== undefined || mistypedInline(key).length > 0;
  return escapeComments(oneLine(text)).replace(OPENED, (mark, key?: string) => {
    return key === undefined || isKey(key) ? `\\${mark}` : mark;
  });
}

/** Plain text: what Markdown would take for marks is escaped. */
function titleText(text: string): string {
  const words = oneLine(text);
  if (/^(?:[\p{L}\p{N} ,.;/-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u.test(words)) return words;
  const isPlain = plainWords(`**${inert(words)}**`) === words;
  return inert(isPlain ? words : words.replace(/[\\`*_~[\]]/g, '\\$&'));
}
