/** What becomes of each foreign task: its new name, what it waits for, and why it is not taken over. Pure. */
import { addTo } from '../../task/core/base/groups.ts';
import { cycleWords, findCycles } from '../../task/core/base/dependency-graph.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { isPerson, PERSON } from '../../task/core/model/contract.ts';
import type { Problem, ProblemCode } from '../../task/core/model/problem.ts';
import type { Priority } from '../../task/core/model/contract-shape.ts';
import { jsonOf, warning, type ForeignTask } from './foreign.ts';
import type { Words } from './words.ts';

export interface Arranged {
  readonly task: ForeignTask;
  /** The task's id; an item's key. */
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
  /** Extra facts, one sentence each. */
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

export function arrange(list: readonly ForeignTask[], options: Arranging) {
  return new Arrangement(list, options).result();
}

class Arrangement {
  readonly #list: readonly ForeignTask[];
  readonly #options: Arranging;
  readonly #problems: Problem[] = [];
  /** By id; the first of two that have the same. */
  readonly #tasks: ReadonlyMap<string, ForeignTask>;
  readonly #folded: ReadonlyMap<string, string>;
  readonly #parts = new Map<string, ForeignTask[]>();
  readonly #ids: ReadonlyMap<string, string>;
  readonly #needs: Map<string, readonly string[]>;

  constructor(list: readonly ForeignTask[], options: Arranging) {
    this.#list = list;
    this.#options = options;
    this.#tasks = new Map(list.toReversed().map((task) => [task.id, task]));
    this.#folded = new Map([...this.#tasks.keys()].map((id) => [id.toLowerCase(), id]));
    for (const task of list) {
      if (task.parent === undefined) continue;
      addTo(this.#parts, task.parent, task);
    }
    this.#ids = this.#newIds();
    this.#needs = new Map([...this.#tasks.values()].map((task) => [task.id, this.#needsOf(task)]));
    this.#breakCycles();
  }

  result() {
    return { items: this.#list.map((task) => this.#arranged(task)), problems: this.#problems };
  }

  #warn(task: ForeignTask, code: ProblemCode, message: string, found: string, fix?: string): void {
    this.#problems.push(warning(task, code, message, found, fix));
  }

  #partsOf(id: string): readonly ForeignTask[] {
    return this.#parts.get(id) ?? [];
  }

  #meant(ref: string): ForeignTask | undefined {
    return this.#tasks.get(ref) ?? this.#tasks.get(this.#folded.get(ref.toLowerCase()) ?? '');
  }

  #placeOf({ left, meaning }: ForeignTask): Arranged['place'] {
    if (left !== undefined) return undefined;
    if (this.#options.to === 'plan') return meaning === 'parked' ? 'draft' : 'plan';
    if (meaning !== 'done' && meaning !== 'dropped') return 'draft';
    return !this.#options.all ? undefined : meaning === 'done' ? 'done' : 'aborted';
  }

  /** Lower case with dashes for tasks; items keep theirs where a plan can name it. */
  #newIds(): ReadonlyMap<string, string> {
    const found = new Map(this.#options.known);
    const taken = new Set([...this.#options.known.values()].map((id) => id.toLowerCase()));
    for (const task of this.#list) {
      const place = this.#placeOf(task);
      if (found.has(task.id) || place === undefined) continue;
      const base = place === 'plan' ? keyOf(task.id) : idOf(task.id);
      const isFree = (id: string) =>
        !taken.has(id.toLowerCase()) && !this.#options.isTaken(id, place);
      let id = base;
      for (let n = 2; !isFree(id); n++) id = `${base}-${n}`;
      if (id !== base)
        this.#warn(task, 'bad_id', 'another one has this id already', base, `Here it is ${id}`);
      taken.add(id.toLowerCase());
      found.set(task.id, id);
    }
    return found;
  }

  #needsOf(task: ForeignTask): readonly string[] {
    const { id, depends, criteria, parent, meaning } = task;
    const needed = [
      ...depends.flatMap((ref) => this.#meant(ref)?.id ?? []),
      ...this.#partsOf(id).map((part) => part.id),
    ];
    for (const ref of depends.filter((one) => this.#meant(one) === undefined))
      this.#warn(
        task,
        'unknown_dependency',
        'a dependency that is not in this list is ignored',
        ref,
      );
    if (needed.includes(id)) this.#warn(task, 'cycle', 'a task depends on itself', id);
    if (parent !== undefined && !this.#tasks.has(parent))
      this.#warn(task, 'unknown_dependency', 'what it is a part of is not there', parent);
    const open =
      meaning !== 'done'
        ? []
        : this.#partsOf(id).filter((part) => ENDED[part.meaning ?? ''] === undefined);
    const left = meaning !== 'done' ? 0 : criteria.filter(({ ticked }) => !ticked).length;
    if (open.length > 0)
      this.#warn(
        task,
        'undecided',
        'done, but parts of it are open',
        open.map((part) => part.id).join(', '),
      );
    if (left > 0)
      this.#warn(task, 'undecided', 'done, but with open boxes', `${left} of ${criteria.length}`);
    return [...new Set(needed)].filter((need) => need !== id);
  }

  /** Ends cycles of a task and its part: the part waits no more. Other cycles are only reported. */
  #breakCycles(): void {
    const knots = findCycles(this.#needs);
    for (const { id, parent = '' } of this.#list) {
      if (knots.get(id)?.includes(parent) !== true) continue;
      this.#needs.set(
        parent,
        (this.#needs.get(parent) ?? []).filter((one) => one !== id),
      );
    }
    const seen = new Set<string>();
    for (const [id, path] of findCycles(this.#needs)) {
      const task = seen.has(id) ? undefined : this.#tasks.get(id);
      if (task)
        this.#warn(task, 'cycle', 'tasks wait for each other in a circle', cycleWords(path));
      for (const one of path) seen.add(one);
    }
  }

  #arranged(task: ForeignTask): Arranged {
    const { id, status, meaning, left, priority } = task;
    const first = this.#tasks.get(id) ?? task;
    const place = first === task ? this.#placeOf(task) : undefined;
    const level = priority === undefined ? undefined : this.#options.words.priority(priority);
    const people = task.people.map((name) =>
      isPerson(name) ? PERSON : this.#options.words.agent(name.replace(/^@/, '')),
    );
    const agent = people.find((name) => name === PERSON || this.#options.isAgent(name));
    const tags = [
      ...task.tags,
      ...people.filter((name) => name !== agent).map((name) => `@${name}`),
    ].map(tagOf);
    const twice = first === task ? undefined : `has the same id as ${first.file}:${first.line}`;
    const ended = ENDED[meaning ?? ''];
    const over = ended === undefined ? '' : `${ended}${status === '' ? '' : ` (${status})`}`;
    if (twice !== undefined) this.#warn(task, 'two_states', 'an id is there twice', id);
    if (place !== undefined && meaning === undefined)
      this.#warn(task, 'bad_value', 'this status is not known, so it counts as open', status, SAY);
    if (place !== undefined && priority !== undefined && level === undefined)
      this.#warn(task, 'bad_value', 'this priority is not known', priority, SAY);
    const [depends, facts] = this.#waitsOf(task);
    return {
      task,
      id: this.#ids.get(id) ?? id,
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

  /** Dependencies that are here or will be, and sentences about the others. */
  #waitsOf(task: ForeignTask): readonly [readonly string[], readonly string[]] {
    const { id, depends } = task;
    const unknown = depends
      .filter((ref) => this.#meant(ref) === undefined)
      .map((ref) => `It names ${ref} as a dependency, which is not there.`);
    const others = (this.#needs.get(id) ?? []).flatMap((need) => this.#tasks.get(need) ?? []);
    // A task cannot wait for an item of a plan, which may have no task yet.
    const isTask = this.#placeOf(task) !== 'plan';
    const isLeft = (other: ForeignTask) =>
      this.#options.gone.has(other.id) ||
      this.#placeOf(other) === undefined ||
      (isTask && this.#placeOf(other) === 'plan');
    const left = others.filter(isLeft).map((other) => {
      const why =
        other.meaning === 'done'
          ? 'done'
          : this.#placeOf(other) === 'plan'
            ? 'in the plan'
            : this.#options.gone.has(other.id)
              ? 'removed here'
              : 'not taken over';
      return `It depended on ${other.id}, which is ${why}.`;
    });
    const kept = others
      .filter((other) => !isLeft(other))
      .flatMap((other) => this.#ids.get(other.id) ?? []);
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
