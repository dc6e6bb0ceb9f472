/** Text of a plan that looks like attributes: keys with a typo, other brackets, dependencies in prose. Pure. */
import { nearest } from '../../task/core/base/nearest.ts';

/** Close to a key, and ordinary words. */
const ORDINARY = new Set(
  'review reviews reviewed execution executed executes verified verifies dependent dependents filed fills still stills outputs'.split(
    ' ',
  ),
);

/** The nearest name with the same first letter; short names allow fewer typos. */
export function nearName(word: string, names: readonly string[]): string | undefined {
  const plain = word.trim().toLowerCase();
  if (ORDINARY.has(plain) || !/^[a-z][a-z _-]+$/.test(plain)) return undefined;
  const alike = names.filter((name) => name.length > 4 && name[0] === plain[0]);
  const known = alike.map((name) => name.replaceAll(' ', '_'));
  const long = known.filter((name) => name.length > 6);
  const near = nearest(plain, known, 1) ?? nearest(plain, long);
  return near?.replaceAll('_', ' ');
}

const WITHOUT_COLON =
  /\((executors?|agent|assignee|reviewers?|verify|skills?|category|squad|files|deliverables|wave|id)[ \t]+(@?[^\s():]{1,40})([^()]{0,200})\)/gi;

function withoutColons(text: string): string[] {
  return [...text.matchAll(WITHOUT_COLON)].flatMap(([all, key = '', value = '', rest = '']) => {
    const meant = /^(?:@|#?\d)/.test(value) || /[,;]\s*[a-z][a-z _-]{0,23}:/i.test(rest);
    return meant ? [`${all} is ignored, a colon is missing: (${key}: ${value}${rest})`] : [];
  });
}

const KEY =
  '(executors?|assignees?|reviewers?|verify|depends(?: on)?|blocked (?:by|on)|skills|squad|files|deliverables|wave)';
/** `[executor: person]`, `{executor: person}`, `(executor = person)`, and after a dash; not a link. */
const OTHER_MARKS = [
  new RegExp(String.raw`\[${KEY}[ \t]{0,4}[:=][ \t]{0,4}([^\[\]{}()\n]{1,120})\](?![(\[:])`, 'gi'),
  new RegExp(String.raw`\{${KEY}[ \t]{0,4}[:=][ \t]{0,4}([^\[\]{}()\n]{1,120})\}`, 'gi'),
  new RegExp(String.raw`\(${KEY}[ \t]{0,4}=[ \t]{0,4}([^\[\]{}()\n]{1,120})\)`, 'gi'),
  /(?<=[ \t])[-–—|][ \t]{1,4}[*_]{0,2}(executors?|assignees?|reviewers?|files|deliverables|depends(?: on)?|blocked (?:by|on)|squad)[*_]{0,2}:[*_]{0,2}[ \t]{1,4}([^\n]{1,120})$/gim,
];

const MENTION = /(?<=[^\s:][ \t]{1,4})@([a-z][\w/-]{0,60})[ \t.]{0,4}$/i;

function otherMarks(text: string): string[] {
  // Code in backticks is an example.
  const visible = text.replace(/`[^`\n]{0,200}`/g, (code) => '`'.repeat(code.length));
  const [, agent] = MENTION.exec(visible) ?? [];
  const meant =
    agent === undefined
      ? []
      : [`@${agent} does not name an executor there; write (executor: @${agent})`];
  const marks = OTHER_MARKS.flatMap((pattern) =>
    [...visible.matchAll(pattern)].map(({ 0: all, 1: key = '', 2: value = '', index }) => {
      const end = index + all.length - (pattern === OTHER_MARKS[3] ? 0 : 1);
      const whole = text.slice(index, index + all.length);
      const own = text.slice(end - value.length, end);
      return `${whole} is ignored; attributes need round brackets: (${key}: ${own.trim()})`;
    }),
  );
  return [...marks, ...meant];
}

const SURE = /^(?:depends?(?: on)?|dependent on|blocked (?:by|on))(?!\w|[*_\s]*[:=])[*_\s]*\w/i;
const MAYBE =
  /^(?:after|once|following|needs|requires?|prerequisites?|dependenc(?:y|ies)|deps?|wait(?:s|ing)? (?:for|on))\b/i;
const NAMED = /\b(?:T-?\d{2,5}|(?:task|item|step|wave|phase)s?\s{1,4}#?\d)/i;

/** `depends on the API`, `once T012 is done`. */
export function isWait(words: string): boolean {
  const begin = words.replace(/^[\s*_]{1,20}/, '').slice(0, 300);
  const visible = begin.replace(/\s+/g, ' ');
  return SURE.test(visible.replaceAll('`', 'x')) || (MAYBE.test(visible) && NAMED.test(visible));
}

/** A sentence may begin with a time, such as `After …`. */
export function unreadWait(line: string): string[] {
  return !/^(?:after|once|following)\b/i.test(line) && isWait(line) ? [notRead(line)] : [];
}

export function notRead(words: string): string {
  const shown = words.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `"${shown}" does not count as a dependency; write what it waits for: (depends: T012, Title)`;
}

const BRACKETED = /[([{]([^()[\]{}]{1,300})(?=[()[\]{}]|$)(?!\][([:])/g;
const TAIL = /(?<=[ \t])(?:[-–—|]|--)[ \t]{1,4}(?=(\S[^\n]{0,300}))/g;

function unreadWaits(text: string): string[] {
  const visible = text.replace(/`[^`\n]{0,200}`/g, (code) => (code.includes(' ') ? '' : code));
  const found = [BRACKETED, TAIL].flatMap((form) => [...visible.matchAll(form)]);
  return found.flatMap(({ 1: words = '' }) => (isWait(words) ? [notRead(words)] : []));
}

export function unreadAttributes(text: string): string[] {
  return [...withoutColons(text), ...otherMarks(text), ...unreadWaits(text)];
}
