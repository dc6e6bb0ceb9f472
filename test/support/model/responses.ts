/**
 * OpenAI Responses, as Codex speaks it. Source: the request of the client itself, and
 * platform.openai.com/docs/api-reference/responses.
 */
import { asList, asText, textOf, USAGE } from './turn.ts';
import type { Answer, Json, Protocol, Said, Turn } from './turn.ts';

export const responses: Protocol = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read: (body) => ({
    said: [{ by: 'system', text: asText(body['instructions']) }, ...input(body['input'])],
    tools: asList(body['tools']).flatMap(namesOf),
    model: asText(body['model']),
    stream: body['stream'] === true,
  }),
  events: (answer, turn, id) => [
    typed('response.created', { response: response(turn, id, 'in_progress', []) }),
    typed('response.output_item.done', { output_index: 0, item: item(answer, id) }),
    typed('response.completed', { response: response(turn, id, 'completed', [item(answer, id)]) }),
  ],
  whole: (answer, turn, id) => response(turn, id, 'completed', [item(answer, id)]),
  error: (status, message) => ({
    error: { message, type: 'scripted_error', code: String(status) },
  }),
};

/** Tools of a server come in a namespace, and are called with it. */
function namesOf(tool: Json): readonly string[] {
  const name = asText(tool['name']);
  if (tool['type'] !== 'namespace') return [name];
  return asList(tool['tools']).map((one) => `${name}__${asText(one['name'])}`);
}

function input(value: unknown): readonly Said[] {
  if (typeof value === 'string') return [{ by: 'user', text: value }];
  return asList(value).flatMap((one): Said[] => {
    const type = asText(one['type']);
    if (type === 'function_call') return [{ by: 'assistant', text: asText(one['name']) }];
    if (type === 'function_call_output') return [{ by: 'tool', text: textOf(one['output']) }];
    if (type !== 'message' && type !== '') return [];
    const role = asText(one['role']);
    const by = role === 'user' || role === 'assistant' ? role : 'system';
    return [{ by, text: textOf(one['content']) }];
  });
}

function typed(type: string, rest: Json): { event: string; data: Json } {
  return { event: type, data: { type, ...rest } };
}

function item(answer: Answer, id: string): Json {
  if (answer.kind === 'text') {
    return {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    };
  }
  const { name: called, input } = answer.call;
  const [, namespace, inner] = /^(mcp__\w+?)__(\w+)$/.exec(called) ?? [];
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: inner ?? called,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
    status: 'completed',
  };
}

function response(turn: Turn, id: string, status: string, output: readonly Json[]): Json {
  const done = status === 'completed';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: turn.model,
    output,
    usage: done
      ? {
          input_tokens: USAGE.input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: USAGE.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: USAGE.input + USAGE.output,
        }
      : null,
  };
}
