/**
 * A foreign list as the text of a plan.md. What strangers wrote is quoted or escaped, so that no box, key,
 * heading or script in it counts: reading the plan gives these items and no others. Pure.
 */
import { BOX_MARKS, waveTitle } from '../../plans/core/plan-document.ts';
import { noAttributes, type Attributes } from '../../plans/text/attributes.ts';
import { isUnclosed, takeInline } from '../../plans/text/inline.ts';
import { isCriteria } from '../../plans/text/sections.ts';
import { plainWords, takeLabel } from '../../plans/text/values.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { escapeComments, unescapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { Arranged } from '../core/arrange.ts';
import type { ForeignList } from '../core/foreign.ts';

const TITLE_CHARS_MAX = 200;
/** Entries in a line: a longer one is not read as a list. */
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

/** The items below their headings. `there`: waves that the plan has already; these come again without their text. */
export function itemsText(
  { waves = [] }: ForeignList,
  items: readonly Arranged[],
  there?: ReadonlySet<number | undefined>,
): string {
  let above: string | undefined;
  let top: number | undefined;
  let text = '';
  const told = new Set<string>();
  for (const one of items) {
    const { wave: number, headings = [], section = '' } = one.task;
    const again = there?.has(number) === true ? ' (new)' : '';
    const wave = waves.find((other) => other.number === number);
    const title = wave && waveTitle([{ ...wave, title: headingWords(wave.title) }], wave.number);
    const inner = headings.map(headingWords).join(': ');
    const key = joined([title ?? '', inner]);
    if (key !== above) {
      // An item without an inner heading comes back to the wave: else the one above would have it.
      const isOpen = wave !== undefined && top === number && inner !== '';
      const { checkpoint = '' } = (top !== number && wave) || {};
      // One word would be a mode.
      const words = /\s/.test(checkpoint) ? checkpoint : `${checkpoint} holds`;
      const asked = checkpoint === '' ? '' : `**Checkpoint**: ${inert(words)}`;
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
  const isOurs = /^[^\p{L}\p{N}]*(?:wave|squad)\b/iu.test(words) || isCriteria(words);
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

function itemWords(arranged: Arranged): string {
  const { title, objective, instructions = '', notes = [] } = arranged.task;
  const said = notes.map((note) => `${note.title}: ${note.text}`);
  // The whole title, where the plan has less of it.
  const long = plainWords(titleText(planTitle(title))) === oneLine(title) ? '' : title;
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

/** On one line, with no mark of its own. */
export function code(path: string): string {
  return `\`${path.replace(/[`\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')}\``;
}

/** One line without comments, and brackets that would be read as attributes. */
function inert(text: string): string {
  const words = escapeComments(oneLine(text));
  if (isText(words)) return words;
  // An odd number of backslashes in front would take the mark away again.
  const closed = words.replace(/\\*[(`"]/g, (found) =>
    found.length % 2 === 1 ? found.replace(/.$/, '\\$&') : found,
  );
  return isText(closed) ? closed : words.replace(/[\\`"()[\]{}:=]/g, ' ');
}

/** The reader of plans finds nothing in it, whatever other items are called. */
function isText(words: string): boolean {
  const attributes = noAttributes();
  const { text } = takeInline(words, attributes, () => true);
  return text === words && !attributes.named && !isUnclosed(words);
}

/** Plain text: in front of our own attributes the reader of plans must find these words again. */
function titleText(text: string): string {
  const words = oneLine(text).replaceAll('`', "'");
  if (/^(?:[\p{L}\p{N} ,.;/-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u.test(words)) return words;
  const tries = [words, words.replace(/[\\*_~[\]()"]/g, '\\$&')].map(escapeComments);
  // Without any mark; in front of the quote nothing is a number.
  const bare = words.replace(/[\\*_~[\](){}"<>:=#]/g, ' ').trim();
  return tries.find((one) => isRead(one, words)) ?? `“${bare}”`;
}

function isRead(written: string, words: string): boolean {
  const attributes: Attributes = noAttributes();
  const { text } = takeInline(`**${written}** (id: x, files: \`y\`)`, attributes, () => true);
  const { id, deliverables, unknown, ...others } = attributes;
  const rest = Object.values({ ...others, named: [], worked: [] }).flat();
  const isOurs = id === 'x' && deliverables.join() === 'y' && rest.length + unknown.length === 0;
  return isOurs && plainWords(unescapeComments(text)) === words;
}
