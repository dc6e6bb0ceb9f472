/** The attributes of the plan itself. What is not understood gives a warning, never a guess. */
import type { PlanDocument } from '../core/plan-document.ts';
import { nothing, plainWords } from './values.ts';
import { addAttribute, aside, attributeKey } from './attributes.ts';
import { keyOf, mistyped } from './fields.ts';
import { fieldValues } from './inline.ts';
import { nearName } from './typos.ts';
import type { Field, Outline } from './tree.ts';
import { INHERITED, isCriteria, remark, type Remark } from './sections.ts';
import { isFields } from '../../task/core/base/json.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';
import type { Located } from '../../task/text/yaml/plain-yaml.ts';

export type PlanHead = Pick<
  PlanDocument,
  | 'squad'
  | 'workflow'
  | 'inputs'
  | 'contract_type'
  | 'checkpoint'
  | 'one_at_a_time'
  | 'ask'
  | 'said_on'
> & { readonly title?: string };

type HeadKey = Exclude<keyof PlanHead, 'said_on' | 'inputs'>;

const KEYS: ReadonlyMap<string, HeadKey> = new Map([
  ['title', 'title'],
  ['plan', 'title'],
  ['squad', 'squad'],
  ['contract type', 'contract_type'],
  ['checkpoint', 'checkpoint'],
  ['checkpoints', 'checkpoint'],
  ['checkpoint mode', 'checkpoint'],
  ['one at a time', 'one_at_a_time'],
  ['ask', 'ask'],
]);

/** In a line they would be words. */
const FRONT: ReadonlyMap<string, HeadKey> = new Map([
  ['type', 'contract_type'],
  ['workflow', 'workflow'],
]);

const KNOWN = 'title, squad, workflow, inputs, contract_type, checkpoint, one_at_a_time, ask';

/** Front matter wins over lines, the first line over others. Adds to sections what their lines say. */
export function headOf(front: Located, outline: Outline) {
  const head: { -readonly [K in HeadKey]?: PlanHead[K] } = {};
  const remarks: Remark[] = [];
  const said_on: Partial<Record<HeadKey, number>> = {};
  const apply = (key: HeadKey, value: string, line: number) => {
    if (head[key] !== undefined || (nothing(value) && key !== 'checkpoint')) return;
    const wrong = take(head, key, value);
    if (wrong === undefined) said_on[key] = line;
    else remarks.push({ line, found: value.slice(0, 60), ...wrong });
  };
  /** By wave, what its checkpoint is to look at. */
  const checkpoints = new Map<number, string>();
  const waveAt = ({ line }: Field): number | undefined =>
    [...outline.waves.values()].findLast((wave) => wave.line <= line.index)?.number;
  const inputs = inputsFrom(front.head['inputs']);
  for (const name of Object.keys(front.head)) {
    const value = front.head[name];
    const line = front.places.get(name)?.line ?? 1;
    if (name === 'inputs') {
      if (inputs === undefined) remarks.push({ line, found: typeof value, ...INPUTS });
      continue;
    }
    const key = FRONT.get(name) ?? KEYS.get(plainTitle(name));
    if (key === undefined) {
      const message = `the front matter has a key that plans do not have (they have ${KNOWN})`;
      remarks.push({ line, message, found: name });
    } else if (['string', 'number', 'boolean'].includes(typeof value))
      apply(key, String(value), line);
    else if (value !== null && value !== undefined)
      remarks.push({ line, message: `${name} is not one value`, found: typeof value });
  }
  for (const field of outline.fields) {
    const key = KEYS.get(plainTitle(field.key));
    if (!isHeadField(field) || isOfSection(field)) remarks.push(...readInSection(field));
    else {
      const text = plainWords(field.value);
      if (key === 'checkpoint' && /\s/.test(aside(text)) && (field.late || waveAt(field))) {
        const wave = waveAt(field);
        if (wave === undefined) continue;
        checkpoints.set(wave, [checkpoints.get(wave) ?? '', text].join(' ').trim());
      } else if (key !== undefined && key !== 'title') {
        apply(key, field.value, field.line.index + 1);
      }
      field.section.words.delete(field.line);
    }
  }
  const title = outline.sections.find((section) => section.level === 1);
  const { squad, type } = title?.attributes ?? {};
  if (squad !== undefined) apply('squad', squad, title?.line ?? 1);
  if (type !== undefined) apply('contract_type', type, title?.line ?? 1);
  return { head: { ...head, ...(inputs && { inputs }), said_on }, remarks, checkpoints };
}

const INPUTS: Misfit = {
  message: 'inputs are not names with one value each, of at most 20,000 characters',
  fix: 'Write one a line, below inputs: and indented: name: value',
  refused: true,
};
const INPUT_CHARS_MAX = 20_000;

function inputsFrom(found: unknown): Readonly<Record<string, string>> | undefined {
  if (!isFields(found)) return undefined;
  const entries = Object.entries(found).map(([name, value]) => [name, String(value ?? '')]);
  const isOne = ([name = '', value = '']: readonly string[]): boolean =>
    /^[a-z][a-z0-9_]{0,39}$/.test(name) && value.length <= INPUT_CHARS_MAX;
  const isPlain = Object.values(found).every(
    (value) => typeof value !== 'object' || value === null,
  );
  if (!isPlain || !entries.every(isOne)) return undefined;
  return Object.fromEntries(entries) as Record<string, string>;
}

export function isHeadField(field: Field): boolean {
  return KEYS.has(plainTitle(field.key)) && plainTitle(field.key) !== 'plan';
}

function isOfSection({ key, section }: Field): boolean {
  const own = ['squad', 'contract type'].includes(plainTitle(key));
  return own && section.level > 1 && section.boxes > 0;
}

function readInSection(field: Field): Remark[] {
  const { line, section, late, value } = field;
  const { attributes, words } = section;
  const key = isOfSection(field) ? attributeKey(field.key, 'inline') : keyOf(field);
  if (key === undefined) {
    if (value === '' && isCriteria(field.key)) words.delete(line);
    return nearly(field).map((wrong) => remark(line, wrong, value));
  }
  const has = Array.isArray(attributes[key]) ? attributes[key].length > 0 : attributes[key];
  if (INHERITED.some((one) => one === key) && !late && !has) {
    words.delete(line);
    const wrong = addAttribute(attributes, key, fieldValues(value));
    return wrong.map((message) => remark(line, message, value));
  }
  const message = `${field.key} is outside of an item and is ignored`;
  return section.boxes > 0 ? [remark(line, message, value)] : [];
}

function nearly(field: Field): string[] {
  if (attributeKey(field.key, 'inline') !== undefined) return [];
  const near = field.late ? undefined : nearName(field.key, [...KEYS.keys()]);
  return near === undefined
    ? mistyped(field)
    : [`plans have no key ${field.key}; did you mean ${near}?`];
}

type Misfit = Pick<Remark, 'message' | 'fix' | 'refused'>;

const CHECKPOINT: Misfit = {
  message: 'this is not a valid checkpoint mode',
  fix: 'Write auto (no decision), interactive (a person) or an agent: Checkpoint: @po',
  refused: true,
};
const SQUADS: Misfit = {
  message: 'a plan has one squad; items of other squads name theirs',
  fix: 'Write Squad: with the first, and the others as headings above their items: ## Squad: name',
  refused: true,
};
const SEVERAL = /[,;&+]|\sand\s/i;

function take(head: { -readonly [K in HeadKey]?: PlanHead[K] }, key: HeadKey, value: string) {
  const words = plainWords(value);
  const word = nothing(words) ? 'auto' : aside(words).replace(/^@/, '');
  switch (key) {
    case 'one_at_a_time': {
      const answer = /^(?:(yes|true|on)|no|false|off)$/i.exec(words);
      if (answer === null) return { message: 'one at a time is neither yes nor no' };
      head.one_at_a_time = answer[1] !== undefined;
      return undefined;
    }
    case 'ask':
      if (!/^(?:before|off|no)$/i.test(words)) return { message: 'ask is neither before nor off' };
      head.ask = /before/i.test(words) ? 'before' : 'off';
      return undefined;
    case 'checkpoint': {
      const who = /\s/.test(word) ? undefined : checkpointOf(word);
      if (who === undefined) return CHECKPOINT;
      head.checkpoint = who;
      return undefined;
    }
    case 'title':
      head.title = words;
      return undefined;
    default:
      if (key === 'squad' && SEVERAL.test(words)) return SQUADS;
      if (word === '' || /\s/.test(word)) return { message: `${key} is not one word` };
      head[key] = word;
      return undefined;
  }
}

const NOBODY = new Set(['auto', 'no', 'off', 'never', 'false']);
const PEOPLE = new Set(['interactive', 'person', 'human', 'manual', 'user', 'me']);
/** A checkpoint is wanted, but by whom? */
const UNSAID = new Set(['', 'yes', 'on', 'true', 'always']);

function checkpointOf(word: string): string | undefined {
  const plain = word.toLowerCase();
  if (UNSAID.has(plain)) return undefined;
  if (NOBODY.has(plain)) return 'auto';
  return PEOPLE.has(plain) ? 'interactive' : word;
}
