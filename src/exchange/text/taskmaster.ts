/** Task Master's tasks.json: tags, each a list of tasks with parts. Pure. */
import { fields, isFields, parsedJson, type Fields } from '../../task/core/base/json.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { jsonOf, warning, type ForeignList, type ForeignTask } from '../core/foreign.ts';
import type { Words } from '../core/words.ts';
import { commandsIn } from './commands.ts';
import { taskFrom, textIn, type FieldNames } from './record.ts';

const INFO = /<info added on ([^>]{1,60})>([\s\S]*?)(?:<\/info added on [^>]{1,60}>|$)/g;
const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?/;

interface Source {
  readonly text: string;
  readonly file: string;
  readonly names: FieldNames;
  readonly words: Words;
  readonly isChosen: (tag: string) => boolean;
}

/** A list a tag. What is at the top is of `master`, or a list `tasks` beside tasks of this tag. */
export function readTaskmaster(source: Source): readonly ForeignList[] {
  const data = fields(parsedJson(source.text.replace(/^\uFEFF/, '')));
  const { tasks, ...tags } = data;
  const name = objectsIn(fields(tags['master'])['tasks']).length > 0 ? 'tasks' : 'master';
  const all = Array.isArray(tasks) ? { ...tags, [name]: data } : data;
  const lists = Object.entries(all).map(([tag, list]) => [tag, fields(list)] as const);
  return lists.flatMap(([tag, list]) =>
    Array.isArray(list['tasks']) ? listOf(tag, list, source) : [],
  );
}

function listOf(tag: string, list: Fields, source: Source): ForeignList {
  const { file, text, isChosen } = source;
  const problems: Problem[] = [];
  const left = isChosen(tag) ? undefined : `is of the tag ${tag}, which is not the current one`;
  // The same number is in several tags.
  const idOf = (id: string): string => `${tag}-${id.replaceAll('.', '-')}`;
  let at = Math.max(0, text.indexOf(`${JSON.stringify(tag)}:`));
  let line = text.slice(0, at).split('\n').length;
  const lineOf = (task: Fields): number => {
    const found = text.indexOf(JSON.stringify(task['title'] ?? ''), at);
    if (found >= 0) line += text.slice(at, found).split('\n').length - 1;
    at = Math.max(at, found);
    return line;
  };
  const tasks = objectsIn(list['tasks']).flatMap((task): ForeignTask[] => {
    const whole = { ...taskOf(task, source), left, line: lineOf(task) };
    const id = idOf(whole.id);
    const seen = new Set<string>();
    const parts = objectsIn(task['subtasks']).map((record): ForeignTask => {
      const part = { ...taskOf(record, source), left, line: lineOf(record), parent: id };
      const own = `${id}-${part.id}`;
      let free = own;
      for (let n = 2; seen.has(free); n++) free = `${own}-${n}`;
      seen.add(free);
      if (free !== own) problems.push(warning(part, 'two_states', 'a number is there twice', own));
      // A number alone is another part of the same task.
      const depends = part.depends.map((ref) => (/^\d+$/.test(ref) ? `${id}-${ref}` : idOf(ref)));
      return { ...part, id: free, depends };
    });
    return [{ ...whole, id, depends: whole.depends.map(idOf) }, ...parts];
  });
  const about = textIn(fields(list['metadata'])['description']);
  const odd = (list['tasks'] as readonly unknown[]).filter((one) => !isFields(one)).length;
  if (odd > 0)
    problems.push(
      warning({ file, line }, 'bad_value', 'entries that are no tasks are left out', `${odd}`),
    );
  return { name: tag, title: tag, file, about, tasks, problems, original: jsonOf(list) };
}

function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function taskOf(record: Fields, { file, names, words }: Source): ForeignTask {
  const task = taskFrom(record, names, words);
  const notes: { title: string; text: string }[] = [];
  const instructions = task.instructions.replace(INFO, (_all, title: string, text: string) => {
    notes.push({ title, text });
    return '';
  });
  const strategy = textIn(record['testStrategy']);
  const commands = commandsIn([strategy], [strategy]);
  const wanted = `${textIn(record['acceptanceCriteria'])}\n${commands.includes(strategy) ? '' : strategy}`;
  const lines = wanted.split(/\r?\n/).map((line) => line.replace(BULLET, '').trim());
  const criteria = lines.filter(Boolean).map((text) => ({ text, ticked: task.meaning === 'done' }));
  const original = jsonOf({ ...record, subtasks: undefined });
  return { ...task, file, line: 1, instructions, criteria, notes, commands, original };
}
