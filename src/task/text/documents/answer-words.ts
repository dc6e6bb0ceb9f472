/** Words of an answer: a form that is left as it was answers nothing. Pure. */
import { plainTitle } from '../markdown/sections.ts';

const FILLER = String.raw`(?:a?waiting|pending|unanswered|(?:none|not answered|noch offen|no (?:answer|response|reply))(?: yet)?|to-?do|tbd|tba|(?:(?:please|your|write|put|the) )*(?:answer|response|reply))\b`;

/** Behind a question or a label: where the agent wants the answer. */
const PLACE = new RegExp(
  String.raw`(?<!\s)\s+(?:\[[^[\]]*\]|<[^<>]*>|[(*_]{1,3}${FILLER}[^()*_]*[)*_]{1,3}|_{3,}|\.{3}|…)$`,
  'i',
);
const LABEL = /:[*_]*\s*$/;

const NOTHING = new RegExp(
  String.raw`^[\s>#*_+-]*(?:[?？]|…|\.{3}|to-?do|tbd|tba|[[(<]${FILLER}[^\])>]*[\])>])[\s*_:.!?？]*$`,
  'i',
);
const HEADING = /^\s*#{1,6}(?:\s+[*_]*an(?:swers?|twort)[*_:\s#]*)?$/i;
const LINE = /^\s*_{3,}\s*$/;
const FENCE = /^[\s>]*(?:`{3,}[^`]*|~{3,}.*)$/;
const BOX = /^[-*+\s]*(?:\d+[.)]\s+)?(\[[ xX]?\]|[□☐◻■☑☒✅✓✔])(?:\s+(.*))?$/u;
const OPEN = /^(?:\[ ?\]|[□☐◻])$/u;

/** Words before the place for an answer on this line; undefined where it has none. */
export function beforePlace(raw: string): string | undefined {
  const line = raw.trimEnd();
  if (LABEL.test(line)) return line;
  const stem = line.replace(PLACE, '');
  return stem.trim() === '' || stem === line ? undefined : stem;
}

/** False for placeholders, empty boxes, and code blocks and headings without words. */
export function saysSomething(answer: string): boolean {
  const lines = answer.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split('\n');
  const isEmpty = (line: string): boolean =>
    line.trim() === '' ||
    [NOTHING, HEADING, LINE, FENCE].some((one) => one.test(line)) ||
    isOpen(line);
  return !lines.every(isEmpty);
}

function isOpen(line: string): boolean {
  return OPEN.test(BOX.exec(line)?.[1] ?? '');
}

/** An option is ticked, and the words beside it name only others. */
export function contradictsItself(asked: readonly string[], answer: string): boolean {
  const lines = answer.split('\n');
  const optionsIn = (from: readonly string[]) => from.filter((line) => BOX.test(line));
  const name = (line: string): string => plainTitle(BOX.exec(line)?.[2] ?? '');
  const ticked = new Set(
    optionsIn(lines)
      .filter((line) => !isOpen(line))
      .map(name),
  );
  const words = plainTitle(lines.filter((line) => !BOX.test(line)).join(' '));
  if (ticked.size === 0 || words === '') return false;
  const names = (option: string): boolean =>
    ` ${words} `.includes(` ${option} `) || ` ${option} `.includes(` ${words} `);
  const others = optionsIn([...asked, ...lines]).map(name);
  return ![...ticked].some(names) && others.some((one) => !ticked.has(one) && names(one));
}
