/**
 * Steps until its signal ends it: after a change, after an attempt ended, and by an interval. Steps
 * overlap (in-flight.ts); a task that met a fault is left alone for a while, longer each time.
 */
import type { Event } from '../../task/core/lines/event.ts';
import { errorsIn, Fault, formatProblem } from '../../task/core/model/problem.ts';
import { markAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { desksFolder, SETTINGS } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { mustBeTrusted } from '../../trust/trust.ts';
import { openWorkspace, type Workspace } from '../../workspace/open/workspace.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import { backOffMs } from '../core/decide/watch-clock.ts';
import { newInFlight } from '../board/in-flight.ts';
import { step, WHOLE_STEP, type StepReport } from './step.ts';
import { untilOf } from './run.ts';
import { Looks } from './watch-schedule.ts';

export interface WatchOptions {
  readonly interval_ms: number;
  readonly signal: AbortSignal;
  readonly parallel?: number | undefined;
  readonly emit: (event: Event) => void;
  /** A changed configuration is used now. */
  onSettings?(ws: Workspace): void;
  /** Gets the function that rings, before the first step. */
  onReady?(ring: () => void): void;
  /** After each step that leaves nothing to be done at once. */
  onRest?(report: StepReport): void;
}

/** Answers how many steps it made. A bug in one of them stops the agents of all, and goes up. */
export async function watch(ws: Workspace, options: WatchOptions): Promise<number> {
  const bug = new AbortController();
  const signal = AbortSignal.any([options.signal, bug.signal]);
  const looks = new Looks(ws.elapsed_ms, options.interval_ms);
  const doStep = stepping(ws, { ...options, signal }, looks);
  options.onReady?.(() => looks.ring());
  const going = new Set<Promise<void>>();
  let steps = 0;
  for (; !signal.aborted; steps++) {
    const began = looks.begin();
    const one = doStep(began.at_ms)
      .catch((error: unknown) => bug.abort({ error }))
      .finally(() => going.delete(one));
    going.add(one);
    // The board has been read by now, and agents are running: what else happens rings.
    began.end();
    await looks.next(signal);
  }
  await Promise.all(going);
  if (bug.signal.aborted) throw (bug.signal.reason as { readonly error: unknown }).error;
  return steps;
}

function stepping(
  first: Workspace,
  options: WatchOptions,
  looks: Looks,
): (began_ms: number) => Promise<void> {
  const in_flight = newInFlight();
  const once = reportOnce(options.emit, ['problem', 'waits', 'fault']);
  const backOffs = new BackOffs();
  let unseen: (task: string) => boolean = () => false;
  const emit = (event: Event): void => {
    if (event.event === 'fault') backOffs.add(event.task ?? WHOLE_STEP, ws.elapsed_ms());
    // A slot is free, or a task went on, which another may have waited for.
    if (event.event === 'ended' || event.event === 'moved') looks.ring();
    once.emit(event);
  };
  let [ws, settled]: [Workspace, string | undefined] = [first, ''];
  return async (began_ms) => {
    once.next(unseen);
    try {
      // While nothing changes this costs one stat.
      const mark = markAt(ws.disk, `${ws.layout.root}/${SETTINGS}/config.yaml`);
      const now = mark === settled ? ws : readAgain(ws);
      if (now !== ws) options.onSettings?.(now);
      [ws, settled] = [now, mark];
    } catch (error) {
      once.emit(faultEvent(undefined, error));
    }
    const left = backOffs.left(began_ms);
    const busy = new Set(in_flight.busy);
    unseen = (task) => left.has(task) || busy.has(task);
    const { parallel, signal } = options;
    const report = await step(ws, { except: left, parallel, in_flight, signal, emit });
    backOffs.forget(began_ms, (task) => busy.has(task) || report.faulted.has(task));
    const again = report.events.some((one) => one.event === 'waits' && one.on === 'step');
    if ((report.progressed || again) && !report.faulted.has(WHOLE_STEP)) return looks.atOnce();
    options.onRest?.(report);
    const until = untilOf(report.events.filter((one) => one.event === 'waits'));
    const left_ms = Date.parse(until ?? '') - ws.machine.now().getTime();
    looks.rest(backOffs.untilMs(WHOLE_STEP), ws.elapsed_ms() + (left_ms || Infinity));
  };
}

/** With a changed configuration. Throws a Fault where the last good one stays in use. */
function readAgain(ws: Workspace): Workspace {
  const { disk, layout, capabilities } = ws;
  const opened = openWorkspace({ ports: ws, capabilities, dir: layout.root });
  const fix = 'Until then the last good configuration is used';
  const why = opened.ok ? '' : errorsIn(opened.problems)?.replace(/\.$/, '');
  if (!opened.ok) throw new Fault('workspace', why ?? '', { fix });
  const { config, person, problems } = opened.value;
  if (JSON.stringify(config) === JSON.stringify(ws.config)) return ws;
  // An agent may have written it. Trust knows that only after its attempt, and is asked after this.
  const busy = ws.active.size + listOrNothing(disk, desksFolder(layout)).length > 0;
  mustBeTrusted({ ...opened.value, trusted: false });
  const after = busy ? 'when no attempt runs' : 'after a new start of watch';
  if (busy || opened.value.layout.tasks !== layout.tasks)
    throw new Fault('workspace', `the configuration changed, and is read ${after}`, { fix });
  return { ...ws, config, person, problems, readers: new Map() };
}

/** Tasks that met a fault, each left alone until its time has come. */
class BackOffs {
  readonly #tasks = new Map<string, { readonly delay_ms: number; readonly until_ms: number }>();

  add(task: string, now_ms: number): void {
    const delay_ms = backOffMs(this.#tasks.get(task)?.delay_ms);
    this.#tasks.set(task, { delay_ms, until_ms: now_ms + delay_ms });
  }

  left(now_ms: number): ReadonlySet<string> {
    return new Set([...this.#tasks].filter(([, one]) => one.until_ms > now_ms).map(([id]) => id));
  }

  /** Forgets tasks that a step which began then has looked at, and that are well. */
  forget(began_ms: number, except: (task: string) => boolean): void {
    for (const [id, { until_ms }] of this.#tasks) {
      if (until_ms <= began_ms && !except(id)) this.#tasks.delete(id);
    }
  }

  untilMs(task: string): number {
    return this.#tasks.get(task)?.until_ms ?? 0;
  }
}

type Recurring = 'problem' | 'waits' | 'fault';

interface Reported {
  readonly task: string;
  step: number;
}

/**
 * Reports a problem, a wait or a fault that each step finds again once, and again only after it was gone for a step.
 * `next` before each step; its `keep`: tasks that the step before did not look at.
 */
export function reportOnce(emit: (event: Event) => void, kinds: readonly Recurring[]) {
  const reported = new Map<string, Reported>();
  let step = 0;
  return {
    emit: (event: Event): void => {
      const key = kinds.some((kind) => kind === event.event) ? keyOf(event) : undefined;
      if (key === undefined) return emit(event);
      const before = reported.get(key);
      reported.set(key, { task: ('task' in event ? event.task : undefined) ?? '', step });
      if (before === undefined) emit(event);
    },
    next: (keep: (task: string) => boolean = () => false): void => {
      for (const [key, one] of reported) {
        if (keep(one.task)) one.step = step;
        else if (one.step < step) reported.delete(key);
      }
      step++;
    },
  };
}

function keyOf(event: Event): string | undefined {
  switch (event.event) {
    case 'problem':
      return `problem ${formatProblem(event.problem)}`;
    case 'waits':
      return `waits ${event.task} ${event.state} ${event.reason}`;
    case 'fault':
      return `fault ${event.task ?? ''} ${event.reason}`;
    default:
      return undefined;
  }
}
