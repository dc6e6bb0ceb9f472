/**
 * Anthropic Messages, as Claude Code speaks it. Source: the request of the client itself, and
 * docs.anthropic.com/en/api/messages-streaming.
 */
import { asList, asText, textOf, USAGE } from './turn.ts';
import type { Answer, Event, Json, Protocol, Said, Turn } from './turn.ts';

export const messages: Protocol = {
  name: 'messages',
  matches: (path) => path.endsWith('/messages'),
  read: (body) => ({
    said: [
      { by: 'system', text: textOf(body['system']) },
      ...asList(body['messages']).flatMap(said),
    ],
    tools: asList(body['tools']).map((tool) => asText(tool['name'])),
    model: asText(body['model']),
    stream: body['stream'] === true,
  }),
  events,
  whole: (answer, turn, id) => ({
    ...head(turn, id),
    content: [block(answer, id)],
    ...end(answer),
  }),
  error: (status, message) => ({
    type: 'error',
    error: { type: ERRORS.get(status) ?? 'api_error', message },
  }),
};

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
]);

/** A message of the user may hold what tools said, and beside it text of the client's own. */
function said(message: Json): readonly Said[] {
  const { content } = message;
  if (message['role'] === 'assistant') return [{ by: 'assistant', text: textOf(content) }];
  if (typeof content === 'string') return [{ by: 'user', text: content }];
  return asList(content).map((part): Said =>
    part['type'] === 'tool_result'
      ? { by: 'tool', text: textOf(part['content']) }
      : { by: 'user', text: asText(part['text']) },
  );
}

function events(answer: Answer, turn: Turn, id: string): readonly Event[] {
  const whole = block(answer, id);
  const empty = answer.kind === 'text' ? { ...whole, text: '' } : { ...whole, input: {} };
  const delta =
    answer.kind === 'text'
      ? { type: 'text_delta', text: answer.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(answer.call.input) };
  const { stop_reason, stop_sequence } = end(answer);
  return [
    typed('message_start', {
      message: { ...head(turn, id), content: [], stop_reason: null, stop_sequence: null },
    }),
    typed('content_block_start', { index: 0, content_block: empty }),
    typed('content_block_delta', { index: 0, delta }),
    typed('content_block_stop', { index: 0 }),
    typed('message_delta', {
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: USAGE.output },
    }),
    typed('message_stop', {}),
  ];
}

const typed = (type: string, rest: Json): Event => ({ event: type, data: { type, ...rest } });

function head(turn: Turn, id: string): Json {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: turn.model,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  };
}

function block(answer: Answer, id: string): Json {
  if (answer.kind === 'text') return { type: 'text', text: answer.text };
  const { name, input } = answer.call;
  return { type: 'tool_use', id: `toolu_${id}`, name, input };
}

function end(answer: Answer): { stop_reason: string; stop_sequence: null } {
  return { stop_reason: answer.kind === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null };
}
