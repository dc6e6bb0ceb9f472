/**
 * Plays a story to its end through `step`, one process after the other, with a fault in the disks
 * of the first ones. A death ends a process; the next one starts on what it left. Tolerates steps
 * that never settle: a dead process has promises that nobody will keep.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/task/core/lines/event.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { collect, delegate } from '../../src/engine/commands/delegate.ts';
import { withAllBelow } from '../../src/engine/commands/abort.ts';
import { moveManyByVerb } from '../../src/engine/commands/moves.ts';
import { step } from '../../src/engine/step/step.ts';
import { faultEvent } from '../../src/engine/attempt/fault-event.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { Tree, type Story, type Turn } from './crash-tree.ts';
import { Died, faultyDisk, unsyncedDisk, type FaultKind, type FaultyDisk } from './faulty-disk.ts';
import type { ScriptedCall } from './scripted-room.ts';
import { IN_MEMORY } from './sealed-folder.ts';
import { makeWorld, type World } from './world.ts';

/** What goes wrong in one process. `at` counts the operations after the workspace was opened. */
export type Life =
  | {
      readonly at: number;
      readonly fault: FaultKind;
      /** After an errno: the process steps again on the task that met it, as a library user may. */
      readonly stubborn?: boolean;
    }
  /** Runner and agent die together, after the agent wrote half of its work. */
  | { readonly kill_in_call: number };

export interface Played {
  readonly world: World;
  readonly tree: Tree;
  readonly calls: readonly ScriptedCall[];
  /** Events of each process. */
  readonly events: readonly (readonly Event[])[];
  /** Where the tasks stood after each process, by id. */
  readonly states: readonly Readonly<Record<string, string>>[];
  /** The disk of each process. */
  readonly disks: readonly FaultyDisk[];
  /** Tasks that the last process still wanted to step on when it was stopped; a loop of ours. */
  readonly restless: boolean;
}

const STEPS_MAX = 60;

export interface PlayOptions {
  /** Instead of the real disk, for the processes with a fault, or the only one. */
  readonly disk_of?: (root: string) => Disk;
  /** The same disk also for the last process, the one without a fault. */
  readonly every_life?: boolean;
  readonly onEvent?: (event: Event) => void;
  /** At the moment when a gate opens. */
  readonly onOpen?: (call: ScriptedCall) => void;
  readonly onAgentWrote?: (path: string) => void;
  /** Where the wrapper of an agent, or a runner that collects from a host, syncs what they wrote. */
  readonly onAgentEnded?: () => void;
  /** Between two processes. */
  readonly afterLife?: () => void;
  readonly base?: Disk;
  readonly lives?: readonly Life[];
}

export async function play(story: Story, options: PlayOptions = {}): Promise<Played> {
  const world = makeWorld(IN_MEMORY);
  const tree = new Tree(world.root);
  if (options.onAgentWrote !== undefined) tree.onAgentWrote = options.onAgentWrote;
  prepare(world, story);
  const stage = new Stage(story, world, tree);
  const lives: (Life | undefined)[] = [...(options.lives ?? []), undefined];
  const disk = options.disk_of?.(world.root) ?? options.base ?? unsyncedDisk;
  for (const [i, life] of lives.entries()) {
    const last = options.every_life !== true && i > 0 && i === lives.length - 1;
    await stage.live(life, { ...options, base: last ? unsyncedDisk : disk });
    if (!last) options.afterLife?.();
  }
  return { world, tree, ...stage.record() };
}

function prepare(world: World, story: Story): void {
  world.write('.contracts/config.yaml', story.config);
  for (const [path, text] of Object.entries(story.files ?? {})) world.write(path, text);
  for (const [id, text] of Object.entries(story.tasks)) {
    const state = story.starts?.[id] ?? 'ready';
    world.write(`active_tasks/${state}/${id}/contract.md`, text);
  }
}

class Stage {
  readonly #story: Story;
  readonly #world: World;
  readonly #tree: Tree;
  readonly #calls: ScriptedCall[] = [];
  readonly #turns = new Map<string, number>();
  readonly #events: Event[][] = [];
  readonly #states: Record<string, string>[] = [];
  readonly #disks: FaultyDisk[] = [];
  #restless = false;

  constructor(story: Story, world: World, tree: Tree) {
    this.#story = story;
    this.#world = world;
    this.#tree = tree;
  }

  record(): Pick<Played, 'calls' | 'events' | 'states' | 'disks' | 'restless'> {
    return {
      calls: this.#calls,
      events: this.#events,
      states: this.#states,
      disks: this.#disks,
      restless: this.#restless,
    };
  }

  async live(life: Life | undefined, options: PlayOptions): Promise<void> {
    const controller = new AbortController();
    const base = options.base ?? unsyncedDisk;
    const fault = life !== undefined && 'at' in life ? life : undefined;
    const disk = faultyDisk(fault?.at ?? -1, fault?.fault, base);
    const kill_in = life !== undefined && 'kill_in_call' in life ? life.kill_in_call : -1;
    let calls = 0;
    // Opening only reads; faults begin behind it.
    const opened = this.#world.process({
      disk: base,
      ports: { tick_ms: 60_000 },
      script: async (call) => {
        options.onOpen?.(call);
        const dies = call.kind !== 'check' && calls++ === kill_in;
        const code = await this.#run(call, disk, dies);
        if (call.kind !== 'check') options.onAgentEnded?.();
        return code;
      },
    });
    const ws = { ...opened.ws, disk, putting: { ...opened.ws.putting, disk } };
    this.#disks.push(disk);
    this.#tree.abort = (id) => {
      // A plain value, as the real disk is: moves in a group spread it, which drops the methods of a class.
      const theirs = faultyDisk(-1, undefined, base);
      const other = { ...opened.ws, disk: theirs, putting: { ...opened.ws.putting, disk: theirs } };
      const { fault } = moveManyByVerb(other, 'abort', withAllBelow(other, [id]));
      if (fault !== undefined) throw fault;
    };
    const events: Event[] = [];
    this.#events.push(events);
    const living = this.#steps(ws, events, controller.signal, life, options);
    await Promise.race([living, disk.died]).catch((error: unknown) => {
      if (!(error instanceof Died) && !disk.dead) throw error;
    });
    controller.abort();
    await living.catch((error: unknown) => {
      if (!disk.dead) throw error;
    });
    const stands = (id: string): [string, string] => [id, places(this.#world.root, id).join('+')];
    this.#states.push(Object.fromEntries(Object.keys(this.#story.ends).map(stands)));
  }

  async #steps(
    ws: Workspace,
    events: Event[],
    signal: AbortSignal,
    life: Life | undefined,
    options: PlayOptions,
  ): Promise<void> {
    const faulted = new Set<string>();
    const errno = life !== undefined && 'at' in life && life.fault.kind === 'errno';
    const leaves_out = errno && life.stubborn !== true;
    for (let steps = 0; ; steps++) {
      const before = this.#tree.changes;
      this.#story.people?.(this.#tree);
      const hosted = await this.#hosts(ws, events, errno && !leaves_out, options, faulted);
      const report = await step(ws, {
        signal,
        except: faulted,
        ...(options.onEvent === undefined ? {} : { emit: options.onEvent }),
      });
      events.push(...report.events);
      if (leaves_out) for (const id of report.faulted) faulted.add(id);
      const again =
        report.progressed ||
        (errno && !leaves_out && report.faulted.size > 0) ||
        hosted ||
        this.#tree.changes !== before ||
        report.events.some((event) => event.event === 'waits' && event.on === 'step');
      if (!again) return;
      if (steps > STEPS_MAX) {
        this.#restless = true;
        return;
      }
    }
  }

  /**
   * A host that finds a task to take takes it, and one that has a desk works on it. After a fault
   * it goes on only in a process that does so.
   */
  async #hosts(
    ws: Workspace,
    events: Event[],
    tries_again: boolean,
    options: PlayOptions,
    /** Ids that the step leaves out now: the host of one waits, too. */
    left: ReadonlySet<string>,
  ): Promise<boolean> {
    const { host } = this.#story;
    if (host === undefined) return false;
    const context = {
      ws,
      emit: (event: Event) => void events.push(event),
      signal: new AbortController().signal,
    };
    let acted = false;
    try {
      for (const id of Object.keys(this.#story.tasks).filter((one) => !left.has(one))) {
        acted = (await delegate(context, id)).ok || acted;
        const desk = this.#deskOf(id);
        if (desk !== undefined && !isHandedIn(desk)) {
          host(this.#turn(id, 'work', desk));
          options.onAgentEnded?.();
          acted = true;
        }
        acted = collect(context, id).ok || acted;
      }
    } catch (error) {
      // What the command line does with a fault of the environment: it says so.
      events.push(faultEvent(undefined, error));
      acted ||= tries_again;
    }
    return acted;
  }

  #deskOf(id: string): string | undefined {
    const folder = join(this.#world.root, 'active_tasks/.desk');
    if (!fs.existsSync(folder)) return undefined;
    const names = fs.readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
    const last = names.sort().at(-1);
    const desk = last === undefined ? undefined : join(folder, last);
    return desk !== undefined && fs.existsSync(join(desk, 'brief.md')) ? desk : undefined;
  }

  #run(call: ScriptedCall, disk: FaultyDisk, dies: boolean): number | Promise<number> {
    if (call.kind === 'check') {
      const works = this.#turns.get(`${call.task} work`) ?? 0;
      return this.#story.check?.(works, (path, text) => this.#deliver(call.task, path, text)) ?? 0;
    }
    this.#calls.push(call);
    if (dies) {
      this.#tree.agentWrites(call.task, join(call.desk, 'status.md'), 'half a sta');
      disk.kill();
      return new Promise(() => undefined);
    }
    return this.#story.agent(this.#turn(call.task, call.kind, call.desk));
  }

  #turn(task: string, kind: Exclude<ScriptedCall['kind'], 'check'>, desk: string): Turn {
    const nth = (this.#turns.get(`${task} ${kind}`) ?? 0) + 1;
    this.#turns.set(`${task} ${kind}`, nth);
    return {
      task,
      kind,
      nth,
      brief: fs.readFileSync(join(desk, 'brief.md'), 'utf8'),
      tree: this.#tree,
      write: (name, text) => this.#tree.agentWrites(task, join(desk, name), text),
      deliver: (path, text) => this.#deliver(task, path, text),
    };
  }

  #deliver(task: string, path: string, text: string): void {
    this.#tree.agentWrites(task, join(this.#world.root, path), text);
  }
}

/** Every folder of that id, by state. */
export function places(root: string, id: string): string[] {
  return STATES.filter((state) => fs.existsSync(join(root, 'active_tasks', state, id)));
}

/** The form that a desk begins with has no status. */
function isHandedIn(desk: string): boolean {
  const path = join(desk, 'result.md');
  return fs.existsSync(path) && !/^- Status: ?$/m.test(fs.readFileSync(path, 'utf8'));
}
