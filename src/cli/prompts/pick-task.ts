/** The verbs that act on one task: at a terminal a person chooses among those that wait for the verb. */
import type { State } from '../../task/core/model/state.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { cut, screenOf } from '../output/text-width.ts';
import { idOf, mustAsk, verb, type Place, type Run, type Verb } from '../terminal/verb-context.ts';

interface Pick {
  /** State of the tasks; of one state, those that wait for a person. */
  readonly state: State | readonly State[];
  readonly question: string;
  readonly none: string;
  /** The command with everything that it needs. */
  readonly shown: string;
  /** Arguments that must be given where nobody can be asked. */
  readonly needs: readonly ('id' | 'text')[];
  /** Refuses words that cannot be meant. */
  readonly early?: (place: Place) => unknown;
}

/** A verb on one task with words of a person; both are asked for where they can be. */
export function onTask<Flags>(
  pick: Pick,
  act: (verb: Verb, id: string, text: string | undefined, flags: Flags) => Promise<void>,
): Run {
  return verb(
    async (verb, flags: Flags, typed?: string, text?: string) => {
      const [id] = typed === undefined ? await chosen(verb, pick) : [idOf(verb, typed)];
      if (id !== undefined) await act(verb, id, text, flags);
    },
    (place, _flags: unknown, id?: string, text?: string) => {
      pick.early?.(place);
      const given = { id, text };
      const name = pick.needs.find((one) => given[one] === undefined);
      if (name !== undefined) mustAsk(place, name, pick.shown);
    },
  );
}

/** The one that a person chooses; none where nothing waits. */
export async function chosen(verb: Verb, { state, question, none }: Omit<Pick, 'shown' | 'needs'>) {
  if (verb.ask === undefined) return [];
  const { tasks } = listTasks(verb.ws, { states: new Set([state].flat()) });
  const waiting = tasks.filter((task) => typeof state !== 'string' || task.waits_for === 'person');
  if (waiting.length === 0) {
    verb.out.print(none);
    return [];
  }
  // The frame, the mark and the space before it take seven cells of the line.
  const cells = screenOf(verb.frame.streams).cells - 7;
  const id = await verb.ask.choose(
    question,
    waiting.map(({ id, title }) => ({
      value: id,
      label: cut(`${id}  ${escapeText(title)}`, cells),
    })),
  );
  return [id];
}
