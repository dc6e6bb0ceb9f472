/** Asks the person by a form of their client, where it has one; what they do not answer stays open. */
import { inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Answer } from '../core/answer.ts';
import type { Call } from '../../cli/startup/verbs-here.ts';

type Asked = ReturnType<typeof inputRequired>;

/** `form`: the name of the request, and of the client's answer to it. */
const FORM = 'answers';

/**
 * Undefined where nothing is open or the client has no forms; a request the first time; then the answers are written,
 * by the verb, with a note that says through whose form they came. A declined form is an answer: nothing is asked again.
 */
export async function askPerson(
  call: Call,
  { id, state, questions }: Answer,
  context: ServerContext,
  client: string,
): Promise<Asked | undefined> {
  const given = context.mcpReq.inputResponses?.[FORM] as
    { readonly action?: string; readonly content?: Readonly<Record<string, unknown>> } | undefined;
  if (given === undefined) {
    if (questions.length === 0) return undefined;
    const fields = questions.map(({ n, question }) => [
      fieldOf(n, question),
      { type: 'string' as const, title: `Question ${n}`, description: question },
    ]);
    const message = `${id} is in ${state}, and its agent asks:\n${questions.map(({ n, question }) => `${n}. ${question}`).join('\n')}`;
    const requestedSchema = { type: 'object' as const, properties: Object.fromEntries(fields) };
    return inputRequired({
      inputRequests: { [FORM]: inputRequired.elicit({ message, requestedSchema }) },
    });
  }
  if (given.action !== 'accept') return undefined;
  const answers = questions.flatMap(({ n, question }) => {
    const text = given.content?.[fieldOf(n, question)];
    return typeof text === 'string' && text.trim() !== '' ? [{ n, text: text.trim() }] : [];
  });
  for (const { n, text } of answers) await call(['answer', `--question=${n}`, '--', id, text]);
  if (answers.length > 0) {
    const which = answers.map(({ n }) => n).join(', ');
    await call(['note', '--', id, `The person answered ${which} in a form of ${client}.`]);
  }
  return undefined;
}

/** Names the field of a question by its words: they may change while its form is open, and then it has no answer. */
function fieldOf(n: number, question: string): string {
  return `q${n}_${sha256(question).slice(0, 8)}`;
}
