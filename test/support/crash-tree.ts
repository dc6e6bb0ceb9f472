/**
 * The shapes of a crash story, and the tree as its people see it: plain file operations in state
 * folders, each word they write remembered, so that a test can ask afterwards whether it is still
 * there.
 */
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { State as StateName } from '../../src/task/core/model/state.ts';

/** The states that a story ends in. */
export const State = { done: 'done', aborted: 'aborted' } as const;

/** One call of an agent, or one delegation to a host. */
export interface Turn {
  readonly task: string;
  readonly kind: 'work' | 'review' | 'ask';
  /** From 1: how often this task's agent of this kind was called, interrupted calls left out. */
  readonly nth: number;
  readonly brief: string;
  readonly tree: Tree;
  /** A file on the desk. */
  write(name: string, text: string): void;
  /** A file in the workspace. */
  deliver(path: string, text: string): void;
}

export interface Story {
  readonly name: string;
  readonly config: string;
  /** Other files of the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Contract text by id. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Where a task stands first; ready when left out. */
  readonly starts?: Readonly<Record<string, StateName>>;
  /** Returns the exit code. */
  readonly agent: (turn: Turn) => number;
  /**
   * Exit code of a check after so many calls of the task's worker; 0 when left out. It may make files in
   * the workspace.
   */
  readonly check?: (works: number, deliver: Turn['deliver']) => number;
  readonly host?: (turn: Turn) => void;
  /** Called before each step; changes the tree when there is something for people to do. */
  readonly people?: (tree: Tree) => void;
  readonly ends: Readonly<Record<string, StateName>>;
  /** A child that is made at no time where its parent is given up before a refused write is repeated. */
  readonly unmade?: string;
}

export interface Written {
  readonly task: string;
  readonly text: string;
}

export class Tree {
  /** Everything that agents and people wrote, in order. */
  readonly written: Written[] = [];
  /** Called when an agent has written something, with its path below the root. */
  onAgentWrote: (path: string) => void = () => undefined;
  /** `contracts abort`, by another process of a person, which nothing befalls. */
  abort: (id: string) => void = () => undefined;
  readonly #root: string;
  readonly #edits = new Map<string, number>();
  #changes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Changes by people so far. */
  get changes(): number {
    return this.#changes;
  }

  path(state: StateName, id: string, name = ''): string {
    return join(this.#root, 'active_tasks', state, id, name);
  }

  has(state: StateName, id: string, name: string): boolean {
    return fs.existsSync(this.path(state, id, name));
  }

  holds(state: StateName, id: string, name: string, words: string): boolean {
    if (!this.has(state, id, name)) return false;
    return fs.readFileSync(this.path(state, id, name), 'utf8').includes(words);
  }

  /** How often people changed a file of that name. */
  edits(name: string): number {
    return this.#edits.get(name) ?? 0;
  }

  edit(state: StateName, id: string, name: string, change: (text: string) => string): void {
    if (!this.has(state, id, name)) return;
    const before = fs.readFileSync(this.path(state, id, name), 'utf8');
    const after = change(before);
    if (after !== before) this.#write(state, id, name, after, addedLine(before, after));
  }

  /** Nothing when the file is not there or holds that text already. */
  append(state: StateName, id: string, name: string, text: string): void {
    this.edit(state, id, name, (before) => (before.includes(text) ? before : before + text));
  }

  /** A new file, when the task stands there. */
  put(state: StateName, id: string, name: string, text: string): void {
    if (fs.existsSync(this.path(state, id))) this.#write(state, id, name, text, text);
  }

  move(id: string, from: StateName, to: StateName): void {
    fs.renameSync(this.path(from, id), this.path(to, id));
    this.#changes++;
  }

  /** By an agent, anywhere. */
  agentWrites(task: string, path: string, text: string): void {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text);
    if (path.includes('.desk')) this.written.push({ task, text });
    this.onAgentWrote(relative(this.#root, path));
  }

  #write(state: StateName, id: string, name: string, text: string, kept: string): void {
    fs.writeFileSync(this.path(state, id, name), text);
    this.written.push({ task: id, text: kept });
    this.#edits.set(name, this.edits(name) + 1);
    this.#changes++;
  }
}

/** The first line that was not there before: what must never be lost. */
function addedLine(before: string, after: string): string {
  const old = new Set(before.split('\n'));
  return after.split('\n').find((line) => !old.has(line)) ?? after;
}
