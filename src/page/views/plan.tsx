/** The boxes of a plan by wave, and what attempts cost. */
import { many } from '../../task/core/base/plural.ts';
import { dollars } from '../../task/core/attempts/budget.ts';
import type { Figures, PlanStatus } from '../core/model.ts';
import { seconds } from '../core/timeline.ts';
import { Said, StateMark, Table, TaskLink } from './parts.tsx';

const BOXES: Readonly<Record<string, readonly [sign: string, words: string]>> = {
  x: ['☑', 'done'],
  '~': ['◐', 'at work'],
  '-': ['⊟', 'given up'],
};

export function Plan({ plan }: { readonly plan: PlanStatus }) {
  const { counts, percent, rows, waves } = plan;
  const groups = [
    ...waves.map(({ number, title }) => ({ number, title })),
    { number: undefined, title: '' },
  ];
  return (
    <>
      <p>
        <progress value={percent} max={100} aria-label={`Done of plan ${plan.plan}`} /> {percent} %:{' '}
        {counts.done} of {many(counts.items, 'item')} done
        {counts.working > 0 && `, ${counts.working} at work`}
        {counts.blocked > 0 && `, ${counts.blocked} blocked`}
        {counts.dropped > 0 && `, ${counts.dropped} given up`}
        {plan.paused && ', paused'}
        {!plan.started && ', not started'}
      </p>
      {groups.map(({ number, title }) => {
        const own = rows.filter(({ wave }) => wave === number);
        if (own.length === 0) return null;
        return (
          <div key={number ?? 'none'}>
            {number !== undefined && (
              <p class="wave">
                Wave {number}
                {title !== '' && (
                  <>
                    {': '}
                    <Said text={title} />
                  </>
                )}
              </p>
            )}
            <ul class="boxes">
              {own.map((row) => (
                <li
                  key={row.key}
                  class={`depth-${Math.min(4, row.depth)}${row.kind === 'checkpoint' ? ' checkpoint' : ''}`}
                >
                  <Box mark={row.mark} /> <Said text={row.title} />
                  {row.tasks.map((task) => (
                    <span class="of-box" key={task.id}>
                      {' '}
                      <TaskLink id={task.id} /> <StateMark state={task.state} />
                    </span>
                  ))}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

function Box({ mark }: { readonly mark: string }) {
  const [sign, words] = BOXES[mark] ?? ['☐', 'open'];
  return (
    <span role="img" aria-label={words}>
      {sign}
    </span>
  );
}

const number = new Intl.NumberFormat('en', { notation: 'compact' });

const HEAD = ['of', 'done', 'tries', 'reviews', 'failed', 'time', 'tokens', 'cost'];

/** Figures that no client reported are left empty, and never 0. */
export function Costs({ figures }: { readonly figures: Figures }) {
  const rows = figures.filter(({ by, name }) => by === 'total' || name !== '');
  if ((rows[0]?.work ?? 0) === 0) return <p>No attempt yet.</p>;
  const cells = rows.map((row) => {
    const tokens = (row.input_tokens ?? 0) + (row.output_tokens ?? 0);
    return [
      row.by === 'total' ? 'all' : `${row.by} ${row.name}`,
      row.done,
      row.work,
      row.reviews,
      row.failures,
      row.seconds === undefined ? '' : seconds(row.seconds),
      row.tokens_known === 0 ? '' : number.format(tokens),
      row.cost_usd === undefined ? '' : dollars(row.cost_usd),
    ];
  });
  return <Table label="Costs" head={HEAD} rows={cells} />;
}
