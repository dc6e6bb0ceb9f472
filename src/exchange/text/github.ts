/** GitHub issues, as `gh issue list --json …` prints them. Pure. */
import { fields, parsedJson } from '../../task/core/base/json.ts';
import { jsonOf, type ForeignTask } from '../core/foreign.ts';
import type { Words } from '../core/words.ts';
import { bodyOf } from './body.ts';
import { taskFrom, textIn, type FieldNames } from './record.ts';

const WAITS = /\b(?:blocked by|depends (?:up)?on|requires):?((?:[\s,&]|and|issue|#\d+)+)/gi;
/** A box for another issue. */
const PART = /^(?:#|https?:\/\/\S+\/issues\/)(\d+)\b/;

export function readIssues(
  text: string,
  file: string,
  names: FieldNames,
  words: Words,
): readonly ForeignTask[] {
  const all = [parsedJson(text.replace(/^\uFEFF/, ''))]
    .flat()
    .filter((one) => one !== undefined && one !== null)
    .map(fields);
  const tasks = all.map((issue, i): ForeignTask => {
    const task = taskFrom(issue, names, words);
    const at = text.search(new RegExp(`"${names['id']}":\\s*${Number(task.id)}\\b`));
    const { heading: _, ...read } = bodyOf(task.objective, words);
    const waits = [...task.objective.matchAll(WAITS)].flatMap(
      ([, refs = '']) => refs.match(/\d+/g) ?? [],
    );
    const parts = read.criteria.flatMap((box) => PART.exec(box.text)?.[1] ?? []);
    const reason = textIn(issue['stateReason']);
    return {
      ...task,
      id: `issue-${task.id || `without-${i + 1}`}`,
      title: task.title || '(without a title)',
      file,
      line: text.slice(0, Math.max(0, at)).split('\n').length,
      meaning: task.meaning === 'done' ? (words.meaning(reason) ?? 'done') : task.meaning,
      ...read,
      depends: [...waits, ...parts].map((one) => `issue-${one}`),
      original: `${task.title}\n\n${task.objective}\n\n${jsonOf({ ...issue, title: undefined, body: undefined })}`,
      left: task.id === '' ? 'has no number' : undefined,
    };
  });
  return tasks.some(({ left }) => left === undefined) ? tasks : [];
}
