/** The end of a session, with a small capability that keeps what it is given; and a capability's own sections. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { endSession, promptContext, startContext } from '../../src/sessions/engine/session.ts';
import { tokensAtMost } from '../../src/sessions/core/tokens.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open/workspace.ts';
import type { Capability, SessionEnded } from '../../src/workspace/tasks/capability.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('session-end');
  mkdirSync(join(root, '.contracts'));
});

function opened(...capabilities: readonly Capability[]): Workspace {
  const found = openWorkspace({ capabilities, dir: root });
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.value;
}

/** It keeps what it is given. */
function keeper(kept: SessionEnded[]): Capability {
  return {
    name: 'keeper',
    session_ended: async (_, ended) => {
      kept.push(ended);
    },
  };
}
const fails: Capability = {
  name: 'fails',
  session: async () => Promise.reject(new Error('broken')),
  session_ended: async () => Promise.reject(new Error('broken')),
};
const TOKEN = `ghp_${'a1'.repeat(18)}`;

test('the summary, the files below the root, corrections and the duration, without secrets', async () => {
  const kept: SessionEnded[] = [];
  const ws = opened(fails, keeper(kept));
  const use = (name: string, file_path: string) => ({
    type: 'tool_use',
    name,
    input: { file_path },
  });
  const talk = [
    { type: 'user', message: { role: 'user', content: `push with ${TOKEN}` } },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        content: [
          use('Write', join(root, 'src/b.ts')),
          use('Edit', 'src/a.ts'),
          use('Edit', '../lib/d.ts'),
          use('Edit', join(root, 'src/a.ts')),
          use('Edit', '/etc/passwd'),
          use('Edit', `${root}-evil/a.ts`),
          use('Read', join(root, 'src/c.ts')),
        ],
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: `no, never print ${TOKEN} in ${root}/src/a.ts, below ${root}`,
      },
    },
    { type: 'assistant', message: { role: 'assistant', content: 'I see.' } },
  ];
  const transcript_path = join(root, '../', `${root.split('/').at(-1)}.jsonl`);
  writeFileSync(transcript_path, `${talk.map((one) => JSON.stringify(one)).join('\n')}\n{"half":`);
  const given = { session_id: 'one', transcript_path, cwd: join(root, 'web') };
  const call = { ws, client: 'claude', given };
  await startContext(call);
  expect(await endSession(call)).toBe('');
  rmSync(transcript_path);
  expect(kept).toEqual([
    {
      client: 'claude',
      session: 'one',
      summary:
        '- asked: push with ***\n- asked: no, never print *** in src/a.ts, below .\n- last answer: I see.',
      files: ['lib/d.ts', 'src/a.ts', 'src/b.ts', 'web/src/a.ts'],
      corrections: ['no, never print *** in src/a.ts, below .'],
      duration_ms: expect.any(Number),
    },
  ]);
});

test('without a transcript and without a start there is an end all the same', async () => {
  const kept: SessionEnded[] = [];
  await endSession({ ws: opened(keeper(kept)), client: 'codex', given: {} });
  expect(kept).toEqual([
    {
      client: 'codex',
      session: '',
      summary: '',
      files: [],
      corrections: [],
      duration_ms: undefined,
    },
  ]);
});

test('sections come in the order of the capabilities; one that fails keeps no other from its part', async () => {
  const says = (name: string): Capability => ({
    name,
    session: async (_, { event, words }) => [
      { title: `${name} at ${event}`, text: `of ${JSON.stringify(words)}` },
      { title: 'nothing', text: ' \n' },
    ],
  });
  const ws = opened(says('memory'), fails, says('direction'));
  const head = expect.stringMatching(/^From contracts[^\n]+\n\n/) as string;
  const start = await startContext({ ws, client: 'claude', given: {} });
  expect(start).toEqual(head);
  expect(start.split('\n').slice(2)).toEqual([
    '## memory at start', '', 'of ""', '', '## direction at start', '', 'of ""',
  ]); // prettier-ignore
  const given = { prompt: '<hook_context>x</hook_context>\n\nfix it' };
  const text = await promptContext({ ws, client: 'gemini', given });
  expect(text).toContain('## memory at prompt\n\nof "fix it"');
  expect(text).not.toContain('nothing');
  expect(await promptContext({ ws, client: 'gemini', given })).toBe('');
});

test('what is too long is cut, and control characters are shown', async () => {
  const long: Capability = {
    name: 'long',
    session: async () => [{ title: 'x\u001b[2J', text: 'y'.repeat(50_000) }],
  };
  const text = await startContext({ ws: opened(long), client: 'claude', given: {} });
  expect(tokensAtMost(text)).toBeLessThanOrEqual(800);
  expect(text.length).toBeGreaterThan(800);
  expect(text).toContain('## x\\x1b[2J');
});
