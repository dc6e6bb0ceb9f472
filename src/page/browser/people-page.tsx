/** Squads with who is busy, and learnings that wait to be accepted or dismissed. */
import { useState } from 'preact/hooks';
import type { ListedTask } from '../core/model.ts';
import { Said, Table } from '../views/parts.tsx';
import { act, ToldOf, type Came } from './acts.tsx';
import { useRead, type Known } from './store.ts';

interface Squad {
  readonly name: string;
  readonly chief: string;
  readonly agents: readonly string[];
}

interface Learning {
  readonly id: string;
  readonly type: string;
  readonly information: string;
  readonly source: readonly string[];
  readonly candidate: boolean;
}

export function PeoplePage({ known, may }: { readonly known: Known; readonly may: boolean }) {
  const { value: squads = [] } = useRead<readonly Squad[]>('./read/lines/squads', '');
  const named = new Set(squads.flatMap(({ agents }) => agents));
  const others = [...new Set(known.tasks.map(({ agent }) => agent))].filter(
    (one) => !named.has(one),
  );
  const all = [{ name: 'Without a squad', chief: '', agents: others.toSorted() }, ...squads];
  return (
    <>
      <Learnings may={may} />
      {all.map((squad) => (
        <Members key={squad.name} squad={squad} tasks={known.tasks} />
      ))}
    </>
  );
}

const IS: readonly (readonly [column: string, is: (task: ListedTask) => boolean])[] = [
  ['busy', ({ state }) => state === 'in_progress'],
  ['waiting', ({ state }) => state === 'ready'],
  ['for a person', ({ waits_for }) => waits_for === 'person'],
  ['over budget', ({ trouble }) => trouble === 'over_budget'],
  ['done', ({ state }) => state === 'done'],
];

/** The chief first; members without a task are left out. */
function Members({
  squad,
  tasks,
}: {
  readonly squad: Squad;
  readonly tasks: readonly ListedTask[];
}) {
  const members = [...new Set([squad.chief, ...squad.agents])].filter((one) =>
    tasks.some(({ agent }) => agent === one),
  );
  if (members.length === 0) return null;
  const rows = members.map((name) => {
    const own = tasks.filter(({ agent }) => agent === name);
    const words = name === squad.chief ? `${name} (chief)` : name;
    return [words, ...IS.map(([, is]) => own.filter(is).length || '')];
  });
  return (
    <section class="part">
      <h2>
        <Said text={squad.name} />
      </h2>
      <Table label={squad.name} head={['agent', ...IS.map(([column]) => column)]} rows={rows} />
    </section>
  );
}

function Learnings({ may }: { readonly may: boolean }) {
  const [came, setCame] = useState<Came>();
  const [turn, setTurn] = useState(0);
  const { value = [] } = useRead<readonly Learning[]>('./read/lines/learnings', String(turn));
  const waiting = value.filter(({ candidate }) => candidate);
  const decide = async (name: 'remember' | 'forget', id: string): Promise<void> => {
    setCame(await act(name, { id }));
    setTurn(turn + 1);
  };
  return (
    <section class="part">
      <h2>Learnings</h2>
      {waiting.length === 0 && <p>No learning waits for you; {value.length} are kept.</p>}
      {waiting.map(({ id, type, information, source }) => (
        <div class="asked" key={id}>
          <p>
            <Said text={information} />
          </p>
          <p class="dim">
            {type}, from <Said text={source.join(', ')} />
          </p>
          {may && (
            <p class="buttons">
              <button type="button" onClick={() => void decide('remember', id)}>
                Accept
              </button>
              <button type="button" onClick={() => void decide('forget', id)}>
                Dismiss
              </button>
            </p>
          )}
        </div>
      ))}
      <ToldOf came={came} />
    </section>
  );
}
