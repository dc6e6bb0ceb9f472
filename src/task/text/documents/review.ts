/**
 * review.md and blocked.md: what a reviewer or a person decided. A verdict counts only when it is given
 * exactly once in a form that can be read; none, two or a contradiction is undecided.
 */
import {
  VERDICTS,
  type BlockedDocument,
  type ReviewDocument,
  type UnreadLine,
  type Verdict,
} from '../../core/model/documents.ts';
import { isLineComment } from './line-comments.ts';
import { unescapeComments } from '../markdown/escape.ts';
import { conflictProblems } from '../markdown/merge-markers.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import {
  boxItemsOf,
  boxesBelow,
  bulletOf,
  fieldsOf,
  oneLine,
  plainTitle,
  sectionText,
  sectionsNamed,
  visibleText,
  type Box,
} from '../markdown/sections.ts';
import { boxVerdict, placeOf, keywordOf, verdictWord, wordsBehind } from './status-words.ts';

/** The boxes under `## Verdict` that name a verdict; `word` is null when it cannot be read. */
export function verdictBoxes(lines: readonly Line[]): Box<Verdict | null>[] {
  const below = new Map(boxItemsOf(lines).map((item) => [item.line, item.below.join(' ')]));
  return boxesBelow(lines, 'Verdict', boxVerdict).map((box) => {
    const isLimited = box.word === 'APPROVED' && LIMITING.test(below.get(box.line) ?? '');
    return isLimited ? { ...box, word: null } : box;
  });
}

/** Words in the lines of an approval that may be a condition. */
const LIMITING =
  /\b(?:but|except|if|once|only|provided|unless|until|wenn|falls|sobald|nur|aber)\b/i;

interface Unboxed {
  readonly line: Line;
  /** undefined: a verdict that cannot be read. */
  readonly word: Verdict | undefined;
}

/** Verdicts in a heading `Verdict: …`, or below `Verdict`, alone on a line or as a field. */
function unboxedVerdicts(lines: readonly Line[]): readonly Unboxed[] {
  const inHeadings = lines.flatMap((line): Unboxed[] => {
    const text = line.kind === 'heading' ? HEADING_VERDICT.exec(line.title)?.[1] : undefined;
    return text === undefined ? [] : [{ line, word: verdictWord(text) }];
  });
  const below = sectionsNamed(lines, 'Verdict').flatMap((section) => [
    ...fieldsOf(section.lines)
      .filter(({ key }) => key === 'verdict')
      .map(({ line, value }) => ({ line, word: verdictWord(value) })),
    ...section.lines.flatMap((line, at): Unboxed[] => {
      const text = line.visible.replace(/^[\s>]+/, '');
      const isWord = /^(?:text|quote)$/.test(line.kind) && !/^(?:[-*+]|\d+[.)])\s/.test(text);
      const word = isWord ? verdictWord(text) : undefined;
      return word === undefined ? [] : [{ line, word: ownWord(word, section.lines, at) }];
    }),
  ]);
  return [...inHeadings, ...below];
}

const HEADING_VERDICT = /^[*_`]*verdict[*_`]*\s*[:—–-]\s*(\S.*)$/i;
const CONDITION = /^\W*(?:but|except|if|once|only|provided|unless|until)\b/i;
const TAKEN_BACK =
  /\bI\s+(?:(?:take|took)\s+(?:it|that|this|(?:my|the)\s+\w+)\s+back|refuse|retract|revoke|withdraw)\b|(?:\bnot|\bnever|\bcannot|n['’]t)\s+(?:yet\s+)?(?:be\s+)?approved?\b/i;

/** True if the word is no end of a wrapped sentence. An approval is the first paragraph; in a quote, the only one. */
function ownWord(word: Verdict, lines: readonly Line[], at: number): Verdict | undefined {
  if (lines.slice(Math.max(0, at - 1), at).some(isProse)) return undefined;
  if (word !== 'APPROVED') return word;
  const behind = lines.find((line, index) => index > at && isProse(line));
  const isWrapped = behind === lines[at + 1] && behind?.kind === 'text' && !bulletOf(behind);
  if (isWrapped || lines.findIndex(isProse) !== at) return undefined;
  const isLimited = lines[at]?.kind === 'quote' || CONDITION.test(behind?.visible ?? '');
  return behind && isLimited ? undefined : word;
}

function isProse(line: Line): boolean {
  return isShown(line) && /\p{L}/u.test(line.visible) && bulletOf(line)?.ticked === undefined;
}

/** The line of `near` that takes an approval back, or the heading of a second verdict. */
function doubtOf(lines: readonly Line[], near: readonly Line[]): Line | undefined {
  const titles = lines.filter(({ title }) => /\bverdict\b/.test(plainTitle(title)));
  // Boxes of several sections are read as those of one.
  const isOther = ({ title }: Line): boolean =>
    plainTitle(title) !== 'verdict' && !HEADING_VERDICT.test(title);
  const other = near === lines ? titles[1] : titles.find(isOther);
  const refuses = ({ kind, visible }: Line, at: number): boolean =>
    kind === 'text' && TAKEN_BACK.test(`${near[at - 1]?.visible ?? ''} ${visible}`);
  return other ?? near.find(refuses);
}

/** The line where a reader looks for the verdict of a review without one. */
export function unreadVerdict(text: string): UnreadLine {
  const lines = scanMarkdown(text);
  return placeOf(
    unreadLine(lines) ??
      lines.find((one) => plainTitle(one.title) === 'verdict') ??
      fieldsOf(lines).find(({ key }) => key === 'verdict')?.line ??
      lines.find(isShown),
  );
}

/** The line that looks like a verdict and is none. */
function unreadLine(lines: readonly Line[]): Line | undefined {
  const below = sectionsNamed(lines, 'Verdict').flatMap((section) => section.lines);
  const unboxed = unboxedVerdicts(lines);
  return (
    (unboxed.find(({ word }) => word === undefined) ?? unboxed[0])?.line ??
    below.find((one) => /\[\s*[^\s\]]+\s*\]/.test(one.visible)) ??
    below.find((one) => isShown(one) && (bulletOf(one)?.ticked !== false || hasWords(one)))
  );
}

/** Behind a verdict in a box that is not ticked. */
function hasWords(line: Line): boolean {
  return wordsBehind(bulletOf(line)?.text ?? '') !== '';
}

const isShown = ({ kind }: Line): boolean => kind !== 'blank' && kind !== 'comment';

export function parseReview(text: string): ReviewDocument {
  const lines = scanMarkdown(text);
  const boxes = verdictBoxes(lines);
  const ticked = boxes.filter((box) => box.ticked);
  const readable = ticked.flatMap(({ word }) => word ?? []);
  const unboxed = unboxedVerdicts(lines);
  const keyword = keywordOf('verdict', VERDICTS, text, lines);
  const words = [...(keyword.given ? [keyword.word] : []), ...unboxed.map(({ word }) => word)];
  const fields = fieldsOf(lines).filter(({ key }) => key === 'verdict');
  const clear = unboxed.filter(({ word }) => word !== undefined);
  const hidden = new Set([...boxes, ...clear, ...fields].map(({ line }) => line));
  const all = [...words, ...ticked.map(({ word }) => word ?? undefined)];
  const isAgreed = ticked.length < 2 && all.every((word) => word === all[0]);
  const near = ticked[0] ? sectionsNamed(lines, 'Verdict').flatMap((one) => one.lines) : lines;
  const halves = conflictProblems(text, '', true)[0];
  const half = halves && lines[halves.line - 1];
  const doubt = half ?? (isAgreed && all[0] === 'APPROVED' ? doubtOf(lines, near) : undefined);
  const verdict = isAgreed && doubt === undefined ? all[0] : undefined;
  const own = verdict && verdict !== 'APPROVED' ? ticked[0] : undefined;
  const tail = own === undefined ? '' : wordsBehind(bulletOf(own.line)?.text ?? '');
  const misread = doubt ?? (ticked.find(({ word }) => word === null) ?? ticked[1])?.line;
  const isUnread = keyword.given && keyword.word === undefined;
  const field = isUnread ? lines[keyword.line - 1] : undefined;
  const unread = verdict === undefined ? (misread ?? unreadLine(lines) ?? field) : undefined;
  return {
    verdict,
    ticked: readable,
    boxes: boxes.filter(({ word }) => word !== null).length,
    findings: [tail, findingsOf(lines, hidden)].filter(Boolean).join('\n\n'),
    ...(unread === undefined ? {} : { unread: placeOf(unread) }),
  };
}

/**
 * What is under `## Findings`; without such a section, all but title, boxes and the checks that
 * the runner lists. Whatever is elsewhere is still in the file that the next attempt is given.
 */
function findingsOf(lines: readonly Line[], hidden: ReadonlySet<Line>): string {
  const sections = sectionsNamed(lines, 'Findings');
  if (sections.length > 0) {
    const inside = new Set(sections.flatMap((section) => section.lines));
    const beside = lines.filter((line) => !inside.has(line) && isLineComment(line));
    const texts = sections.map((section) => visibleText(section.lines));
    return [...texts, visibleText(beside)].join('\n\n').trim();
  }
  const written = sectionsNamed(lines, 'Checks', 'Evidence', 'Files changed');
  const checks = new Set(written.flatMap((section) => [section.heading, ...section.lines]));
  const left = lines.filter(
    (line) =>
      !hidden.has(line) &&
      !checks.has(line) &&
      !(line.kind === 'heading' && (line.level === 1 || plainTitle(line.title) === 'verdict')),
  );
  return visibleText(left);
}

/** The heading of the slot in blocked.md; everything below it is the resolution. */
export function resolutionHeading(lines: readonly Line[]): Line | undefined {
  return lines.find((line) => line.level === 2 && plainTitle(line.title) === 'resolution');
}

export function parseBlocked(text: string): BlockedDocument {
  const lines = scanMarkdown(text);
  const heading = resolutionHeading(lines);
  if (heading === undefined) return { resolution: '' };
  // Read on its own: what is above cannot hide it.
  const end = heading.start + heading.raw.length + heading.eol.length;
  const below = scanMarkdown(text.slice(end), { whole: false });
  const [why = ''] = sectionText(lines, 'Why It Stopped').split(/\n\s*\n/);
  return { resolution: unescapeComments(visibleText(below)), why: oneLine(why) };
}
