/**
 * A story's file follows its task by the smallest edits: one word of its status, boxes that are ticked,
 * lines at the end of a section. What agents and people wrote stays byte for byte; a section that
 * somebody took out is not put back. Pure.
 */
import { BOX_MARKS } from '../core/plan-document.ts';
import { STORY_STATUSES, type StoryStatus } from '../core/story.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import {
  bulletOf,
  fieldsOf,
  oneLine,
  sectionsNamed,
  type Section,
} from '../../task/text/markdown/sections.ts';

export interface StoryNews {
  readonly status: StoryStatus;
  /** Texts of acceptance criteria and of the definition of done that hold. */
  readonly met: readonly string[];
  /** Those of the definition of done that the runner alone can tell, and that do not hold now. */
  readonly unmet: readonly string[];
  /** Texts of its tasks that are done. */
  readonly tasks: readonly string[];
  /** Paths, without repeats. */
  readonly files: readonly string[];
  readonly changes: readonly StoryLine[];
  readonly reviews: readonly StoryLine[];
}

/** A line of a log, found again by what it begins with. */
export interface StoryLine {
  readonly start: string;
  readonly rest: string;
}

export function followedStory(text: string, news: StoryNews): string {
  let now = withStatus(text, news.status);
  const met = new Set(news.met);
  now = withTicks(now, 'Acceptance Criteria', met);
  now = withTicks(now, 'Tasks', new Set(news.tasks));
  now = withTicks(now, 'Definition of Done', met, new Set(news.unmet));
  const paths = news.files.map((path) => ({ start: codeOf(path), rest: '' }));
  now = withLines(now, 'File List', paths);
  now = withLines(now, 'QA Results', news.reviews);
  return withLines(now, 'Change Log', news.changes);
}

function codeOf(path: string): string {
  return path.includes('`') ? path : `\`${path}\``;
}

const STATUS_WORD = /^(.*?status[*_\s]*:[*_\s]*)(\S*)\s*$/i;
const KNOWN: ReadonlySet<string> = new Set(['', ...STORY_STATUSES]);

/** Only a word of ours, or none, is replaced: anything else is somebody's own. */
function withStatus(text: string, status: StoryStatus): string {
  const known = statusIn(text);
  if (known === undefined || known.word === status) return text;
  const { at, word, gap } = known;
  return text.slice(0, at) + gap + status + text.slice(at + word.length);
}

/** Where one of the words of ours stands, or none of anybody's. */
function statusIn(text: string): { at: number; word: string; gap: string } | undefined {
  const field = fieldsOf(scanMarkdown(text)).find(({ key }) => key === 'status');
  const parts = field === undefined ? null : STATUS_WORD.exec(field.line.raw);
  const [, before = '', word = ''] = parts ?? [];
  if (field === undefined || parts === null || !KNOWN.has(word.toUpperCase())) return undefined;
  return { at: field.line.start + before.length, word, gap: before.endsWith(':') ? ' ' : '' };
}

/** One of the words of ours; undefined where somebody wrote his own. */
export function statusOf(text: string): string | undefined {
  return statusIn(text)?.word.toUpperCase();
}

/** A box that somebody ticked is left as it is, but for `unmet`. */
function withTicks(
  text: string,
  name: string,
  met: ReadonlySet<string>,
  unmet: ReadonlySet<string> = new Set(),
): string {
  const lines = sectionsNamed(scanMarkdown(text), name)[0]?.lines ?? [];
  return lines.reduce((now, line) => {
    const bullet = bulletOf(line);
    if (bullet?.ticked === undefined) return now;
    const known = unescapeComments(bullet.text);
    const holds = met.has(known);
    if (bullet.ticked === holds || !(holds || unmet.has(known))) return now;
    const at = line.start + line.raw.search(/\[[ xX]\]/) + 1;
    return now.slice(0, at) + BOX_MARKS[holds ? 'done' : 'open'] + now.slice(at + 1);
  }, text);
}

/** At the end of the section, those that it has not. */
function withLines(text: string, name: string, wanted: readonly StoryLine[]): string {
  const lines = scanMarkdown(text);
  const section = sectionsNamed(lines, name)[0];
  if (section === undefined) return text;
  const missing = wanted.filter(({ start }) => !hasLine(section, start));
  if (missing.length === 0) return text;
  const last = section.lines.findLast((line) => line.raw.trim() !== '') ?? section.heading;
  const eol = lines.find((line) => line.eol !== '')?.eol || '\n';
  const gap = bulletOf(last) === undefined ? eol : '';
  const body = missing.map(({ start, rest }) => `- ${oneLine(start + rest)}`).join(eol);
  const at = last.start + last.raw.length + last.eol.length;
  const before = last.eol === '' ? eol : '';
  const next = lines[last.index + 1];
  const after = next === undefined || next.kind === 'blank' ? '' : eol;
  const edited = `${text.slice(0, at)}${before}${gap}${body}${eol}${after}${text.slice(at)}`;
  // Where something that is open above swallows them, they would be added again and again.
  const [now] = sectionsNamed(scanMarkdown(edited), name);
  return missing.every(({ start }) => hasLine(now, start)) ? edited : text;
}

function hasLine(section: Section | undefined, start: string): boolean {
  const begin = oneLine(start);
  return (section?.lines ?? []).some((line) => {
    const text = bulletOf(line)?.text ?? '';
    return text.startsWith(begin) && !/^[\p{L}\p{N}]/u.test(text.slice(begin.length));
  });
}
