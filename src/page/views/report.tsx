/** The report: one page that asks for nothing and runs nothing. */
import type { ComponentChildren } from 'preact';
import { many } from '../../task/core/base/plural.ts';
import type { ReportView, TaskView } from '../core/model.ts';
import { AtWork, Board, columnsOf, NeedsYou } from './board.tsx';
import { Graph, Timeline } from './pictures.tsx';
import { Costs, Plan } from './plan.tsx';
import { Here, Said, StateMark } from './parts.tsx';
import { Attempts, Changes, Notes, Waits, Wanted } from './task.tsx';

/** Cards in a column. */
const CARDS_MAX = 200;
const NEEDED_MAX = 50;
const LONGEST = 3000;

const anchorOf = (id: string): string => `task-${id}`;

export function Report({ view }: { readonly view: ReportView }) {
  const { board, tasks, plans, graph, figures, about } = view;
  const here = new Set(tasks.map(({ story }) => story.id));
  const around = {
    now: new Date(board.at),
    longest: LONGEST,
    compact: true,
    task: (id: string) => (here.has(id) ? `#${anchorOf(id)}` : undefined),
  };
  return (
    <Here.Provider value={around}>
      <Head board={board} about={about} />
      <main>
        <Part title="Needs you">
          <NeedsYou tasks={board.tasks} most={NEEDED_MAX} />
        </Part>
        <Part title="At work">
          <AtWork tasks={board.tasks} />
        </Part>
        <Part title="Board">
          <Board tasks={board.tasks} most={CARDS_MAX} />
        </Part>
        {plans.map((plan) => (
          <Part title={`Plan ${plan.plan}`} key={plan.plan} id={`plan-${plan.plan}`}>
            <Plan plan={plan} />
          </Part>
        ))}
        {graph.nodes.length > 0 && (
          <Part title="Dependencies">
            <Graph graph={graph} />
          </Part>
        )}
        <Part title="Timeline">
          <Timeline stories={tasks.map(({ story }) => story)} />
        </Part>
        <Part title="Costs">
          <Costs figures={figures} />
        </Part>
        <Part title="Tasks">
          {tasks.map((task) => (
            <Whole key={task.story.id} view={task} />
          ))}
        </Part>
      </main>
    </Here.Provider>
  );
}

function Head({ board, about }: Pick<ReportView, 'board' | 'about'>) {
  const counts = columnsOf(board.tasks).filter(({ tasks }) => tasks.length > 0);
  return (
    <header>
      <h1>
        <Said text={board.name} />
      </h1>
      <p>
        {many(board.tasks.length, 'task')}
        {about !== '' && (
          <>
            {' ('}
            <Said text={about} />)
          </>
        )}
        , as of <time dateTime={board.at}>{board.at.slice(0, 16).replace('T', ' ')} UTC</time>
      </p>
      <p class="counts">
        {counts.map(({ state, tasks }) => (
          <span key={state}>
            <StateMark state={state} /> {tasks.length}
          </span>
        ))}
      </p>
    </header>
  );
}

function Part({
  title,
  id,
  children,
}: {
  title: string;
  id?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="part" id={id}>
      <h2>
        <Said text={title} />
      </h2>
      {children}
    </section>
  );
}

function Whole({ view }: { readonly view: TaskView }) {
  const { story } = view;
  const hasChange = view.patch !== '' || story.files.length > 0 || story.files_note !== '';
  return (
    <article id={anchorOf(story.id)} class="task">
      <h3>
        <Said text={story.title === '' ? story.id : story.title} />
      </h3>
      <Waits story={story} />
      <Wanted story={story} />
      <details open={story.waits_for === 'person'}>
        <summary>What happened</summary>
        <Attempts attempts={story.attempts} />
        <Notes story={story} />
      </details>
      {hasChange && (
        <details>
          <summary>What changed</summary>
          <Changes view={view} />
        </details>
      )}
    </article>
  );
}
