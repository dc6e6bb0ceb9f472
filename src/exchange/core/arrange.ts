/** What becomes of each foreign task: its new name, what it waits for, and why it is not taken over. Pure. */
import { cycleWords, findCycles } from '../../task/core/base/dependency-graph.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { isPerson, PERSON } from '../../task/core/model/contract.ts';
import type { Problem, ProblemCode } from '../../task/core/model/problem.ts';
import type { Priority } from '../../task/core/model/contract-shape.ts';
import { jsonOf, warning, type ForeignTask } from './foreign.ts';
import type { Words } from './words.ts';

export interface Arranged {
  readonly task: ForeignTask;
  /** Of the task; of an item its key. */
  readonly id: string;
  /** An item of a plan, or a task in the state of this name; undefined: nothing is made of it. */
  readonly place: 'plan' | 'draft' | 'done' | 'aborted' | undefined;
  /** Another task before it has the same id. */
  readonly twice: boolean;
  /** Why nothing is made, or it is closed already. */
  readonly reason: string;
  /** Ids of tasks and keys of items, those that exist here or will. */
  readonly depends: readonly string[];
  readonly agent: string | undefined;
  readonly priority: Priority | undefined;
  readonly tags: readonly string[];
  /** What there is to know of it besides, a sentence each. */
  readonly facts: readonly string[];
  /** Commands that a person took over. */
  readonly checks: readonly string[];
}

export interface Arranging {
  readonly to: 'plan' | 'contracts';
  /** Ended ones too. */
  readonly all: boolean;
  readonly words: Words;
  readonly isAgent: (name: string) => boolean;
  /** Ids that earlier runs gave, by the foreign ones. */
  readonly known: ReadonlyMap<string, string>;
  /** Foreign ids of what was imported and removed here. */
  readonly gone: ReadonlySet<string>;
  readonly isTaken: (id: string, place: Arranged['place']) => boolean;
}

const ENDED: Readonly<Record<string, string>> = { done: 'done there', dropped: 'given up there' };
const SAY = 'Say what it means with --map';

export function arrange(
  list: readonly ForeignTask[],
  { to, all, words, isAgent, known, gone, isTaken }: Arranging,
) {
  const told: Problem[] = [];
  const tell = (
    task: ForeignTask,
    code: ProblemCode,
    message: string,
    found: string,
    fix?: string,
  ): void => void told.push(warning(task, code, message, found, fix));
  const tasks = new Map(list.toReversed().map((task) => [task.id, task]));
  const folded = new Map([...tasks.keys()].map((id) => [id.toLowerCase(), id]));
  const meant = (ref: string) => tasks.get(ref) ?? tasks.get(folded.get(ref.toLowerCase()) ?? '');
  const partsOf = (id: string): readonly ForeignTask[] => parts.get(id) ?? [];
  const parts = new Map<string, ForeignTask[]>();
  for (const task of list) {
    if (task.parent !== undefined) parts.set(task.parent, [...partsOf(task.parent), task]);
  }
  const ids = named();
  const needs = new Map([...tasks.values()].map((task) => [task.id, needsOf(task)]));
  breakCycles();
  return { items: list.map(arranged), told };

  function placeOf({ left, meaning }: ForeignTask): Arranged['place'] {
    if (left !== undefined) return undefined;
    if (to === 'plan') return meaning === 'parked' ? 'draft' : 'plan';
    if (meaning !== 'done' && meaning !== 'dropped') return 'draft';
    return !all ? undefined : meaning === 'done' ? 'done' : 'aborted';
  }

  /** Lower case with dashes for tasks; items keep theirs where a plan can name it. */
  function named(): ReadonlyMap<string, string> {
    const found = new Map(known);
    const taken = new Set([...known.values()].map((id) => id.toLowerCase()));
    for (const task of list) {
      const place = placeOf(task);
      if (found.has(task.id) || place === undefined) continue;
      const base = place === 'plan' ? keyOf(task.id) : idOf(task.id);
      const isFree = (id: string) => !taken.has(id.toLowerCase()) && !isTaken(id, place);
      let id = base;
      for (let n = 2; !isFree(id); n++) id = `${base}-${n}`;
      if (id !== base)
        tell(task, 'bad_id', 'another one has this id already', base, `Here it is ${id}`);
      taken.add(id.toLowerCase());
      found.set(task.id, id);
    }
    return found;
  }

  function needsOf(task: ForeignTask): readonly string[] {
    const { id, depends, criteria, parent, meaning } = task;
    const needed = [
      ...depends.flatMap((ref) => meant(ref)?.id ?? []),
      ...partsOf(id).map((part) => part.id),
    ];
    for (const ref of depends.filter((one) => meant(one) === undefined))
      tell(task, 'unknown_dependency', 'a dependency that is not in this list is ignored', ref);
    if (needed.includes(id)) tell(task, 'cycle', 'a task depends on itself', id);
    if (parent !== undefined && !tasks.has(parent))
      tell(task, 'unknown_dependency', 'what it is a part of is not there', parent);
    const open =
      meaning !== 'done'
        ? []
        : partsOf(id).filter((part) => ENDED[part.meaning ?? ''] === undefined);
    const left = meaning !== 'done' ? 0 : criteria.filter(({ ticked }) => !ticked).length;
    if (open.length > 0)
      tell(
        task,
        'undecided',
        'done, but parts of it are open',
        open.map((part) => part.id).join(', '),
      );
    if (left > 0)
      tell(task, 'undecided', 'done, but with open boxes', `${left} of ${criteria.length}`);
    return [...new Set(needed)].filter((need) => need !== id);
  }

  /** Of a task and its part that waits for it, the part wins. Other cycles are only reported. */
  function breakCycles(): void {
    const knots = findCycles(needs);
    for (const { id, parent = '' } of list) {
      if (knots.get(id)?.includes(parent) !== true) continue;
      needs.set(
        parent,
        (needs.get(parent) ?? []).filter((one) => one !== id),
      );
    }
    const seen = new Set<string>();
    for (const [id, path] of findCycles(needs)) {
      const task = seen.has(id) ? undefined : tasks.get(id);
      if (task) tell(task, 'cycle', 'tasks wait for each other in a circle', cycleWords(path));
      for (const one of path) seen.add(one);
    }
  }

  function arranged(task: ForeignTask): Arranged {
    const { id, status, meaning, left, priority } = task;
    const first = tasks.get(id) ?? task;
    const place = first === task ? placeOf(task) : undefined;
    const level = priority === undefined ? undefined : words.priority(priority);
    const people = task.people.map((name) =>
      isPerson(name) ? PERSON : words.agent(name.replace(/^@/, '')),
    );
    const agent = people.find((name) => name === PERSON || isAgent(name));
    const tags = [
      ...task.tags,
      ...people.filter((name) => name !== agent).map((name) => `@${name}`),
    ].map(tagOf);
    const twice = first === task ? undefined : `has the same id as ${first.file}:${first.line}`;
    const ended = ENDED[meaning ?? ''];
    const over = ended === undefined ? '' : `${ended}${status === '' ? '' : ` (${status})`}`;
    if (twice !== undefined) tell(task, 'two_states', 'an id is there twice', id);
    if (place !== undefined && meaning === undefined)
      tell(task, 'bad_value', 'this status is not known, so it counts as open', status, SAY);
    if (place !== undefined && priority !== undefined && level === undefined)
      tell(task, 'bad_value', 'this priority is not known', priority, SAY);
    const [depends, facts] = waitsOf(task);
    return {
      task,
      id: ids.get(id) ?? id,
      place,
      twice: twice !== undefined,
      reason: twice ?? left ?? over,
      depends,
      agent,
      priority: level,
      tags: [...new Set(tags)].filter(Boolean).slice(0, NEEDS_MAX),
      checks: [],
      facts: [...facts, ...factsOf(task, level)],
    };
  }

  /** Those that are here or will be, and why it does not wait for the others. */
  function waitsOf(task: ForeignTask): readonly [readonly string[], readonly string[]] {
    const { id, depends } = task;
    const unknown = depends
      .filter((ref) => meant(ref) === undefined)
      .map((ref) => `It names ${ref} as a dependency, which is not there.`);
    const others = (needs.get(id) ?? []).flatMap((need) => tasks.get(need) ?? []);
    // A task cannot wait for an item of a plan, which may have no task yet.
    const isTask = placeOf(task) !== 'plan';
    const isLeft = (other: ForeignTask) =>
      gone.has(other.id) || placeOf(other) === undefined || (isTask && placeOf(other) === 'plan');
    const left = others.filter(isLeft).map((other) => {
      const why =
        other.meaning === 'done'
          ? 'done'
          : placeOf(other) === 'plan'
            ? 'in the plan'
            : gone.has(other.id)
              ? 'removed here'
              : 'not taken over';
      return `It depended on ${other.id}, which is ${why}.`;
    });
    const kept = others
      .filter((other) => !isLeft(other))
      .flatMap((other) => ids.get(other.id) ?? []);
    const more = kept.length - NEEDS_MAX;
    const many = more > 0 ? [`It depended on ${more} more, which it does not wait for.`] : [];
    return [kept.slice(0, NEEDS_MAX), [...unknown, ...left, ...many]];
  }
}

function factsOf(
  { status, meaning, priority, parent, others }: ForeignTask,
  level: unknown,
): readonly string[] {
  const shown = Object.entries(others).map(([key, value]) => {
    const text = typeof value === 'string' ? value : jsonOf(value ?? '');
    return /^(?:""|\[\]|\{\}|null)?$/.test(text)
      ? ''
      : `${key}: ${text.replace(/\s+/g, ' ').slice(0, 500)}`;
  });
  const fields = shown.filter(Boolean).join('; ');
  const isOpen = meaning !== 'open' && ENDED[meaning ?? ''] === undefined;
  return [
    isOpen && status !== ''
      ? `There it was marked "${status}"; here it starts from the beginning.`
      : '',
    priority !== undefined && level === undefined ? `There its priority is ${priority}.` : '',
    parent === undefined ? '' : `It is a part of ${parent}.`,
    fields === '' ? '' : `Other fields there: ${fields}.`,
  ].filter(Boolean);
}

/** A contract and an item have no more. */
const NEEDS_MAX = 500;
const ID_CHARS_MAX = 60;

export function idOf(foreign: string): string {
  const plain = foreign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9_-]+/g, '-').replace(/^[-_]+/, '');
  const id = words.slice(0, ID_CHARS_MAX).replace(/-+$/, '');
  return isTaskId(id) ? id : `task-${id}`.replace(/-$/, '');
}

const KEY = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,55}$/u;
/** In a list of dependencies they mean something else. */
const OTHERWISE =
  /^(?:(?:tasks?|items?|steps?|waves?)\d.*|all|everything|none|nothing|no|others?|[a-z]?\d+-[a-z]?\d+)$/i;

function keyOf(foreign: string): string {
  return KEY.test(foreign) && !OTHERWISE.test(foreign)
    ? foreign
    : `item-${idOf(foreign).slice(0, 50)}`;
}

/** A word that `list --tag` takes, without a comma or colon, which a plan would read. */
function tagOf(text: string): string {
  const word = text.replace(/[^\p{L}\p{N}@._/+#-]+/gu, '-').replace(/^-|-$/g, '');
  return word.slice(0, 60);
}
