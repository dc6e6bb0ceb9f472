/**
 * Edits a story: its status, ticks, and lines at the end of sections. Other text stays byte for byte, and a
 * section that was removed stays away. Pure.
 */
import { STORY_STATUSES, type StoryStatus } from '../core/story.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import {
  boxesBelow,
  bulletOf,
  withBox,
  fieldsOf,
  oneLine,
  sectionsNamed,
  sectionText,
  type Section,
} from '../../task/text/markdown/sections.ts';

export interface StoryNews {
  readonly status: StoryStatus;
  /** Criteria that are met, by their texts. */
  readonly met: readonly string[];
  /** Criteria that only the runner can judge, and that are not met now. */
  readonly unmet: readonly string[];
  /** Tasks that are done, by their texts. */
  readonly tasks: readonly string[];
  readonly files: readonly string[];
  readonly changes: readonly StoryLine[];
  readonly reviews: readonly StoryLine[];
}

/** Found again by how it begins. */
export interface StoryLine {
  readonly start: string;
  readonly rest: string;
}

/** `is_given`: as an agent handed it in. */
export function followedStory(text: string, news: StoryNews, is_given = false): string {
  let now = withStatus(is_given ? completed(text) : text, news.status);
  const met = new Set(news.met);
  now = withTicks(now, 'Acceptance Criteria', met);
  now = withTicks(now, 'Tasks', new Set(news.tasks));
  now = withTicks(now, 'Definition of Done', met, new Set(news.unmet));
  const paths = news.files.map((path) => ({ start: codeOf(path), rest: '' }));
  now = withLines(now, 'File List', paths);
  const untrue = met.has(FILES_LISTED) && !isListed(now, paths.length) ? [FILES_LISTED] : [];
  now = withTicks(now, 'Definition of Done', new Set(), new Set(untrue));
  now = withLines(now, 'QA Results', news.reviews);
  return withLines(now, 'Change Log', news.changes);
}

/** Adds the places that an agent's own story lacks to follow its task. */
function completed(text: string): string {
  const lines = scanMarkdown(text);
  const title = lines.find(({ level }) => level === 1)?.raw ?? '';
  const isSaid = fieldsOf(lines).some(({ key }) => key === 'status');
  const all = isSaid ? text : text.replace(title, () => `${title}\n\n- Status: DRAFT`);
  const isGone = (name: string): boolean => sectionsNamed(lines, name).length === 0;
  const missing = ['File List', 'QA Results', 'Change Log'].filter(isGone);
  return `${all.trimEnd()}\n${missing.map((one) => `\n## ${one}\n`).join('')}`;
}

/** A criterion that the story itself shows. */
export const FILES_LISTED = 'The file list and the dev notes are up to date';

function isListed(text: string, files: number): boolean {
  const listed = sectionsNamed(scanMarkdown(text), 'File List').flatMap(({ lines }) => lines);
  return listed.flatMap((line) => bulletOf(line) ?? []).length === files && hasNotes(text);
}

function hasNotes(text: string): boolean {
  return sectionText(scanMarkdown(text), 'Dev Notes') !== '';
}

/** Work that its executor left undone, in words. */
export function storyLeft(text: string): string {
  const tasks = boxesBelow(scanMarkdown(text), 'Tasks', oneLine);
  const open = tasks.filter(({ ticked }) => !ticked).length;
  const left = [hasNotes(text) ? '' : 'Dev Notes are empty', open && `open tasks: ${open}`];
  return left.filter(Boolean).join(', ');
}

function codeOf(path: string): string {
  return path.includes('`') ? path : `\`${path}\``;
}

const STATUS_WORD = /^(.*?status[*_\s]*:[*_\s]*)(\S*)\s*$/i;
const KNOWN: ReadonlySet<string> = new Set(['', ...STORY_STATUSES]);

/** Replaces only a known status, or none. */
function withStatus(text: string, status: StoryStatus): string {
  const known = statusIn(text);
  if (known === undefined || known.word === status) return text;
  const { at, word, gap } = known;
  return text.slice(0, at) + gap + status + text.slice(at + word.length);
}

/** undefined: a status of somebody's own. */
function statusIn(text: string): { at: number; word: string; gap: string } | undefined {
  const field = fieldsOf(scanMarkdown(text)).find(({ key }) => key === 'status');
  const parts = field === undefined ? null : STATUS_WORD.exec(field.line.raw);
  const [, before = '', word = ''] = parts ?? [];
  if (field === undefined || parts === null || !KNOWN.has(word.toUpperCase())) return undefined;
  return { at: field.line.start + before.length, word, gap: before.endsWith(':') ? ' ' : '' };
}

export function statusOf(text: string): string | undefined {
  return statusIn(text)?.word.toUpperCase();
}

/** A tick stays, except for `unmet`. */
function withTicks(
  text: string,
  name: string,
  met: ReadonlySet<string>,
  unmet: ReadonlySet<string> = new Set(),
): string {
  const lines = sectionsNamed(scanMarkdown(text), name)[0]?.lines ?? [];
  // From the last one: what comes before it stays where it is.
  return lines.reduceRight((now, line) => {
    const bullet = bulletOf(line);
    if (bullet?.ticked === undefined) return now;
    const known = unescapeComments(bullet.text);
    const holds = met.has(known);
    if (bullet.ticked === holds || !(holds || unmet.has(known))) return now;
    const { start, raw } = line;
    return now.slice(0, start) + withBox(raw, holds) + now.slice(start + raw.length);
  }, text);
}

/** Adds the missing ones at the end of the section. */
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
  // An unclosed block above would hide them, and they would be added each time.
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
