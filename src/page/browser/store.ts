/** State of the page: the board as the server reports it, and where in the page one is. */
import { useEffect, useState } from 'preact/hooks';
import type { BoardNews, BoardView, ListedTask } from '../core/model.ts';

/** `at`: by the clock of the server, by which ages are counted. */
export interface Known extends BoardView {
  /**
   * `new`: nothing came yet; `lost`: the server does not answer; `unread`: it cannot read the tasks;
   * `ended`: another run has another address.
   */
  readonly link: 'new' | 'live' | 'lost' | 'unread' | 'ended';
  /** Why nothing can be read. */
  readonly failed: string;
}

let known: Known = { name: '', at: '', tasks: [], problems: [], link: 'new', failed: '' };
let byId = new Map<string, ListedTask>();
let order: readonly string[] = [];
const listeners = new Set<() => void>();

function tell(more: Partial<Known>): void {
  known = { ...known, ...more };
  for (const one of listeners) one();
}

function take(news: BoardNews): void {
  if (news.failed !== undefined) return tell({ link: 'unread', failed: news.failed });
  if (news.whole === true) byId = new Map();
  for (const task of news.set) byId.set(task.id, task);
  for (const id of news.gone) byId.delete(id);
  order = news.order ?? order;
  const tasks = order.flatMap((id) => byId.get(id) ?? []);
  tell({ name: news.name, at: news.at, tasks, problems: news.problems, link: 'live' });
}

/**
 * A connection that is cut is tried again by the browser; where another server answers, it is refused. One that is
 * silent for too long, as after sleep or behind a tunnel that broke, counts as cut.
 */
export function connect(): void {
  const events = new EventSource('./events/board');
  let silent: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    events.close();
    tell({ link: 'lost' });
    connect();
  };
  const heard = (): void => {
    clearTimeout(silent);
    silent = setTimeout(again, SILENT_MS);
  };
  heard();
  events.addEventListener('board', ({ data }) => {
    heard();
    take(JSON.parse(data) as BoardNews);
  });
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) return tell({ link: 'lost' });
    clearTimeout(silent);
    const status = fetch('./page.svg').then((response) => response.status);
    void status
      .catch(() => undefined)
      .then((seen) => {
        tell({ link: seen === 401 ? 'ended' : 'lost' });
        if (seen !== 401) setTimeout(connect, AGAIN_MS);
      });
  });
}

/** The server has news at least every 15 seconds, and rests between looks at many tasks. */
const SILENT_MS = 60_000;
const AGAIN_MS = 1000;

export function useKnown(): Known {
  const [, draw] = useState(0);
  useEffect(() => {
    const changed = (): void => draw((n) => n + 1);
    listeners.add(changed);
    return () => void listeners.delete(changed);
  }, []);
  return known;
}

/** `['task', 'greet']` of `#/task/greet`; the board has no words. */
export function usePlace(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = (): void => setHash(location.hash);
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);
}

/** A link of others may hold what is no encoding. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

export const hrefOf = (...words: readonly string[]): string =>
  `#/${words.map(encodeURIComponent).join('/')}`;

export type Loaded<T> = { readonly value?: T; readonly failed?: string };

/** Read again whenever `mark` changes; what was there stays until the next is. */
export function useRead<T>(path: string, mark: string): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly of?: string }>({});
  useEffect(() => {
    const left = new AbortController();
    fetch(path, { signal: left.signal })
      .then(async (response) => {
        if (!response.ok) throw new Error(await response.text());
        setLoaded({ value: (await response.json()) as T, of: path });
      })
      .catch((error: unknown) => {
        if (!left.signal.aborted) setLoaded({ failed: String(error), of: path });
      });
    return () => left.abort();
  }, [path, mark]);
  return loaded.of === path ? loaded : {};
}
