/** A change that the page asks for: what the verb of that name does, unless the task moved since a person looked. */
import { isRefused, type Call } from '../../cli/startup/verbs-here.ts';
import { findAny } from '../../engine/queries/find-task.ts';
import { fields, type Fields } from '../../task/core/base/json.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { ACTS, newWords, type Act, type ActName, type Given } from '../core/acts.ts';

export interface Changed {
  readonly status: number;
  readonly answer: object;
}

/** undefined where there is no such change. */
export async function change(
  name: string,
  body: unknown,
  open: () => Workspace,
  call: Call,
): Promise<Changed | undefined> {
  const act: Act | undefined = Object.hasOwn(ACTS, name) ? ACTS[name as ActName] : undefined;
  const words = name === 'new' ? newWords : act?.words;
  if (words === undefined) return undefined;
  const given = givenIn(fields(body));
  const { question } = fields(body);
  if (question !== undefined && given.question === undefined)
    return { status: 422, answer: { message: 'question is no number', fix: '' } };
  // A learning has no state.
  const moved = act && act.from.length > 0 ? movedSince(open(), given) : undefined;
  if (moved !== undefined)
    return { status: 409, answer: { message: moved, fix: 'Look at it again' } };
  const said = await call(words(given));
  const { lines, printed } = said;
  if (!isRefused(said)) return { status: 200, answer: { id: lines[0]?.['id'] ?? given.id ?? '' } };
  const problem = fields(lines.find(({ event }) => event === 'problem')?.['problem']);
  return {
    status: 422,
    answer: { message: problem['message'] ?? printed, fix: problem['fix'] ?? '' },
  };
}

/** Strings alone; what is no string is as if it were not there. */
function givenIn(body: Fields): Given {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const seen = fields(body['seen']);
  const flags = Object.entries(fields(body['flags'])).map(
    ([key, one]) => [key, text(one)] as const,
  );
  const question = Number.isInteger(body['question']) ? Number(body['question']) : undefined;
  return {
    id: text(body['id']),
    text: text(body['text']),
    flags: Object.fromEntries(flags),
    ...(question !== undefined && { question }),
    seen: { state: text(seen['state']) as State, attempt: Number(seen['attempt']) },
  };
}

/** How it is now, where that is not what was seen. */
function movedSince(ws: Workspace, { id = '', seen }: Given): string | undefined {
  const found = findAny(ws, id);
  if (!found.ok) return `${id} is no longer here`;
  const { state, attempts } = found.value.task;
  const attempt = attempts.at(-1)?.number ?? 0;
  if (state === seen?.state && attempt === seen.attempt) return undefined;
  return `${id} is now in ${state}, attempt ${attempt}: nothing was changed`;
}
