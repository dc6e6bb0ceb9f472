/** plan.md as data, read leniently: only a plan that is unreadable or too large is refused. */
import type { PlanDocument, PlanItem, PlanWave } from '../core/plan-document.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { conflictProblems } from '../../task/text/markdown/merge-markers.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { readPlanLines } from './boxes.ts';
import { headOf, isHeadField } from './head.ts';
import { ITEMS_MAX, itemsOf } from './items.ts';
import { labelOf } from './fields.ts';
import { outlineOf } from './outline.ts';
import { boldWaveOf, unusedText, waveOf, type Remark } from './sections.ts';
import type { Outline } from './tree.ts';
import { plainWords } from './values.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import { visibleText } from '../../task/text/markdown/sections.ts';

const PLAN_CHARS_MAX = 1024 * 1024;
const WARNINGS_MAX = 200;

export function parsePlan(text: string, file: string): Result<PlanDocument> {
  if (text.length > PLAN_CHARS_MAX) {
    const fix = 'Divide it into several plans.';
    return tooLarge(file, 1, `the plan has more than ${PLAN_CHARS_MAX} characters`, fix);
  }
  const conflicts = conflictProblems(text, file);
  if (conflicts.length > 0) return refused(conflicts);
  const front = readFrontMatter(text, file);
  if (!front.ok) return front;
  const { lines, boxes, warnings } = readPlanLines(text, file);
  const outline = outlineOf(lines);
  const { head, remarks, checkpoints } = headOf(front.value, outline);
  const { items, criteria, remarks: noted, beyond } = itemsOf(outline.drafts);
  if (beyond !== undefined) {
    const fix = 'Divide it into several plans, or nest boxes that are not separate work.';
    return tooLarge(file, beyond, `the plan has more than ${ITEMS_MAX} items`, fix);
  }
  const { title: named, ...rest } = head;
  const waves = wavesOf(outline, items).map((wave) => {
    const checkpoint = checkpoints.get(wave.number);
    return checkpoint === undefined ? wave : { ...wave, checkpoint };
  });
  const placed = inWaves(items, waves);
  const reported = [...outline.remarks, ...remarks, ...noted, ...emptyWaves(outline, placed)];
  const warned = new Set([...warnings, ...reported].map(({ line }) => line));
  reported.push(...unusedText(outline.sections, warned));
  const document: PlanDocument = {
    title: named ?? titleOf(outline),
    ...rest,
    objective: objectiveOf(outline),
    waves,
    items: placed,
    criteria,
    boxes,
    warnings: limited([...warnings, ...reported.map((one) => warning(one, file))], file),
  };
  return ok(document, document.warnings);
}

function tooLarge(file: string, line: number, message: string, fix: string): Result<never> {
  return refused({ code: 'too_large', file, line, message, fix });
}

function warning({ line, message, found, fix, refused: no }: Remark, file: string): Problem {
  return problem({
    code: 'bad_value',
    severity: no === undefined ? 'warning' : 'error',
    file,
    line,
    message,
    ...(found === '' ? {} : { found: JSON.stringify(found) }),
    fix: fix ?? (no === undefined ? MEND : 'Correct the line.'),
  });
}

const MEND = 'Correct the line, or leave it if that is what you mean.';

function limited(warnings: readonly Problem[], file: string): readonly Problem[] {
  const sorted = warnings.toSorted((a, b) => a.line - b.line);
  if (sorted.length <= WARNINGS_MAX) return sorted;
  const message = `there are ${sorted.length - WARNINGS_MAX} more warnings`;
  const last = warning({ line: sorted[WARNINGS_MAX]!.line, message, found: '' }, file);
  return [...sorted.slice(0, WARNINGS_MAX), last];
}

/** Waves of headings, and those that only items name. */
function wavesOf(outline: Outline, items: readonly PlanItem[]): PlanWave[] {
  if (items.every(({ wave }) => wave === undefined)) return [];
  const waves = new Map(outline.waves);
  for (const { wave, box } of items) {
    if (wave !== undefined && !waves.has(wave))
      waves.set(wave, { number: wave, title: `Wave ${wave}`, line: box.line });
  }
  return [...waves.values()].toSorted((a, b) => a.number - b.number);
}

/** Items before the first wave belong to it. */
function inWaves(items: readonly PlanItem[], [first]: readonly PlanWave[]): readonly PlanItem[] {
  if (first === undefined) return items;
  return items.map((item) => (item.wave === undefined ? { ...item, wave: first.number } : item));
}

/** An empty plan is reported when it is started. */
function emptyWaves(outline: Outline, items: readonly PlanItem[]): Remark[] {
  const used = new Set(items.map(({ wave }) => wave));
  const waves = items.length === 0 ? [] : [...outline.waves.values()];
  const empty = waves.filter(({ number }) => !used.has(number));
  return empty.map(({ line, title }) => ({ line, message: 'a wave has no items', found: title }));
}

function titleOf({ sections }: Outline): string {
  const first = sections.find(({ level, title }) => level === 1 && waveOf(title) === undefined);
  return plainWords(unescapeComments(first?.title ?? '')).replace(/^plan\s*:\s*/i, '');
}

/** Without the title, fields, and headings with nothing below them. */
function objectiveOf({ before, fields }: Outline): string {
  const read = new Set(fields.filter(isHeadField).map(({ line }) => line));
  const title = before.find((line) => line.level === 1);
  const kept = before.filter((line) => line !== title && !read.has(line));
  let end = kept.length;
  while (end > 0) {
    const { kind, visible } = kept[end - 1]!;
    const empty = kind === 'heading' || kind === 'blank' || kind === 'comment' || kind === 'front';
    const leads = labelOf(visible)?.value === '' || boldWaveOf(visible.trim()) !== undefined;
    if (!empty && !leads) break;
    end -= 1;
  }
  return unescapeComments(visibleText(kept.slice(0, end)).replace(/\n{3,}/g, '\n\n'));
}
