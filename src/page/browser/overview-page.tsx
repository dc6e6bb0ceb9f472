/** Plans with their boxes; and the graph, the timeline and the costs of all tasks or of a plan. */
import type { TaskGraph } from '../../task/core/base/dependency-graph.ts';
import type { Figures, PlanStatus, Story } from '../core/model.ts';
import { Graph, Timeline } from '../views/pictures.tsx';
import { Costs, Plan } from '../views/plan.tsx';
import { Said } from '../views/parts.tsx';
import { hrefOf, useRead, type Known } from './store.ts';

interface Whole {
  readonly graph: TaskGraph;
  readonly stories: readonly Story[];
}

/** `plan`: its name; empty for all plans; undefined for the overview of all tasks. */
export function Overview({
  plan,
  known,
}: {
  readonly plan: string | undefined;
  readonly known: Known;
}) {
  const mark = known.tasks.map(({ id, state, attempt }) => `${id} ${state} ${attempt}`).join();
  return plan === '' ? <Plans mark={mark} /> : <Pictures plan={plan} mark={mark} />;
}

function Plans({ mark }: { readonly mark: string }) {
  const { value: plans, failed } = useRead<readonly PlanStatus[]>('./read/plans', mark);
  if (plans === undefined) return <p>{failed ?? 'Reading …'}</p>;
  if (plans.length === 0) return <p>There is no plan yet: contracts plan new "…"</p>;
  return (
    <>
      {plans.map((plan) => (
        <section class="part" key={plan.plan}>
          <h2>
            <a href={hrefOf('plans', plan.plan)}>
              <Said text={plan.title === '' ? plan.plan : plan.title} />
            </a>
          </h2>
          <Plan plan={plan} />
        </section>
      ))}
    </>
  );
}

function Pictures({ plan, mark }: { readonly plan: string | undefined; readonly mark: string }) {
  const of = plan === undefined ? '' : `?plan=${encodeURIComponent(plan)}`;
  const plans = useRead<readonly PlanStatus[]>('./read/plans', mark).value ?? [];
  const { value: whole, failed } = useRead<Whole>(`./read/whole${of}`, mark);
  const { value: figures } = useRead<Figures>(`./read/figures${of}`, mark);
  return (
    <>
      {plan !== undefined && (
        <h2>
          Plan <Said text={plan} />
        </h2>
      )}
      {plans
        .filter((one) => one.plan === plan)
        .map((one) => (
          <section class="part" key={one.plan}>
            <Plan plan={one} />
          </section>
        ))}
      <section class="part" aria-label="Dependencies">
        <h2>Dependencies</h2>
        {whole === undefined ? <p>{failed ?? 'Reading …'}</p> : <Graph graph={whole.graph} />}
      </section>
      <section class="part" aria-label="Timeline">
        <h2>Timeline</h2>
        {whole !== undefined && <Timeline stories={whole.stories} />}
      </section>
      <section class="part" aria-label="Costs">
        <h2>Costs</h2>
        {figures !== undefined && <Costs figures={figures} />}
      </section>
    </>
  );
}
