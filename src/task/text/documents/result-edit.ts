/** result.md, edited by the runner: it ticks or adds criteria that it has proved itself. */
import { escapeComments } from '../markdown/escape.ts';
import { tickBox } from './edit.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { parseResult } from './result.ts';
import { boxItemsOf, oneLine, plainTitle, sectionsNamed } from '../markdown/sections.ts';

export interface ProvedCriterion {
  readonly text: string;
  readonly evidence: string;
}

const HEADING = 'Success Criteria';

/** Undefined when nothing is to be done, or when the file would not be read so afterwards. */
export function tickProved(text: string, proved: readonly ProvedCriterion[]): string | undefined {
  const edited = proved.reduce(tickOne, text);
  const ticked = new Set(
    parseResult(edited).criteria.flatMap((one) => (one.ticked ? [same(one.text)] : [])),
  );
  const isRead = proved.every((one) => ticked.has(same(one.text)));
  return edited !== text && isRead ? edited : undefined;
}

/** As the person says it who did the work: it is complete, and each criterion holds. */
export function completeResult(text: string, criteria: readonly Pick<ProvedCriterion, 'text'>[]) {
  const evidence = 'approved by a person';
  const stated = text.replace(/^([-*]?\s*\**status\**:\**)[^\r\n]*/im, '$1 COMPLETE');
  const isRead = parseResult(stated).status === 'COMPLETE';
  const whole = isRead ? stated : `- Status: COMPLETE\n\n${stated}`;
  return (
    tickProved(
      whole,
      criteria.map((one) => ({ text: one.text, evidence })),
    ) ?? whole
  );
}

function tickOne(text: string, { text: criterion, evidence }: ProvedCriterion): string {
  const lines = scanMarkdown(text);
  const found = parseResult(text).criteria.find((one) => same(one.text) === same(criterion));
  if (found?.ticked === true) return text;
  const [section] = sectionsNamed(lines, HEADING);
  const items = boxItemsOf(section?.lines ?? []);
  const ticked = found && tickBox(text, found.line);
  if (ticked !== undefined) return ticked;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `- [x] ${escapeComments(oneLine(criterion))} — ${escapeComments(oneLine(evidence))}${eol}`;
  const last =
    section?.lines.findLast(({ kind }) => kind !== 'blank') ?? lines.find(isHeadingOfCriteria);
  if (section === undefined) return `${text.trimEnd()}${eol}${eol}## ${HEADING}${eol}${eol}${line}`;
  const isProse = items.length === 0 && last?.kind !== 'heading';
  if (last === undefined || isProse) return text;
  const at = last.start + last.raw.length + last.eol.length;
  const gap = last.eol === '' ? eol : '';
  return `${text.slice(0, at)}${gap}${line}${text.slice(at)}`;
}

function isHeadingOfCriteria({ kind, title }: Line): boolean {
  return kind === 'heading' && plainTitle(title) === HEADING.toLowerCase();
}

function same(text: string): string {
  return oneLine(text).replace(/[*_`]/g, '').replace(/\.$/, '').toLowerCase();
}
