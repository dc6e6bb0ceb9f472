/** The page: where one is, and the frame around it. */
import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { isYours } from '../../engine/queries/listing.ts';
import '../views/page.css';
import './app.css';
import { Here, Said } from '../views/parts.tsx';
import { NewPage } from './acts.tsx';
import { BoardPage } from './board-page.tsx';
import { Overview } from './overview-page.tsx';
import { PeoplePage } from './people-page.tsx';
import { QuestionsPage } from './questions-page.tsx';
import { connect, hrefOf, useKnown, usePlace, useRead } from './store.ts';
import { TaskPage } from './task-page.tsx';

const PLACES = [
  ['', 'Board'],
  ['questions', 'Questions'],
  ['plans', 'Plans'],
  ['overview', 'Overview'],
  ['squads', 'Squads'],
  ['new', 'New'],
] as const;

const LINKS = {
  new: 'Reading …',
  live: 'Live',
  lost: 'The server does not answer: it may have ended. Start it again: contracts ui',
  unread: 'The tasks cannot be read; what is shown is from before',
  ended: 'The server was started again. Open the address that it printed.',
} as const;

function App() {
  const known = useKnown();
  const place = usePlace();
  const [first = '', name = ''] = place;
  const now = useMemo(() => new Date(known.at), [known.at]);
  const may = useRead<{ change: boolean }>('./read/may', '').value?.change === true;
  const around = useMemo(
    () => ({ now, longest: 100_000, task: (id: string) => hrefOf('task', id) }),
    [now],
  );
  useEffect(() => {
    document.title = [name || PLACES.find(([one]) => one === first)?.[1], known.name].join(' · ');
    document.querySelector('main')?.focus({ preventScroll: true });
  }, [first, name, known.name]);
  const yours = known.tasks.filter(isYours).length;
  const asks = known.tasks.some(({ state }) => state === 'questions');
  const isOffered = (to: string): boolean =>
    to === 'questions' ? asks || first === to : may || to !== 'new';
  return (
    <Here.Provider value={around}>
      <header class="bar">
        <h1>
          <a href="#/">
            <Said text={known.name} />
          </a>
        </h1>
        <nav aria-label="Views">
          {PLACES.filter(([to]) => isOffered(to)).map(([to, words]) => (
            <a href={hrefOf(to)} aria-current={first === to ? 'page' : undefined} key={to}>
              {words}
            </a>
          ))}
        </nav>
        <p class={`link ${known.link}`} role="status">
          {LINKS[known.link]}
          {known.link === 'unread' && (
            <>
              {': '}
              <Said text={known.failed} />
            </>
          )}
          {yours > 0 && known.link === 'live' && <strong> · {yours} for you</strong>}
        </p>
        <Theme />
      </header>
      <main tabIndex={-1}>
        {known.link === 'new' ? (
          <p>Reading …</p>
        ) : first === 'task' ? (
          <TaskPage id={name} known={known} may={may} key={name} />
        ) : first === 'plans' || first === 'overview' ? (
          <Overview plan={first === 'plans' ? name : undefined} known={known} />
        ) : first === 'questions' ? (
          <QuestionsPage known={known} may={may} />
        ) : first === 'squads' ? (
          <PeoplePage known={known} may={may} />
        ) : first === 'new' ? (
          <NewPage />
        ) : (
          <BoardPage known={known} may={may} />
        )}
      </main>
    </Here.Provider>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;

function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem('theme') ?? 'system');
  // Before anything is drawn: nobody sees, or reads, the colours of before.
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
  }, [theme]);
  const set = (event: { currentTarget: HTMLSelectElement }) => setTheme(event.currentTarget.value);
  return (
    <select aria-label="Theme" value={theme} onChange={set}>
      {THEMES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

connect();
render(<App />, document.body);
