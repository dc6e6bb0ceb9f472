/**
 * result.md and status.md as agents write them: many forms, one meaning. What cannot be read is
 * undefined or empty, so that nothing unreadable counts as success.
 */
import {
  RESULT_STATUSES,
  STATUS_WORDS,
  type ResultDocument,
  type StatusDocument,
  type TickedCriterion,
  type UnreadLine,
} from '../../core/model/documents.ts';
import { isTaskId } from '../../core/model/id.ts';
import { unescapeComments } from '../markdown/escape.ts';
import { itemText, listedPath } from './contract-body.ts';
import { readFrontMatter } from '../yaml/front-matter.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import {
  boxItemsOf,
  bulletOf,
  fieldsOf,
  itemsOf,
  oneLine,
  plainTitle,
  sectionsNamed,
  sectionText,
  type Item,
} from '../markdown/sections.ts';
import { placeOf, keywordOf, type Keyword } from './status-words.ts';

/** Words of agents for a section without entries. */
const NOTHING =
  /^[(_*]*(?:none|nothing|n\/a|todo|tbd|no (?:new )?(?:learnings?|assumptions?|decisions?)(?: needed)?)[.)_*]*$/i;

export function parseResult(text: string): ResultDocument {
  const lines = scanMarkdown(text);
  const status = keywordOf('status', RESULT_STATUSES, text, lines);
  const list = (...names: string[]) =>
    itemsOf(sectionsNamed(lines, ...names)[0]?.lines ?? [], true)
      .map(itemText)
      .filter((item) => item !== '' && !NOTHING.test(item));
  return {
    status: status.word,
    task: taskOf(text, lines),
    criteria: criteriaOf(lines),
    deliverables: itemsOf(sectionsNamed(lines, 'Deliverables')[0]?.lines ?? [])
      .map((item) => listedPath(item.text))
      .filter((path) => path !== ''),
    notes: sectionText(lines, 'Notes'),
    required_resolution: sectionText(lines, 'Required Resolution'),
    said: status.word === 'FAILED' || status.word === 'BLOCKED' ? saidIn(lines, status) : '',
    learnings: list('Learnings'),
    assumptions: list('Assumptions'),
    decisions_needed: list('Decisions Needed'),
    status_lines: status.places,
  };
}

const READ =
  'Success Criteria,Deliverables,Learnings,Assumptions,Decisions Needed,Validation,Notes,Attempted Approaches,Required Resolution,Why It Came Back';

/** Keys and titles that say why. */
const WHY =
  /\b(?:reason|why|cause|error|block(?:ed|er|ing)|fail(?:ed|ure)|problem|issue|wrong|grund|ursache|fehler)s?\b/;
const NO_WHY =
  /^(?:status|task|id|title|agent|attempt|date|time|duration|started|ended|finished|completed|created|(?:last )?updated?|branch|commit|model|version|progress|current step|why it came back)\b/;

/** Why it gave up, from the place that most surely says so to the one that least does. */
function saidIn(lines: readonly Line[], { word, reason, line }: Keyword<string>): string {
  const isWhy = (title: string) => WHY.test(plainTitle(title)) && !NO_WHY.test(plainTitle(title));
  const named = (...names: string[]) => sectionsNamed(lines, ...names).flatMap((one) => one.lines);
  const fields = fieldsOf(lines).filter(({ key }) => isWhy(key) || NO_WHY.test(key));
  const read = new Set([...named(...READ.split(',')), ...fields.map((field) => field.line)]);
  const words = lines.filter((one) => !read.has(one));
  const first = lines.find(({ level }) => level > 1)?.index ?? lines.length;
  const titles = lines.slice(first).map(({ title }) => title);
  const status = itemsOf(lines.slice(0, first)).find((item) => item.line.index === line - 1);
  const tried = 'Attempted Approaches';
  const names = ['Required Resolution', 'Decisions Needed', 'Notes', tried, 'Validation'];
  const places = [
    named(...titles.filter(isWhy)),
    words.filter(({ index }) => index < first),
    ...[...(word === 'FAILED' ? [tried] : []), ...names].map((name) => named(name)),
    words,
  ];
  const all = [
    reason && oneLine([reason, ...(status?.below ?? [])].join(' ')),
    ...fields.filter(({ key }) => isWhy(key)).map(({ value }) => value),
    ...places.map(firstWords),
    ...criteriaOf(lines).map(({ ticked, evidence }) => (ticked ? '' : evidence)),
  ];
  return all.find(saysWhy) ?? '';
}

const saysWhy = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !NOTHING.test(text);

/** The first item or paragraph that says something, without boxes; else of code and quotations. */
function firstWords(lines: readonly Line[]): string {
  const isRule = (line?: Line) => /^\s*\|[\s:|-]+$/.test(line?.raw ?? '');
  const shown = lines.filter((line, k) => !isRule(line) && !isRule(lines[k + 1]));
  const plain = shown.filter((line) => bulletOf(line)?.ticked === undefined);
  const items = itemsOf(plain, true).map(({ text, below }) => [text, ...below].join(' '));
  const others = shown.filter(({ kind }) => /^(?:code|quote|html)$/.test(kind));
  const texts = [...items, ...others.map(({ visible }) => visible)];
  return texts.map((text) => oneLine(text).replace(/^[|>]\s*|\s*\|$/g, '')).find(saysWhy) ?? '';
}

/** A status that cannot be read, or the first words of a text without one; not a blank form. */
export function unreadStatus(text: string): UnreadLine | undefined {
  const lines = scanMarkdown(text);
  const { word, given, line } = keywordOf('status', STATUS_WORDS, text, lines);
  const at = given ? lines[line - 1] : lines.find(({ kind }) => kind === 'text');
  const isBlank = at === undefined || /^\W*status\W*$/i.test(at.visible);
  return word !== undefined || isBlank ? undefined : placeOf(at);
}

function taskOf(text: string, lines: readonly Line[]): string | undefined {
  const front = readFrontMatter(text, '');
  const head = front.ok ? front.value.head : {};
  const named = [head['task'], head['task_id'], head['id']];
  const field = fieldsOf(lines).find(({ key }) => key === 'task' || key === 'task id');
  if (field !== undefined) named.push(field.value.replaceAll('`', ''));
  const title = lines.find((line) => line.kind === 'heading' && line.level === 1)?.title ?? '';
  if (title.includes(':')) named.push(title.slice(title.indexOf(':') + 1).replaceAll('`', ''));
  for (const name of named) {
    if (typeof name === 'string' && isTaskId(name.trim())) return name.trim();
  }
  return undefined;
}

/** The boxes of a text, wherever they stand. */
export function boxesIn(text: string): TickedCriterion[] {
  const lines = scanMarkdown(text);
  const boxes = boxItemsOf(lines).filter(({ ticked }) => ticked !== undefined);
  const denied = deniedLines(lines);
  return boxes.map((item, index) => criterion(item, index + 1, denied));
}

/** The boxes of the section, then boxes anywhere but in quoted findings: ticks count wherever they are. */
function criteriaOf(lines: readonly Line[]): TickedCriterion[] {
  const items = itemsOf(sectionsNamed(lines, 'Success Criteria')[0]?.lines ?? []);
  // Boxes are what was asked for; without any, the list is at least known as unticked.
  const boxes = items.filter((item) => item.ticked !== undefined);
  const counted = boxes.length > 0 ? boxes : items.filter((item) => item.text !== '');
  const quoted = sectionsNamed(lines, 'Why It Came Back').flatMap((one) => one.lines);
  const own = new Set([...quoted, ...counted.map(({ line }) => line)]);
  const whole = new Map(boxItemsOf(lines).map((item) => [item.line, item]));
  const denied = deniedLines(lines);
  const others = lines.flatMap((line): Item[] => {
    const bullet = own.has(line) ? undefined : bulletOf(line);
    return bullet?.ticked === undefined ? [] : [whole.get(line) ?? { ...bullet, line, below: [] }];
  });
  return [...counted, ...others].map((item, i) =>
    criterion(item, i < counted.length ? i + 1 : 0, denied),
  );
}

/** Titles above boxes that are not met, whatever is ticked there. `Not Mentioned` is a section of reviews. */
const DENYING =
  /^(?:not\b(?! mentioned)|un(?:met|done|finished|verified|checked|tested)\b|open\b|remaining\b|missing\b|failed\b|to ?do\b|still\b|left\b|what(?:['’]s| is) (?:missing|left|open|not)\b|nicht\b|offen\b)/i;

function deniedLines(lines: readonly Line[]): ReadonlySet<Line> {
  let level = 0;
  return new Set(
    lines.filter((line) => {
      if (line.kind === 'heading' && (level === 0 || line.level <= level)) {
        level = DENYING.test(line.title) ? line.level : 0;
      }
      return level > 0;
    }),
  );
}

const EVIDENCE = /\s(?:—|–|--|→|->)(?:\s|$)/u;
/** Words behind the dash by which a tick is none: alone, or at the beginning. */
const ALONE =
  'no|none|n/a|fail(?:s|ed|ing)?|broken|pending|to ?do|tbd|skipped|blocked|missing|open|wip|nein|offen|fehlt';
const FIRST =
  'not (?:yet|done|met|checked|tested|verified|possible|sure|there|finished|working)|' +
  'un(?:tested|verified|checked|finished|done|clear)|incomplete|partial(?:ly)?|partly|mostly|almost|nearly|' +
  '(?:noch )?nicht|teilweise|unable|' +
  "(?:(?:i|we|it|this|that) )?(?:could|can|do|does|did|is|was|has|have|had|will)(?: ?not|n['’]t)";
const REFUSED = new RegExp(
  `^[\\s*_\`("'[]*(?:[❌✗✘✖🚫⛔⚠]|(?:${ALONE})[*_\`)"'\\]]*\\s*(?:[.,;:!)—–-]|$)|(?:${FIRST})\\b)`,
  'iu',
);

function criterion(item: Item, number: number, denied: ReadonlySet<Line>): TickedCriterion {
  const at = item.text.search(EVIDENCE);
  const text = at === -1 ? item.text : item.text.slice(0, at);
  const behind = at === -1 ? '' : item.text.slice(at).trim().replace(/^\S+/, '');
  return {
    number,
    line: item.line.index + 1,
    text: unescapeComments(oneLine(text)),
    ticked: item.ticked === true && !denied.has(item.line) && !REFUSED.test(behind),
    evidence: unescapeComments(oneLine([behind, ...item.below].join(' '))),
  };
}

export function parseStatus(text: string): StatusDocument {
  const lines = scanMarkdown(text);
  const fields = fieldsOf(lines);
  const front = readFrontMatter(text, '');
  const head = front.ok ? front.value.head : {};
  const field = (name: string) => fields.find(({ key }) => key === name)?.value;
  const candidates = [
    head['current_step'],
    field('current step'),
    oneLine(sectionText(lines, 'Current Step')).replace(/^[-*+] /, ''),
    field('progress'),
  ];
  const step = candidates.find((value) => typeof value === 'string' && value.trim() !== '');
  return {
    status: keywordOf('status', STATUS_WORDS, text, lines).word,
    current_step: typeof step === 'string' ? oneLine(step) : '',
  };
}
