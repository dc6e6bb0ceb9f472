/**
 * review.md and blocked.md: what a reviewer or a person decided. A verdict counts only when it is
 * given exactly once in a form that can be read; none, two or a contradiction is undecided. Never
 * fails.
 */
import { VERDICTS } from '../core/documents.ts';
import type { BlockedDocument, ReviewDocument, Verdict } from '../core/documents.ts';
import { unescapeComments } from './block.ts';
import { scanMarkdown, type Line } from './markdown.ts';
import { bulletOf, fieldsOf, plainTitle, sectionsNamed, visibleText } from './sections.ts';
import { boxVerdict, saidWord } from './words.ts';

export interface VerdictBox {
  readonly line: Line;
  readonly verdict: Verdict;
  readonly ticked: boolean;
}

/** The boxes under `## Verdict` that name a verdict. */
export function verdictBoxes(lines: readonly Line[]): VerdictBox[] {
  const boxes: VerdictBox[] = [];
  for (const section of sectionsNamed(lines, 'Verdict')) {
    for (const line of section.lines) {
      const bullet = bulletOf(line);
      if (bullet?.ticked === undefined) continue;
      const verdict = boxVerdict(bullet.text);
      if (verdict !== undefined) boxes.push({ line, verdict, ticked: bullet.ticked });
    }
  }
  return boxes;
}

export function parseReview(text: string): ReviewDocument {
  const lines = scanMarkdown(text);
  const boxes = verdictBoxes(lines);
  const ticked = boxes.filter((box) => box.ticked).map((box) => box.verdict);
  const said = saidWord('verdict', VERDICTS, text, lines);
  const hidden = new Set<Line>([
    ...boxes.map((box) => box.line),
    ...fieldsOf(lines)
      .filter((field) => field.key === 'verdict')
      .map((field) => field.line),
  ]);
  return {
    verdict: agreedVerdict(said, ticked),
    ticked,
    boxes: boxes.length,
    findings: findingsOf(lines, hidden),
  };
}

/**
 * What stands under `## Findings`; without such a section, all but title, boxes and the checks that
 * the runner lists. Whatever stands elsewhere is still in the file that the next attempt is given.
 */
function findingsOf(lines: readonly Line[], hidden: ReadonlySet<Line>): string {
  const sections = sectionsNamed(lines, 'Findings');
  if (sections.length > 0) {
    return sections
      .map((section) => visibleText(section.lines))
      .join('\n\n')
      .trim();
  }
  const checks = new Set(sectionsNamed(lines, 'Checks').flatMap((s) => [s.heading, ...s.lines]));
  const left = lines.filter(
    (line) =>
      !hidden.has(line) &&
      !checks.has(line) &&
      !(line.kind === 'heading' && (line.level === 1 || plainTitle(line.title) === 'verdict')),
  );
  return visibleText(left);
}

function agreedVerdict(
  said: { word: Verdict | undefined; said: boolean },
  ticked: readonly Verdict[],
): Verdict | undefined {
  if (ticked.length > 1) return undefined;
  if (!said.said) return ticked[0];
  return ticked.length === 0 || ticked[0] === said.word ? said.word : undefined;
}

/** The heading of the slot in blocked.md; everything below it is the resolution. */
export function resolutionHeading(lines: readonly Line[]): Line | undefined {
  return lines.find((line) => line.level === 2 && plainTitle(line.title) === 'resolution');
}

export function parseBlocked(text: string): BlockedDocument {
  const lines = scanMarkdown(text);
  const heading = resolutionHeading(lines);
  if (heading === undefined) return { resolution: '' };
  // Read on its own: what stands above cannot hide it.
  const end = heading.start + heading.raw.length + heading.eol.length;
  const below = scanMarkdown(text.slice(end), { whole: false });
  return { resolution: unescapeComments(visibleText(below)) };
}
