/**
 * The scripted model, asked in each of its protocols as a client asks: what a story does next follows
 * from the request alone, whichever way it is written.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { toolCall } from '../support/model/tools.ts';

const brief = (
  story: string,
  more = '',
): string => `The workspace is \`/w\`. Your desk is \`/w/desk\`.

[story:${story}]

Success criteria:

- [ ] it says hello
- [ ] it is short

## MUST NOT
${more}`;

type Said = readonly (readonly ['user' | 'assistant' | 'tool', string])[];

/** How a client writes what was said so far, and which part of the answer to look for. */
const DIALECTS = {
  chat: {
    path: '/v1/chat/completions',
    tool: 'write',
    body: (said: Said, tools: readonly string[]) => ({
      stream: true,
      model: 'm',
      messages: said.map(([role, content]) => ({ role, content })),
      tools: tools.map((name) => ({ type: 'function', function: { name } })),
    }),
    text: '"delta":{"content":"Wrote the greeting."}',
    called: '"name":"write","arguments":"{\\"filePath\\":\\"/w/out/greeting.txt\\"',
  },
  responses: {
    path: '/v1/responses',
    tool: 'exec_command',
    body: (said: Said, tools: readonly string[]) => ({
      stream: true,
      model: 'm',
      instructions: 'be kind',
      input: said.map(([by, text]) => {
        if (by === 'tool') return { type: 'function_call_output', call_id: '1', output: text };
        if (by === 'assistant') return { type: 'function_call', call_id: '1', name: 'x' };
        return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
      }),
      tools: tools.map((name) => ({ type: 'function', name })),
    }),
    text: '"type":"output_text","text":"Wrote the greeting."',
    called: `"name":"exec_command","arguments":"{\\"cmd\\":\\"mkdir -p '/w/out' && printf %s 'Hello, world`,
  },
  messages: {
    path: '/v1/messages',
    tool: 'Write',
    body: (said: Said, tools: readonly string[]) => ({
      stream: true,
      model: 'm',
      system: [{ type: 'text', text: 'be kind' }],
      messages: said.map(([by, text]) => ({
        role: by === 'assistant' ? 'assistant' : 'user',
        content:
          by === 'tool'
            ? [{ type: 'tool_result', tool_use_id: '1', content: text }]
            : [{ type: 'text', text }],
      })),
      tools: tools.map((name) => ({ name })),
    }),
    text: '"type":"text_delta","text":"Wrote the greeting."',
    called: '"partial_json":"{\\"file_path\\":\\"/w/out/greeting.txt\\"',
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    tool: 'write_file',
    body: (said: Said, tools: readonly string[]) => ({
      contents: said.map(([by, text]) => ({
        role: by === 'assistant' ? 'model' : 'user',
        parts: [
          by === 'tool'
            ? { functionResponse: { name: 'x', response: { output: text } } }
            : { text },
        ],
      })),
      tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
    }),
    text: '"parts":[{"text":"Wrote the greeting."}]',
    called: '"functionCall":{"name":"write_file","args":{"file_path":"/w/out/greeting.txt"',
  },
} as const;

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

async function ask(
  path: string,
  body: unknown,
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${model.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { connection: 'close' },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe.each(Object.entries(DIALECTS))('%s', (_, dialect) => {
  const { path, tool, body } = dialect;
  const done: Said = [
    ['user', brief('complete')],
    ['assistant', 'a call'],
    ['tool', 'done'],
  ];

  test('a story begins with a call of the tool that this client has', async () => {
    const { status, text } = await ask(path, body([['user', brief('complete')]], ['read', tool]));
    expect(status).toBe(200);
    expect(text).toContain(dialect.called);
  });

  test('goes on by the count of answers', async () => {
    // It reads the form before it writes over it.
    const read: Said = [...done, ['assistant', 'a call'], ['tool', 'done']];
    const second = await ask(path, body(read, [tool]));
    expect(second.text).toContain('/w/desk/result.md');
    expect(second.text).toContain('- [x] it says hello');
    const last = await ask(
      path,
      body([...read, ['assistant', 'a call'], ['tool', 'done']], [tool]),
    );
    expect(last.text).toContain(dialect.text);
  });

  test('a brief that comes later in the session begins its story, and knows of the first', async () => {
    const again: Said = [...done, ['user', brief('question', '## ANSWERS\n\nAda\n')]];
    const { text } = await ask(path, body(again, [tool]));
    expect(text).toContain('brief 2 of this session');
  });

  test('what offers no tools gets words; what has no tool for it says so', async () => {
    const title = await ask(path, body([['user', brief('complete')]], []));
    expect(title.text).toContain('A greeting');
    const bare = await ask(path, body([['user', brief('complete')]], ['read']));
    expect(bare.text).toContain('There is no tool to write with.');
  });

  test('errors have their status, their words, and say when to come again', async () => {
    for (const status of [400, 401, 429, 500]) {
      const refused = await ask(path, body([['user', brief(`error ${status}`)]], [tool]));
      expect(refused.status).toBe(status);
      expect(refused.text).toContain(`scripted refusal ${status}`);
      expect(refused.headers.get('retry-after-ms')).toBe('20');
    }
  });

  test('every event of the stream is JSON, or the end of one', async () => {
    const { text } = await ask(path, body([['user', brief('complete')]], [tool]));
    const data = text.split('\n').filter((line) => line.startsWith('data: '));
    expect(data.length).toBeGreaterThan(0);
    for (const line of data) {
      if (line !== 'data: [DONE]') expect(JSON.parse(line.slice(6))).toBeTypeOf('object');
    }
  });

  test('what hangs has begun, and ends with the server', async () => {
    const other = await startModel();
    const response = await fetch(`${other.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body([['user', brief('hang')]], [tool])),
    });
    expect(response.status).toBe(200);
    const read = response.text().catch(() => 'cut off');
    await other.close();
    expect(await read).toBe('cut off');
    expect(other.asked.map(({ reply }) => reply)).toEqual(['hang']);
  });
});

describe('a call that only names the file of its brief', () => {
  const { path, body } = DIALECTS.messages;
  const call = ['user', 'Read the file /w/desk/brief.md first.'] as const;

  test('the file is read, with the shell where there is nothing else', async () => {
    const read = await ask(path, body([call], ['Read', 'Bash']));
    expect(read.text).toContain('"partial_json":"{\\"file_path\\":\\"/w/desk/brief.md\\"}"');
    const shell = await ask(path, body([call], ['Bash']));
    expect(shell.text).toContain(`cat '/w/desk/brief.md'`);
  });

  test('the story is in what the tool said, its lines numbered or not', async () => {
    const lines = brief('complete').split('\n');
    const numbered = lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
    for (const text of [lines, numbered].map((one) => one.join('\n'))) {
      const told: Said = [call, ['assistant', 'a call'], ['tool', text]];
      const first = await ask(path, body(told, ['Write']));
      expect(first.text).toContain('/w/out/greeting.txt');
      const both: Said = [
        ...told,
        ['assistant', ''],
        ['tool', ''],
        ['assistant', ''],
        ['tool', ''],
      ];
      const next = await ask(path, body(both, ['Write']));
      expect(next.text).toContain('- [x] it says hello — see');
      expect(next.text).toContain('- [x] it is short — see');
    }
  });

  test('what cannot be read is said', async () => {
    const told: Said = [call, ['assistant', 'a call'], ['tool', 'no such file']];
    expect((await ask(path, body(told, ['Read']))).text).toContain('I could not read my brief.');
  });
});

test('a reviewer approves, whatever the story', async () => {
  const { path, body } = DIALECTS.messages;
  const text = brief('error 500', 'You review the task `x`.');
  const asked = await ask(path, body([['user', text]], ['Write']));
  expect(asked.text).toContain('/w/desk/review.md');
  expect(asked.text).toContain('- [x] APPROVED');
});

test('without a stream the answer is one value', async () => {
  const { path, body } = DIALECTS.chat;
  const asked = await ask(path, {
    ...body([['user', brief('complete')]], ['write']),
    stream: false,
  });
  expect(JSON.parse(asked.text)).toMatchObject({
    choices: [{ finish_reason: 'tool_calls', message: { role: 'assistant' } }],
    usage: { total_tokens: 110 },
  });
});

test('a story that nobody wrote is an error, and so is a path that nobody knows', async () => {
  const { path, body } = DIALECTS.chat;
  expect((await ask(path, body([['user', brief('none')]], ['write']))).status).toBe(400);
  expect((await ask('/v1/embeddings', {})).status).toBe(404);
  expect(model.asked.at(-1)).toEqual({
    path: '/v1/embeddings',
    protocol: undefined,
    turn: undefined,
    reply: undefined,
  });
});

test('what the shell writes is just the text, whatever is in it', () => {
  const act = { do: 'write', path: "/w/it's", text: 'a "b" $(c) `d`\n' } as const;
  expect(toolCall(act, ['exec_command'])?.input).toEqual({
    cmd: `mkdir -p '/w' && printf %s 'a "b" $(c) \`d\`\n' > '/w/it'\\''s'`,
  });
  expect(toolCall(act, ['read'])).toBeUndefined();
});
