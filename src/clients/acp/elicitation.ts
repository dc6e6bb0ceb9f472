/** A question of an agent as lines of questions.md, one for each field of its form. Pure. */
import type { CreateElicitationRequest } from '@agentclientprotocol/sdk/unstable';
import { fields, type Fields } from '../../task/core/base/json.ts';

const LINE_CHARS_MAX = 2000;

export function questionsOf(request: CreateElicitationRequest): readonly string[] {
  const message = oneLine(request.message);
  const { url, requestedSchema } = fields(request);
  if (request.mode === 'url') {
    return [joined(message, `open ${oneLine(String(url))}, then answer here that it is done`)];
  }
  const schema = fields(requestedSchema);
  const asked = Object.entries(fields(schema['properties']));
  if (asked.length === 0) return [message === '' ? 'The agent asks for a confirmation.' : message];
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  return asked.map(([key, value]) => {
    const field = fields(value);
    const name = text(field['title']) || (asked.length === 1 ? '' : oneLine(key));
    const hints = [
      ...choicesOf(field),
      ...(field['default'] === undefined ? [] : [`default ${shownValue(field['default'])}`]),
      ...(asked.length > 1 && !needed.includes(key) ? ['optional'] : []),
    ];
    const words = [name, text(field['description'])].filter((part) => part !== '').join(': ');
    const hint = hints.length === 0 ? '' : ` (${hints.join('; ')})`;
    return `${joined(message, words)}${hint}`;
  });
}

/** A questions.md as agents write it. */
export function renderQuestions(task: string, questions: readonly string[]): string {
  const list = questions.map((question, index) => `${index + 1}. ${question}`).join('\n');
  return `# Questions: ${task}\n\n## Questions\n\n${list}\n`;
}

const TYPES: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['boolean', ['yes or no']],
  ['number', ['a number']],
  ['integer', ['a whole number']],
]);

function choicesOf(field: Fields): readonly string[] {
  const { type } = field;
  const items = fields(field['items']);
  const choices = [field, items].flatMap((one) =>
    [one['enum'], one['oneOf'], one['anyOf']].flatMap((list) => (Array.isArray(list) ? list : [])),
  );
  if (choices.length === 0 || type === 'boolean') return TYPES.get(type) ?? [];
  const words = choices.map((choice) => {
    if (typeof choice === 'string') return oneLine(choice);
    const { title, const: value } = fields(choice);
    return text(title) || oneLine(String(value));
  });
  return [`${type === 'array' ? 'any' : 'one'} of: ${words.join(', ')}`];
}

function text(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : '';
}

function shownValue(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function joined(message: string, asked: string): string {
  return [message, asked].filter(Boolean).join(' ');
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, LINE_CHARS_MAX);
}
