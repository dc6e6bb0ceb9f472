/**
 * Gemini generateContent, as Gemini CLI speaks it. Source: the request of the client itself, and
 * ai.google.dev/api/generate-content.
 */
import { asList, asObject, asText, textOf, USAGE } from './turn.ts';
import type { Answer, Json, Protocol, Said, Turn } from './turn.ts';

export const gemini: Protocol = {
  name: 'gemini',
  matches: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  read: (body, path) => ({
    said: [
      { by: 'system', text: textOf(asObject(body['systemInstruction'])['parts']) },
      ...asList(body['contents']).flatMap(said),
    ],
    tools: asList(body['tools'])
      .flatMap((tool) => asList(tool['functionDeclarations']))
      .map((tool) => asText(tool['name'])),
    model: /\/models\/([^/:]+):/.exec(path)?.[1] ?? '',
    stream: path.endsWith(':streamGenerateContent'),
  }),
  events: (answer, turn, id) => [{ data: whole(answer, turn, id) }],
  whole,
  error: (status, message) => ({
    error: { code: status, message, status: STATUS.get(status) ?? 'INTERNAL' },
  }),
};

const STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [429, 'RESOURCE_EXHAUSTED'],
]);

function said(content: Json): readonly Said[] {
  const parts = asList(content['parts']);
  if (content['role'] === 'model') return [{ by: 'assistant', text: textOf(parts) }];
  return parts.map((part): Said => {
    const told = part['functionResponse'];
    if (told === undefined) return { by: 'user', text: asText(part['text']) };
    const { output, error } = asObject(asObject(told)['response']);
    return { by: 'tool', text: asText(output) || asText(error) };
  });
}

function whole(answer: Answer, turn: Turn, id: string): Json {
  const part =
    answer.kind === 'text'
      ? { text: answer.text }
      : { functionCall: { name: answer.call.name, args: answer.call.input } };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    },
    modelVersion: turn.model,
    responseId: id,
  };
}
