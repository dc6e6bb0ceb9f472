/** Asks the person by a form of their client, where it has one; what they do not answer stays open. */
import { inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import { addTo } from '../../task/core/base/groups.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Answer, Question } from '../core/answer.ts';
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
    const message = `${id} is in ${state}, and its agent asks:\n${questions.flatMap(linesOf).join('\n')}`;
    const properties = Object.fromEntries(questions.flatMap(fieldsFor));
    const requestedSchema = { type: 'object' as const, properties };
    return inputRequired({
      inputRequests: { [FORM]: inputRequired.elicit({ message, requestedSchema }) },
    });
  }
  if (given.action !== 'accept') return undefined;
  const noted = new Map<string, number[]>();
  for (const { n, question } of questions) {
    const text = [OTHER, ''].map((more) => wordsIn(given.content?.[fieldOf(n, question) + more]));
    const words = text.find((one) => one !== '');
    const said = words && (await call(['answer', `--question=${n}`, '--', id, words]));
    const line = said && said.lines.find(({ event }) => event === 'answered');
    if (line) for (const one of [id, ...tasksIn(line['also'])]) addTo(noted, one, n);
  }
  for (const [task, numbers] of noted) {
    const which = `${numbers.join(', ')}${task === id ? '' : ` of ${id}`}`;
    await call(['note', '--', task, `The person answered ${which} in a form of ${client}.`]);
  }
  return undefined;
}

const wordsIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const tasksIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

/** As a person reads it above the fields. */
function linesOf({ n, question, quote, also = [] }: Question): string[] {
  return [
    `${n}. ${question}`,
    ...(quote === undefined ? [] : [`   > ${quote}`]),
    ...(also.length === 0 ? [] : [`   The answer is also for ${also.join(', ')}.`]),
  ];
}

/** Behind the name of a field of boxes: that for other words, which count where there are some. */
const OTHER = '_other';

function fieldsFor({ n, question, options }: Question) {
  const [name, title, description] = [fieldOf(n, question), `Question ${n}`, question];
  const text = { type: 'string' as const, title, description };
  if (options === undefined) return [[name, text] as const];
  const other = { ...text, title: `${title}: other words` };
  return [
    [name, { ...text, enum: [...new Set(options)] }] as const,
    [name + OTHER, other] as const,
  ];
}

/** Names the field of a question by its words: they may change while its form is open, and then it has no answer. */
function fieldOf(n: number, question: string): string {
  return `q${n}_${sha256(question).slice(0, 8)}`;
}
