/** The tasks that a verb is about: those that were typed, or at a terminal the one that a person chooses. */
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import { idOf, needsId, verb, type Run, type Verb } from '../terminal/verb-context.ts';

/** A verb on one task, whatever it waits for. */
export function onAnyTask<Flags>(
  shown: string,
  act: (verb: Verb, id: string, flags: Flags, more: string | undefined) => unknown,
): Run {
  return verb(async (verb, flags: Flags, typed?: string, more?: string) => {
    const [id] = typed === undefined ? await pick(verb, LIVE_STATES) : [idOf(verb, typed)];
    if (id !== undefined) await act(verb, id, flags, more);
  }, needsId(shown));
}

/** One of the tasks in these states; none where there is none. */
export async function pick(verb: Verb, state: readonly State[]): Promise<readonly string[]> {
  const { chosen } = await import('./pick-task.ts');
  const none = 'There is no task to choose. See them all: contracts list --all';
  return chosen(verb, { state, question: 'Which task?', none });
}
