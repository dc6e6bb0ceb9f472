/** The file of a learning: front matter, and below it what people add. Its folder is its type, so a person's `mv` changes it. */
import { ok, problem, type Problem, type Result } from '../../task/core/model/problem.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { dumpFrontMatter } from '../../task/text/yaml/dump.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import {
  isLearningType,
  LEARNING_TYPES,
  type Learning,
  type LearningType,
} from '../core/learning.ts';

/** A key in the first column, as people may quote it. */
const KEY = /^["']?(\w+)["']?\s*:(?:\s|$)/;
const KEYS =
  'v type information entities tags confidence source uses returned feedback created'.split(' ');

export interface LearningRead {
  readonly learning: Learning;
  /** Below its head. */
  readonly body: string;
}

/** `type`: of its folder; undefined among candidates, whose head says it. */
export function parseLearning(
  text: string,
  file: string,
  type: LearningType | undefined,
): Result<LearningRead> {
  const read = readFrontMatter(text, file);
  if (!read.ok) return read;
  const { head, body } = read.value;
  const problems: Problem[] = [];
  const wrong = (key: string, expected: string, message = `${key} cannot be read`): void => {
    const facts = { file, message, found: JSON.stringify(head[key]), expected };
    const fix = 'Correct it, or leave it out';
    problems.push(problem({ code: 'bad_value', severity: 'warning', ...facts, fix }));
  };
  for (const key of Object.keys(head).filter((one) => !KEYS.includes(one))) {
    const facts = { file, message: 'this key does nothing', found: key };
    const fix = `Keys are ${KEYS.slice(1).join(', ')}`;
    problems.push(problem({ code: 'unknown_key', severity: 'warning', ...facts, fix }));
  }
  const listed = (key: string): readonly string[] => {
    const value = head[key] ?? [];
    const all = typeof value === 'string' ? value.split(',') : value;
    const texts = Array.isArray(all) ? all.filter((one) => typeof one === 'string') : [];
    if (!Array.isArray(all) || texts.length < all.length) wrong(key, 'a list of words');
    return texts.map((one) => one.trim()).filter(Boolean);
  };
  const amount = (key: string, preset: number, low: number, high: number): number => {
    const value = head[key] ?? preset;
    if (typeof value === 'number' && value >= low && value <= high) return value;
    wrong(key, `a number from ${low} to ${high}`);
    return preset;
  };
  const named = String(head['type'] ?? '').replaceAll('-', '_');
  const information = oneLine(typeof head['information'] === 'string' ? head['information'] : body);
  const created = head['created'];
  if (information === '') wrong('information', 'a sentence');
  if (type === undefined && !isLearningType(named)) wrong('type', LEARNING_TYPES.join(', '));
  if (type !== undefined && head['type'] !== undefined && named !== type)
    wrong('type', type, 'its folder says another type, and that one counts');
  const learning: Learning = {
    type: type ?? (isLearningType(named) ? named : 'insight'),
    information,
    entities: listed('entities'),
    tags: listed('tags'),
    confidence: amount('confidence', 0.7, 0, 1),
    source: listed('source'),
    uses: listed('uses'),
    returned: listed('returned'),
    feedback: amount('feedback', 0, -1000, 1000),
    created: typeof created === 'string' ? created : '',
  };
  return information === '' ? { ok: false, problems } : ok({ learning, body }, problems);
}

/** Sets these keys: everything else in the file stays as it is, comments too. */
export function editHead(text: string, changes: object): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [first = '', ...lines] = text.split('\n');
  const end = lines.findIndex((line) => /^---\s*$/.test(line));
  if (!/^\uFEFF?---\s*$/.test(first) || end === -1)
    return `${dumpFrontMatter({ ...changes })}\n`.replaceAll('\n', eol) + text;
  const read = readFrontMatter(text, '');
  const had = read.ok ? read.value.head : {};
  const head = lines.slice(0, end);
  const placeOf = (key: string): number => head.findIndex((line) => KEY.exec(line)?.[1] === key);
  // Keys that share a line, as in `{a: 1, b: 2}`.
  if (Object.keys(changes).some((key) => had[key] !== undefined && placeOf(key) === -1)) {
    const [, ...whole] = dumpFrontMatter({ ...had, ...changes })
      .trimEnd()
      .split('\n');
    return [
      first,
      ...whole.map((line) => `${line}${eol.slice(0, -1)}`),
      ...lines.slice(end + 1),
    ].join('\n');
  }
  for (const [key, value] of Object.entries(changes)) {
    const was = had[key];
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    const [, ...dumped] = dumpFrontMatter({ [key]: value }).split('\n');
    const written = dumped.slice(0, -2).map((line) => `${line}${eol.slice(0, -1)}`);
    const from = placeOf(key);
    const rest = head.slice(from + 1);
    const next = rest.findIndex((line) => !/^(?:\s|- |$)/.test(line));
    const own = next === -1 ? rest : rest.slice(0, next);
    const until = from === -1 ? 0 : 2 + own.findLastIndex((line) => line.trim() !== '');
    const [indent] = own.flatMap((line) => /^(\s*)- /.exec(line)?.[1] ?? []);
    if (indent !== undefined && isGrown(was, value)) {
      const more = written.slice(1 + was.length).map((line) => `${indent}${line.trimStart()}`);
      head.splice(from + until, 0, ...more);
      continue;
    }
    head.splice(from === -1 ? head.length : from, until, ...written);
  }
  return [first, ...head, ...lines.slice(end)].join('\n');
}

function isGrown(was: unknown, now: unknown): was is readonly unknown[] {
  const isList = Array.isArray(was) && Array.isArray(now) && was.length < now.length;
  return isList && was.every((one, i) => one === now[i]);
}

export function renderLearning(one: Learning): string {
  const { type, information, entities, tags, confidence, source, uses, returned, created } = one;
  const feedback = one.feedback === 0 ? undefined : one.feedback;
  const about = { information, entities, tags, confidence };
  return dumpFrontMatter({ v: 1, type, ...about, source, uses, returned, feedback, created });
}
