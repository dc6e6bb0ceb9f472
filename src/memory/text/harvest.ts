/** Lines of `## Learnings` as agents write them: `[correction] Use Zod. (confidence 0.9; entities: library:zod; tags: a, b)`. Pure. */
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { isLearningType, type Learning } from '../core/learning.ts';

export type Harvested = Pick<Learning, 'type' | 'information' | 'entities' | 'tags' | 'confidence'>;

const TYPE = /^[*_`]*[[(]?\s*([a-z]+(?:[-_ ]patterns?)?)\s*[\])]?[*_`]*\s*:?[*_`]*(?:\s+|$)/i;
const WIDE = /（(?=confidence|tag|entit)[^（）]*）[。\s]*$/i;
const BEHIND = /\s*[([]([^()[\]]*)[)\]][.。\s]*$/;
const ENTITY = /^[a-z][a-z_-]*:[^\s,;]+$/i;
const FILE = /`((?:[\w@.-]+\/)+[\w@.-]+\.\w{1,8})`/g;
export const CHARS_MAX = 600;

/** No half of a character is at its end. */
export function cut(text: string): string {
  // What is put into a brief or a form obeys no terminal.
  const plain = text.replace(/\p{Cc}/gu, (char) => escapeText(char));
  return [...plain].slice(0, CHARS_MAX).join('');
}

export const OPTION = /(?:^|\s)(?:[-*+] )?(?:\[[ x]?\]|[□☐◻■☑☒✅✓✔])(?=\s)/iu;
const OPEN = /^[-*+\s]*(?:\[ ?\]|[□☐◻])\s/u;
const WAITING = /\s*\[waiting\b[^\]]*\]\s*$/i;

/** Question and answer as one sentence: of options those that are ticked, of a list the one that is named. */
export function settledBy(question: string, answer: string): string {
  const asked = question.replace(WAITING, '').split(OPTION)[0]?.trim() || question;
  const [about = '', list = ''] = asked.split(/(?<=:) /);
  const lines = OPTION.test(answer) ? answer.split('\n') : [answer];
  const all = lines.map((line) => (OPEN.test(line) ? '' : line.replace(OPTION, '').trim()));
  const chosen = all.filter(Boolean).join(', ') || answer;
  const isOf = list.split(/, | or |\?/).some((one) => one.toLowerCase() === chosen.toLowerCase());
  const stem = (isOf ? about : asked).replace(/[.。]$/u, '');
  return `${stem.replace(/(?<![:?：？])$/u, ':')} ${chosen}`;
}

type Found = { entities: string[]; tags: string[]; confidence?: number };

/** undefined: there are no words in it. `sure`: where the line does not say how sure it is. */
export function learningIn(line: string, sure = 0.7): Harvested | undefined {
  // Signs of full width, as they are usual in some languages.
  const whole = oneLine(line).replace(WIDE, (facts) => ` ${facts.normalize('NFKC')}`);
  const [mark = '', named = ''] = TYPE.exec(whole) ?? [];
  const word = named.toLowerCase().replace(/[- ]/, '_').replace(/s$/, '');
  const type = isLearningType(word) && /[[(:]/.test(mark) ? word : undefined;
  let information = type === undefined ? whole : whole.replace(TYPE, '');
  const found: Found = { entities: [], tags: [] };
  for (let part = BEHIND.exec(information); part !== null; part = BEHIND.exec(information)) {
    if (!take(part[1] ?? '', found)) break;
    information = information.slice(0, part.index);
  }
  const files = [...information.matchAll(FILE)].map(([, path]) => `file:${path}`);
  information = cut(information.trim());
  if (!/\p{L}/u.test(information)) return undefined;
  return {
    type: type ?? 'insight',
    information,
    entities: [...new Set([...found.entities, ...files])],
    tags: found.tags,
    confidence: found.confidence ?? sure,
  };
}

/** True if the words in brackets are about the learning, and not part of it. */
function take(text: string, found: Found): boolean {
  const parts = text.split(';').map((part) => part.trim());
  const known = parts.map((part) => {
    const [, percent, number] =
      /^confidence:?\s*(?:(\d{1,3})\s*%|(\d(?:\.\d+)?))$/i.exec(part) ?? [];
    const [, key = '', rest = part] = /^(entities|entity|tags?):\s*(.*)$/i.exec(part) ?? [];
    const words = rest.split(/[,、\s]+/).filter(Boolean);
    const entities = words.filter((one) => ENTITY.test(one));
    const level = percent === undefined ? Number(number) : Number(percent) / 100;
    if (level >= 0 && level <= 1) found.confidence = level;
    else if (/^tag/i.test(key)) found.tags.push(...words.map((one) => one.replace(/^#/, '')));
    else if (entities.length > 0 && (key !== '' || entities.length === words.length))
      found.entities.push(...entities);
    else return false;
    return true;
  });
  return known.every(Boolean);
}
