/** Tasks by state, and what needs the person first. */
import { useContext } from 'preact/hooks';
import { isYours } from '../../engine/queries/listing.ts';
import { whoAt } from '../../task/core/attempts/counters.ts';
import { STATE_MARKS, YOURS } from '../../task/core/model/marks.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { many } from '../../task/core/base/plural.ts';
import type { ListedTask } from '../core/model.ts';
import { seconds } from '../core/timeline.ts';
import { Age, Command, Here, Said, Sign, TaskLink } from './parts.tsx';

export function Card({ task }: { readonly task: ListedTask }) {
  const yours = isYours(task);
  const { step = '', step_seconds = 0, lagging } = task;
  return (
    <div class={yours ? 'card yours' : 'card'}>
      <p class="card-title">
        {yours && <Sign mark={YOURS} />}
        <TaskLink id={task.id} title={task.title} />
      </p>
      <p class="card-facts">
        <Said text={task.code === 'in_hands' ? 'you' : whoAt(task.agent, task.machine)} /> ·{' '}
        <Age at={task.stands_since} />
        {task.priority !== 'medium' && ` · ${task.priority}`}
        {task.title !== '' && (
          <>
            {' · '}
            <Said text={task.id} />
          </>
        )}
      </p>
      {step !== '' || lagging ? (
        <p class="card-facts">
          {lagging && <strong class="c-yellow">LAGGING {seconds(step_seconds)} </strong>}
          <Said text={step} />
        </p>
      ) : null}
    </div>
  );
}

export function columnsOf(tasks: readonly ListedTask[]) {
  const of = new Map<State, ListedTask[]>(STATES.map((state) => [state, []]));
  for (const task of tasks) of.get(task.state)?.push(task);
  return [...of].map(([state, own]) => ({ state, tasks: own }));
}

export function ColumnHead({ state, count }: { readonly state: State; readonly count: number }) {
  const mark = STATE_MARKS[state];
  return (
    <h3 class={`column-head b-${mark.colour}`}>
      <Sign mark={mark} /> {state.replaceAll('_', ' ')} <span class="count">{count}</span>
    </h3>
  );
}

/** `most`: so many are shown. */
interface Several {
  readonly tasks: readonly ListedTask[];
  readonly most: number;
}

/** All of it, for paper: the page has columns that scroll. */
export function Board({ tasks, most }: Several) {
  const full = columnsOf(tasks).filter((column) => column.tasks.length > 0);
  if (full.length === 0) return <p>No task yet.</p>;
  return (
    <div class="board">
      {full.map(({ state, tasks: own }) => (
        <section class="column" key={state}>
          <ColumnHead state={state} count={own.length} />
          <ul>
            {own.slice(0, most).map((task) => (
              <li key={task.id}>
                <Card task={task} />
              </li>
            ))}
          </ul>
          {own.length > most && (
            <p class="note">
              {own.length - most} more: contracts list --state {state}
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

export function NeedsYou({ tasks, most }: Several) {
  const yours = tasks.filter(isYours);
  if (yours.length === 0) return <p>Nothing waits for you.</p>;
  return (
    <>
      <ul class="needs">
        {yours.slice(0, most).map((task) => (
          <li key={task.id}>
            <TaskLink id={task.id} title={task.title} />
            <span>
              <Said text={task.reason} />
            </span>
            <Command text={task.fix} />
          </li>
        ))}
      </ul>
      {yours.length > most && (
        <p class="note">{many(yours.length - most, 'task')} more: contracts review</p>
      )}
    </>
  );
}

/** Tasks of agents: what is in a person's hands waits for that person. */
export const atWork = (tasks: readonly ListedTask[]): readonly ListedTask[] =>
  tasks.filter(({ state, waits_for }) => state === 'in_progress' && waits_for !== 'person');

/** Tasks at work now, with the last that their agents reported. */
export function AtWork({ tasks }: { readonly tasks: readonly ListedTask[] }) {
  const { now } = useContext(Here);
  const running = atWork(tasks);
  if (running.length === 0) return <p>No agent is at work.</p>;
  return (
    <ul class="needs">
      {running.map((task) => (
        <li key={task.id}>
          <TaskLink id={task.id} title={task.title} />
          <span>
            <Said text={whoAt(task.agent, task.machine)} />,{' '}
            {seconds((now.getTime() - Date.parse(task.stands_since)) / 1000)}
          </span>
          <span>
            {task.lagging && <strong class="c-yellow">LAGGING </strong>}
            <Said text={task.step ?? ''} />
          </span>
        </li>
      ))}
    </ul>
  );
}
