/** The board: columns that scroll, of which only what is seen is drawn; filters, and keys. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isYours } from '../../engine/queries/listing.ts';
import type { State } from '../../task/core/model/state.ts';
import type { ListedTask } from '../core/model.ts';
import { atWork, AtWork, Card, ColumnHead, columnsOf, NeedsYou } from '../views/board.tsx';
import { Said } from '../views/parts.tsx';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { ACTS, actFor, type Act } from '../core/acts.ts';
import { act, seenOf, ToldOf, type Came } from './acts.tsx';
import type { Known } from './store.ts';

/** Pixels of a card with its margin, as app.css has it. */
const CARD = 92;
/** Cards drawn above and below what is seen. */
const SPARE = 6;

interface Filter {
  readonly text: string;
  readonly agent: string;
  readonly plan: string;
  readonly mine: boolean;
}

const NO_FILTER: Filter = { text: '', agent: '', plan: '', mine: false };

function fits({ id, title, agent, plan = '', tags }: ListedTask, filter: Filter): boolean {
  const words = [id, title, agent, plan, ...tags].join('\n').toLowerCase();
  return (
    (filter.agent === '' || agent === filter.agent) &&
    (filter.plan === '' || plan === filter.plan) &&
    filter.text
      .toLowerCase()
      .split(/\s+/)
      .every((one) => words.includes(one))
  );
}

export function BoardPage({ known, may }: { readonly known: Known; readonly may: boolean }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const { tasks } = known;
  const shown = useMemo(
    () => tasks.filter((task) => fits(task, filter) && (!filter.mine || isYours(task))),
    [tasks, filter],
  );
  const columns = columnsOf(shown).filter(
    ({ state, tasks: own }) => own.length > 0 || state !== 'aborted',
  );
  const { came, drag } = useDrag(tasks, may);
  useKeys();
  return (
    <>
      <Filters tasks={tasks} filter={filter} change={(more) => setFilter({ ...filter, ...more })} />
      <div class="above">
        <section class="part" aria-label="Needs you">
          <h2>Needs you</h2>
          <NeedsYou tasks={tasks} most={8} />
        </section>
        {atWork(tasks).length > 0 && (
          <section class="part" aria-label="At work">
            <h2>At work</h2>
            <AtWork tasks={tasks} />
          </section>
        )}
      </div>
      {known.problems.map((one) => (
        <p class={one.severity === 'error' ? 'c-red' : 'c-yellow'} key={one.message + one.file}>
          <Said text={`${one.file}: ${one.message}. ${one.fix}`} />
        </p>
      ))}
      <ToldOf came={came} />
      <div class="columns">
        {columns.map((column) => (
          <Column key={column.state} {...column} drag={drag} />
        ))}
      </div>
    </>
  );
}

/** A card that is let go in the wrong place approves or ends nothing. */
const sure = (to: State, words: string): boolean =>
  !['done', 'aborted'].includes(to) || confirm(escapeText(words));

/** A card goes where a person may move it; words that are needed are asked for. */
function useDrag(tasks: readonly ListedTask[], may: boolean) {
  const [came, setCame] = useState<Came>();
  const [held, setHeld] = useState<ListedTask>();
  const drop = async (to: State): Promise<void> => {
    setHeld(undefined);
    const name = held && actFor(held.state, to);
    if (held === undefined || name === undefined) return;
    const { label, text }: Act = ACTS[name];
    const words = text === 'must' ? prompt(`${label}: why?`) : '';
    if (text !== 'must' && !sure(to, `${label}: ${held.title || held.id}?`)) return;
    if (words === null || (text === 'must' && words.trim() === '')) return;
    setCame(await act(name, { id: held.id, seen: seenOf(held), text: words }));
  };
  const drag: Drag | undefined = may
    ? {
        takes: (to) => held !== undefined && actFor(held.state, to) !== undefined,
        hold: (id) => setHeld(tasks.find((task) => task.id === id)),
        drop: (to) => void drop(to),
      }
    : undefined;
  return { came, drag };
}

interface Drag {
  takes(to: State): boolean;
  hold(id: string | undefined): void;
  drop(to: State): void;
}

interface ColumnProps {
  readonly state: State;
  readonly tasks: readonly ListedTask[];
  readonly drag: Drag | undefined;
}

function Column({ state, tasks, drag }: ColumnProps) {
  const list = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState({ from: 0, to: 20 });
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    const from = Math.max(0, Math.floor(scrollTop / CARD) - SPARE);
    const to = Math.ceil((scrollTop + clientHeight) / CARD) + SPARE;
    if (from !== seen.from || to !== seen.to) setSeen({ from, to });
  };
  useEffect(look);
  return (
    <section
      class={drag?.takes(state) ? 'column takes' : 'column'}
      aria-label={state.replaceAll('_', ' ')}
      onDragOver={(event) => drag?.takes(state) && event.preventDefault()}
      onDrop={() => drag?.drop(state)}
    >
      <ColumnHead state={state} count={tasks.length} />
      <ul
        ref={list}
        onScroll={look}
        tabIndex={tasks.length > 0 ? 0 : -1}
        aria-label={`Tasks in ${state}`}
      >
        <li class="space" aria-hidden="true" style={{ height: `${seen.from * CARD}px` }} />
        {tasks.slice(seen.from, seen.to).map((task, i) => (
          <li
            key={task.id}
            draggable={drag !== undefined}
            onDragStart={() => drag?.hold(task.id)}
            onDragEnd={() => drag?.hold(undefined)}
            aria-setsize={tasks.length}
            aria-posinset={seen.from + i + 1}
          >
            <Card task={task} />
          </li>
        ))}
        <li
          class="space"
          aria-hidden="true"
          style={{ height: `${Math.max(0, tasks.length - seen.to) * CARD}px` }}
        />
      </ul>
    </section>
  );
}

interface FiltersProps {
  readonly tasks: readonly ListedTask[];
  readonly filter: Filter;
  change(more: Partial<Filter>): void;
}

function Filters({ tasks, filter, change }: FiltersProps) {
  const names = (of: 'agent' | 'plan'): string[] =>
    [...new Set(tasks.flatMap((task) => task[of] ?? []))].filter(Boolean).toSorted();
  const choice = (of: 'agent' | 'plan') => (
    <select
      aria-label={of}
      value={filter[of]}
      onChange={(event) => change({ [of]: event.currentTarget.value })}
    >
      <option value="">every {of}</option>
      {names(of).map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search (/)"
        value={filter.text}
        onInput={(event) => change({ text: event.currentTarget.value })}
      />
      {choice('agent')}
      {names('plan').length > 0 && choice('plan')}
      <label>
        <input
          type="checkbox"
          checked={filter.mine}
          onChange={(event) => change({ mine: event.currentTarget.checked })}
        />{' '}
        only what needs me
      </label>
    </form>
  );
}

/** Arrows and hjkl go from card to card, `/` searches. Enter opens, as links do. */
function useKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const [right = 0, down = 0] = WAYS[event.key] ?? [];
      if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus();
      else if (right === 0 && down === 0) return;
      else go(right, down);
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

const WAYS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  l: [1, 0],
  h: [-1, 0],
  j: [0, 1],
  k: [0, -1],
};

function go(right: number, down: number): void {
  const columns = [...document.querySelectorAll('.columns .column')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('.card-title a')])
    .filter((cards) => cards.length > 0);
  const at = columns.findIndex((cards) => cards.includes(document.activeElement as HTMLElement));
  const row = columns[at]?.indexOf(document.activeElement as HTMLElement) ?? 0;
  const column = columns[at < 0 ? 0 : Math.min(columns.length - 1, Math.max(0, at + right))] ?? [];
  const next = at < 0 ? 0 : Math.min(column.length - 1, Math.max(0, row + down));
  column[next]?.focus();
  column[next]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
