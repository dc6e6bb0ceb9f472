/**
 * A question that an agent puts to whoever sits there, as lines of questions.md: one for each field of
 * its form, as each wants an answer. Pure; a form that cannot be read still asks its message.
 */
import type { CreateElicitationRequest } from '@agentclientprotocol/sdk/unstable';

const LINE_CHARS_MAX = 2000;

type Fields = Readonly<Record<string, unknown>>;

export function questionsOf(request: CreateElicitationRequest): readonly string[] {
  const message = oneLine(request.message);
  if (request.mode === 'url') {
    const { url } = request as { readonly url?: unknown };
    return [joined(message, `open ${oneLine(String(url))}, then answer here that it is done`)];
  }
  const schema = fieldsOf((request as { readonly requestedSchema?: unknown }).requestedSchema);
  const fields = Object.entries(fieldsOf(schema['properties']));
  if (fields.length === 0) return [message === '' ? 'The agent asks for a confirmation.' : message];
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  return fields.map(([key, value]) => {
    const field = fieldsOf(value);
    const name = text(field['title']) || (fields.length === 1 ? '' : oneLine(key));
    const hints = [
      ...choicesOf(field),
      ...(field['default'] === undefined ? [] : [`as a rule ${shownValue(field['default'])}`]),
      ...(fields.length > 1 && !needed.includes(key) ? ['may be left open'] : []),
    ];
    const asked = [name, text(field['description'])].filter((part) => part !== '').join(': ');
    const hint = hints.length === 0 ? '' : ` (${hints.join('; ')})`;
    return `${joined(message, asked)}${hint}`;
  });
}

/** A questions.md as agents write it. */
export function renderQuestions(task: string, questions: readonly string[]): string {
  const list = questions.map((question, index) => `${index + 1}. ${question}`).join('\n');
  return `# Questions: ${task}\n\n## Questions\n\n${list}\n`;
}

function choicesOf(field: Fields): readonly string[] {
  if (field['type'] === 'boolean') return ['yes or no'];
  const items = fieldsOf(field['items']);
  const any = field['type'] === 'array';
  const choices = [field, items].flatMap((one) =>
    [one['enum'], one['oneOf'], one['anyOf']].flatMap((list) => (Array.isArray(list) ? list : [])),
  );
  if (choices.length === 0) return field['type'] === 'string' ? [] : typeHint(field);
  const words = choices.map((choice) => {
    if (typeof choice === 'string') return oneLine(choice);
    const { title, const: value } = fieldsOf(choice);
    return text(title) || oneLine(String(value));
  });
  return [`${any ? 'any' : 'one'} of: ${words.join(', ')}`];
}

function typeHint(field: Fields): readonly string[] {
  const { type } = field;
  return type === 'number' || type === 'integer'
    ? [`a${type === 'integer' ? ' whole' : ''} number`]
    : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : '';
}

function shownValue(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function joined(message: string, asked: string): string {
  if (message === '' || asked === '') return message === '' ? asked : message;
  return `${message} ${asked}`;
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, LINE_CHARS_MAX);
}
