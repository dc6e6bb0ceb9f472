/**
 * A throw-away workspace that is a git repository, for tests of worktrees: the real git, MOCK agents
 * that are functions, told in which folder they work. Every step is a process of its own.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Event } from '../../src/task/core/lines/event.ts';
import { step } from '../../src/engine/step/step.ts';
import { placeOf } from '../../src/worktrees/engine/place.ts';
import type { Ports, Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { textHere } from './command-room.ts';
import { unsyncedDisk } from './faulty-disk.ts';
import { gitOf } from './git.ts';
import { checkJsonIn } from './json-lines.ts';
import type { ScriptedCall } from './scripted-room.ts';
import { makeWorld, type Process, type World } from './world.ts';
import { putFile } from './sealed-folder.ts';

export interface Work {
  readonly call: ScriptedCall;
  readonly task: string;
  readonly attempt: number;
  readonly brief: string;
  /** Of the agent's working folder. */
  write(path: string, text: string): void;
  read(path: string): string;
  git(args: string): string;
  /** result.md with its one criterion ticked. */
  complete(status?: string): number;
}

export type Agent = (work: Work) => number | Promise<number>;

export interface OpenOptions {
  readonly disk?: Disk;
  readonly ports?: Partial<Ports>;
  /** What a check does in its working folder; its exit code. */
  readonly check?: (folder: string) => number;
}

export interface GitWorld extends World {
  git(args: string, at?: number): string;
  contract(id: string, head?: readonly string[], state?: string): void;
  open(agent: Agent, options?: OpenOptions): Process;
  /** Steps until nothing moves. */
  run(agent: Agent, options?: OpenOptions): Promise<readonly Event[]>;
  /** The command in this process: all that it said, also with each run of white space as one. */
  contracts(...argv: string[]): Promise<{ code: number; text: string; words: string }>;
  text(path: string): string;
  /** `place`: the state and the task. */
  outcome(place: string, number?: string): string;
  /** The worktree of a task, or a path in it; absolute. */
  tree(path: string): string;
}

const CONFIG = `adapter: mine
isolation: worktree
parallel: 2
retries_max: 1
adapters:
  mine: { type: command, run: [sh, "{{brief_file}}"] }
`;

/** A file named like its task. */
export function writes(work: Work): number {
  work.write(`${work.task}.txt`, `${work.task}\n`);
  return work.complete();
}

/** With tasks that are done, each in its worktree. */
export async function done(...ids: readonly string[]): Promise<GitWorld> {
  const world = makeGitWorld();
  for (const id of ids) world.contract(id);
  await world.run(writes);
  return world;
}

const STEPS_MAX = 30;

/** `parent`: where the folder of the workspace is made. */
export function makeGitWorld(config = CONFIG, parent?: string): GitWorld {
  const world = makeWorld(parent);
  const git = gitOf(world.root);
  git('init -q -b main');
  world.write('.contracts/config.yaml', config);
  world.write('base.txt', 'base\n');
  git('add --all');
  git('commit -q -m first');
  const tree: GitWorld['tree'] = (path) =>
    join(
      placeOf({
        layout: { root: world.root, tasks: '' },
        env: process.env,
        disk: unsyncedDisk,
      }),
      path,
    );
  const open: GitWorld['open'] = (agent, { check = () => 0, ...options } = {}) =>
    world.process({
      disk: unsyncedDisk,
      ...options,
      script: (call) => (call.kind === 'check' ? check(call.spawn.cwd) : agent(workOf(call))),
    });
  const text: GitWorld['text'] = (path) => readFileSync(resolve(world.root, path), 'utf8');
  return {
    ...world,
    git,
    open,
    contract: (id, head = [], state = 'ready') => {
      const keys = ['v: 1', `title: Make ${id}`, ...head].join('\n');
      const body = `# ${id}\n\n## Objective\n\nMake ${id}.\n\n## Success Criteria\n\n- [ ] it is there\n`;
      world.write(
        `active_tasks/${state}/${id}/contract.md`,
        `---\n${keys}\nverify:\n  - run: "true"\n---\n\n${body}`,
      );
    },
    run: (agent, options) => runAll(open(agent, options).ws),
    contracts: async (...argv) => {
      const { code, text: said } = await textHere(['--dir', world.root, ...argv]);
      checkJsonIn(said);
      return { code, text: said, words: said.replace(/\s+/g, ' ').trim() };
    },
    text,
    outcome: (place, number = '0001') =>
      text(`active_tasks/${place}/attempts/${number}/outcome.md`),
    tree,
    remove: () => {
      rmSync(tree(''), { recursive: true, force: true });
      world.remove();
    },
  };
}

async function runAll(ws: Workspace): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const report = await step(ws);
    events.push(...report.events);
    if (!report.progressed) return events;
  }
  throw new Error('still moving');
}

function workOf(call: ScriptedCall): Work {
  const { cwd } = call.spawn;
  return {
    call,
    task: call.task,
    attempt: call.attempt,
    brief: readFileSync(join(call.desk, 'brief.md'), 'utf8'),
    write: (path, text) => putFile(join(cwd, path), text),
    read: (path) => readFileSync(join(cwd, path), 'utf8'),
    git: gitOf(cwd),
    complete: (status = 'COMPLETE') => {
      const text = `- Status: ${status}\n\n## Success Criteria\n\n- [x] it is there\n`;
      writeFileSync(join(call.desk, 'result.md'), text);
      return 0;
    },
  };
}
