/**
 * OpenAI chat/completions, as OpenCode speaks it. Source: the request of the client itself, and
 * platform.openai.com/docs/api-reference/chat.
 */
import { asList, asObject, asText, textOf, USAGE } from './turn.ts';
import type { Answer, Event, Json, Protocol, Said, Turn } from './turn.ts';

export const chat: Protocol = {
  name: 'chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    said: asList(body['messages']).map(said),
    tools: asList(body['tools']).map((tool) => asText(asObject(tool['function'])['name'])),
    model: asText(body['model']),
    stream: body['stream'] === true,
  }),
  events,
  whole: (answer, turn, id) => ({
    ...head(turn, id, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, ...part(answer, id, false) },
        finish_reason: finish(answer),
      },
    ],
    usage: usage(),
  }),
  error: (status, message) => ({
    error: { message, type: 'scripted_error', code: String(status) },
  }),
};

function said(message: Json): Said {
  const role = asText(message['role']);
  const text = textOf(message['content']);
  if (role === 'assistant' || role === 'tool' || role === 'user') return { by: role, text };
  return { by: 'system', text };
}

function events(answer: Answer, turn: Turn, id: string): readonly Event[] {
  const chunk = (delta: Json, finish_reason: string | null): Event => ({
    data: {
      ...head(turn, id, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason }],
    },
  });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    chunk(part(answer, id, true), null),
    chunk({}, finish(answer)),
    { data: { ...head(turn, id, 'chat.completion.chunk'), choices: [], usage: usage() } },
    { data: '[DONE]' },
  ];
}

function head(turn: Turn, id: string, object: string): Json {
  return { id: `chatcmpl-${id}`, object, created: 1_700_000_000, model: turn.model };
}

function part(answer: Answer, id: string, indexed: boolean): Json {
  if (answer.kind === 'text') return { content: answer.text };
  const { name, input } = answer.call;
  const call = {
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  };
  return { tool_calls: [indexed ? { index: 0, ...call } : call] };
}

const finish = (answer: Answer): string => (answer.kind === 'text' ? 'stop' : 'tool_calls');

function usage(): Json {
  return {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
  };
}
