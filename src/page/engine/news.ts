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

export interface News {
  listen(tell: (news: BoardNews) => void): () => void;
  /** Looks now. */
  ring(): void;
  close(): Promise<void>;
}

export async function newsOf(
  folder: string,
  read: () => BoardView,
  { now_ms, after }: Ticks,
): Promise<News> {
  const listeners = new Set<(news: BoardNews) => void>();
  let seen = new Map<string, string>();
  let order = '';
  let problems = '';
  let stop = (): void => undefined;
  let rings = false;
  let told_ms = now_ms();
  const look = (): void => {
    const began = now_ms();
    rings = false;
    const board = read();
    const next = new Map(board.tasks.map((task) => [task.id, JSON.stringify(task)]));
    const set = board.tasks.filter(({ id }) => next.get(id) !== seen.get(id));
    const gone = [...seen.keys()].filter((id) => !next.has(id));
    const ids = [...next.keys()];
    const [orderNow, problemsNow] = [ids.join(' '), JSON.stringify(board.problems)];
    const isOld = began - told_ms > AGE_MS;
    const isNew =
      isOld || set.length + gone.length > 0 || orderNow !== order || problemsNow !== problems;
    if (isNew) told_ms = began;
    const news = { name: board.name, at: board.at, set, gone, problems: board.problems };
    if (isNew)
      for (const tell of listeners) tell(orderNow === order ? news : { ...news, order: ids });
    [seen, order, problems] = [next, orderNow, problemsNow];
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
      const { tasks: set, ...rest } = read();
      tell({ ...rest, set, gone: [], order: set.map(({ id }) => id), whole: true });
      listeners.add(tell);
      if (listeners.size === 1) look();
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
