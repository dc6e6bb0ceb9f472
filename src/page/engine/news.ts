/**
 * The board as it changes: looked at when a folder rings and every few seconds, and only while somebody listens.
 * Each listener gets all tasks once, then those alone that are otherwise than before.
 */
import { watchFolder, type Watcher } from '../../task/store/disk/watcher.ts';
import type { BoardNews, BoardView } from '../core/model.ts';

export interface Ticks {
  now_ms(): number;
  after(ms: number, act: () => void): () => void;
}

/** A move by hand is two events; what a program writes is many. */
const RING_MS = 60;
/** Steps of agents at work are on desks, which do not ring. */
const LOOK_MS = 2000;
/** Ages on the page grow while nothing else happens. */
const AGE_MS = 15_000;
/** A look at 10,000 tasks must leave the machine to others. */
const REST = 8;

type Tell = (news: BoardNews) => void;

export interface News {
  /** Tells also that nothing can be read. */
  listen(tell: Tell): () => void;
  /** Looks now. */
  ring(): void;
  close(): Promise<void>;
}

/** The board as it was told. */
interface Told {
  readonly tasks: ReadonlyMap<string, string>;
  readonly order: string;
  readonly problems: string;
}

/** `before`: undefined where nothing was told, or nothing of it may be so any more. */
function newsSince(before: Told | undefined, { tasks, ...rest }: BoardView) {
  const now: Told = {
    tasks: new Map(tasks.map((task) => [task.id, JSON.stringify(task)])),
    order: tasks.map(({ id }) => id).join(' '),
    problems: JSON.stringify(rest.problems),
  };
  const set = tasks.filter(({ id }) => now.tasks.get(id) !== before?.tasks.get(id));
  const gone = [...(before?.tasks.keys() ?? [])].filter((id) => !now.tasks.has(id));
  const isMoved = now.order !== before?.order;
  const isNew = isMoved || set.length + gone.length > 0 || now.problems !== before.problems;
  const news: BoardNews = {
    ...rest,
    set,
    gone,
    ...(isMoved && { order: [...now.tasks.keys()] }),
    ...(before === undefined && { whole: true }),
  };
  return { now, news, isNew };
}

const NOTHING = { name: '', at: '', set: [], gone: [], problems: [] } as const;

export async function newsOf(
  folder: string,
  read: () => BoardView,
  { now_ms, after }: Ticks,
): Promise<News> {
  const listeners = new Set<Tell>();
  let told: Told | undefined;
  let stop = (): void => undefined;
  let rings = false;
  let failed = false;
  let told_ms = now_ms();
  /** Returns undefined where nothing can be read, which `tellers` hear. */
  const reading = (tellers: Iterable<Tell>): BoardView | undefined => {
    try {
      return read();
    } catch (error) {
      [failed, told] = [true, undefined];
      const why = error instanceof Error ? error.message : String(error);
      for (const tell of tellers) tell({ ...NOTHING, failed: why });
      return undefined;
    }
  };
  const look = (): void => {
    const began = now_ms();
    rings = false;
    const isOld = began - told_ms > AGE_MS;
    const board = reading(isOld || !failed ? listeners : []);
    const found = board && newsSince(told, board);
    if (isOld || found?.isNew === true) {
      told_ms = began;
      if (found !== undefined) for (const tell of listeners) tell(found.news);
    }
    if (found !== undefined) [told, failed] = [found.now, false];
    if (listeners.size > 0) wait(Math.max(LOOK_MS, (now_ms() - began) * REST));
  };
  const wait = (ms: number): void => {
    stop();
    stop = after(ms, look);
  };
  const ring = (): void => {
    if (rings || listeners.size === 0) return;
    rings = true;
    wait(RING_MS);
  };
  const bell: Watcher | undefined = await watchFolder(folder, ring, () => undefined);
  return {
    ring,
    listen: (tell) => {
      const isFirst = listeners.size === 0;
      const board = isFirst ? undefined : reading([tell]);
      if (board !== undefined) tell(newsSince(undefined, board).news);
      listeners.add(tell);
      if (isFirst) {
        [told, failed] = [undefined, false];
        look();
      }
      return () => {
        listeners.delete(tell);
        if (listeners.size === 0) stop();
      };
    },
    close: async () => {
      stop();
      listeners.clear();
      await bell?.close();
    },
  };
}
