/** watch: step when something changes, and every few seconds, until Ctrl-C; wait: only look, until tasks rest. */
import { watch as watchTree } from '../../engine/step/watch.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { gather, type Gathered } from '../../engine/queries/gather.ts';
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { durationMs, DURATION_WORDS } from '../../task/core/base/duration.ts';
import { watchFolder, type Watcher } from '../../task/store/disk/watcher.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { LIVE_STATES, STATES } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { many } from '../../task/core/base/plural.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { accountSince } from '../../engine/queries/account.ts';
import { isDraft, makeTally, waitsOf } from '../output/ending.ts';
import { isLively, withLive, type LiveScreen } from '../output/live-screen.ts';
import { idsOf, refuseUse, verb, type Verb } from '../terminal/verb-context.ts';
import { keepWaits } from '../output/group-waiting.ts';

interface WatchFlags {
  readonly parallel?: number;
  readonly interval: number;
  readonly poll?: boolean;
}

interface WaitFlags {
  readonly plan: readonly string[];
  readonly timeout?: string;
}

export const runs = {
  watch: verb(doWatch),
  wait: verb(doWait, (place, { plan, timeout }: WaitFlags, typed: readonly string[]) => {
    if (timeout !== undefined && durationMs(timeout, 0) === undefined)
      refuseUse(place, '--timeout takes a duration', `Write ${DURATION_WORDS}`, timeout);
    if (plan.length > 0 && typed.length > 0)
      refuseUse(place, 'both tasks and a plan are named', 'Name tasks, or --plan NAME');
  }),
};

async function doWatch(verb: Verb, flags: WatchFlags): Promise<void> {
  let { ws } = verb;
  const since_ms = ws.machine.now().getTime();
  const tally = makeTally(ws.elapsed_ms, (ids) => accountSince(ws, since_ms, ids));
  await interruptible((signal) =>
    withLive(verb, async ({ out }, foot) => {
      const waits = keepWaits(out);
      let ring = (): void => undefined;
      const lost = (error: unknown): void =>
        verb.frame.streams.err(
          `The system no longer reports changes (${escapeText(errorCode(error) ?? 'it failed')}); watch still looks every ${flags.interval} s.\n`,
        );
      const bell = flags.poll ? undefined : await watchFolder(ws.layout.tasks, () => ring(), lost);
      out.data({ v: 1, event: 'watching', interval_seconds: flags.interval, bell: Boolean(bell) });
      out.print(`Watching; looks at least every ${flags.interval} s. Ctrl-C ends it.`);
      try {
        await watchTree(verb.ws, {
          interval_ms: flags.interval * 1000,
          parallel: flags.parallel,
          signal,
          emit: (event) => {
            tally.event(event);
            if (out.json || isNews(event)) waits.emit(event);
          },
          onSettings: (now) => {
            ws = now;
            out.print('The configuration changed; the new one is used.');
          },
          onReady: (rings) => (ring = rings),
          onRest: () => {
            if (foot !== undefined) drawBoard({ ...verb, ws }, foot);
            waits.flush();
          },
        });
      } finally {
        await bell?.close();
      }
    }),
  );
  const { tasks } = listTasks(ws);
  if (isLively(verb.frame.streams)) linesOfBoard(verb, tasks).forEach(verb.out.print);
  tally.end(verb.out, { waiting: waitsOf(tasks) });
  verb.frame.code = EXIT.interrupted;
}

function isNews(event: Event): boolean {
  if (event.event !== 'waits') return true;
  const news = ['host', 'time', 'nobody', ...(isDraft(event) ? [] : ['person'])];
  return news.includes(event.on);
}

/** One board at the foot, drawn in place; the tasks are listed again after each step. */
function drawBoard(verb: Verb, foot: LiveScreen['foot']): void {
  const { tasks } = listTasks(verb.ws, { sort: 'turn' });
  foot((rows) => {
    const all = linesOfBoard(verb, tasks);
    const room = Math.max(3, rows);
    return all.length <= room ? all : [...all.slice(0, room - 1), '… more: contracts list --board'];
  });
}

function linesOfBoard(verb: Verb, tasks: readonly ListedTask[]): string[] {
  const nothing = (): string => emptyMessage(verb.ws, LIVE_STATES, '--board ');
  // A terminal may break the line already when its last column is filled.
  const { cells, limit } = screenOf(verb.frame.streams);
  const [board, screen] = [boardOf(tasks, LIVE_STATES), { cells: cells - 1, limit: limit - 1 }];
  return boardLines(board, screen, nothing, verb.ws.machine.now());
}

async function doWait(verb: Verb, flags: WaitFlags, typed: readonly string[]): Promise<void> {
  const { ws, out, frame } = verb;
  const ids = typed.length > 0 ? [...new Set(idsOf(verb, typed))] : await allOf(verb, flags.plan);
  const timeout_ms = durationMs(flags.timeout ?? '', 0) ?? Infinity;
  let bell: Watcher | undefined;
  const gathered = await interruptible(async (signal) => {
    const onWait = async (ring: () => void): Promise<void> => {
      if (!out.json)
        frame.streams.err(
          `Waits for ${many(ids.length, 'task')}; contracts run moves them. Ctrl-C ends it.\n`,
        );
      bell = await watchFolder(ws.layout.tasks, ring, () => undefined);
    };
    const found = await gather(ws, ids, { signal, timeout_ms, onWait });
    await bell?.close();
    if (signal.aborted) frame.code = EXIT.interrupted;
    return found;
  });
  out.data({ v: 1, event: 'gathered', ...gathered });
  linesOf(gathered).forEach(out.printWrapped);
  const isDone = gathered.pending.length === 0 && gathered.completed.every((one) => one.success);
  if (!isDone && frame.code === EXIT.fine) frame.code = EXIT.people;
}

/** All live tasks, or those of plans: ended ones too. */
async function allOf({ ws, out }: Verb, plans: readonly string[]): Promise<readonly string[]> {
  const query = plans.length === 0 ? {} : { plans, states: new Set(STATES) };
  const { tasks } = listTasks(ws, query);
  const { unknownFilter } = await import('../output/unknown-filters.ts');
  const odd = unknownFilter(ws, query, tasks);
  if (odd !== undefined) refuseUse({ out }, ...odd);
  return tasks.map(({ id }) => id);
}

function linesOf({ completed, pending }: Gathered): readonly string[] {
  const fixOf = (id: string, success: boolean): string => (success ? '' : `contracts show ${id}`);
  const all = [
    ...completed.map((one) => ({ ...one, fix: fixOf(one.id, one.success) })),
    ...pending,
  ];
  return all.map(({ id, state, reason, fix }) =>
    escapeText(`${id}  ${state}: ${reason}${fix && `  → ${fix}`}`),
  );
}
