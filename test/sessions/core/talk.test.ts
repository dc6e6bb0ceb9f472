/** Transcripts of the four clients, in the shapes that their pinned versions write, and what counts as a correction. */
import { expect, test } from 'vitest';
import {
  correctionsIn,
  isCorrection,
  ownWords,
  summaryOf,
  talkOf,
} from '../../../src/sessions/core/talk.ts';

const PROMPTS = ['fix the login', 'no, use Zod'];
const WANTED = { prompts: PROMPTS, answer: 'Done.', files: ['/w/src/a.ts'] };

const CLAUDE = [
  { type: 'queue-operation', operation: 'enqueue', content: 'fix the login' },
  { type: 'attachment', attachment: { type: 'hook_success', stdout: 'x' } },
  { type: 'user', message: { role: 'user', content: 'fix the login' } },
  { type: 'user', isMeta: true, message: { role: 'user', content: 'no, a note of the client' } },
  { type: 'user', message: { role: 'user', content: '<command-name>/clear</command-name>' } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', name: 'Read', input: { file_path: '/w/src/read.ts' } },
        { type: 'tool_use', name: 'Edit', input: { file_path: '/w/src/a.ts', old_string: 'x' } },
      ],
    },
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', content: 'no such file' }] },
  },
  { type: 'user', isSidechain: true, message: { role: 'user', content: 'what a subagent got' } },
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'no, use Zod' }] } },
  { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] } },
  { type: 'last-prompt', lastPrompt: 'no, use Zod' },
];

const message = (role: string, type: string, text: string) => ({
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type, text }] },
});
const CODEX = [
  { type: 'session_meta', payload: { id: 'x', cwd: '/w' } },
  message('developer', 'input_text', 'no: what the hook gave'),
  message('user', 'input_text', '<environment_context>\n</environment_context>'),
  message(
    'user',
    'input_text',
    '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nno\n</INSTRUCTIONS>',
  ),
  message('user', 'input_text', 'fix the login'),
  {
    type: 'event_msg',
    payload: { type: 'item_completed', item: { type: 'UserMessage', content: [] } },
  },
  {
    type: 'response_item',
    payload: {
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Update File: /w/src/a.ts\n@@\n*** End Patch',
    },
  },
  message('user', 'input_text', 'no, use Zod'),
  message('assistant', 'output_text', 'Done.'),
];

const GEMINI = [
  { sessionId: 'x', kind: 'main' },
  { $set: { messages: [{ type: 'user', content: [{ text: '<session_context>\n' }] }] } },
  {
    type: 'user',
    content: [
      { text: '<hook_context>given</hook_context>\n\nfix the login' },
      { text: '<hook_context>given too</hook_context>' },
    ],
  },
  {
    type: 'gemini',
    content: 'Let me see.',
    toolCalls: [
      { name: 'read_file', args: { file_path: '/w/src/read.ts' } },
      { name: 'write_file', args: { file_path: '/w/src/a.ts', content: '' } },
    ],
  },
  { type: 'user', content: [{ text: 'no, use Zod' }] },
  { type: 'gemini', content: 'Done.', thoughts: [] },
];

const OPENCODE = [
  {
    info: { role: 'user' },
    parts: [
      { type: 'text', text: 'what the hook gave', synthetic: true },
      { type: 'text', text: 'fix the login' },
    ],
  },
  {
    info: { role: 'assistant' },
    parts: [
      { type: 'step-start' },
      { type: 'tool', tool: 'write', state: { input: { filePath: '/w/src/a.ts' } } },
      { type: 'text', text: 'Let me see.' },
    ],
  },
  { info: { role: 'user' }, parts: [{ type: 'text', text: 'no, use Zod' }] },
  { info: { role: 'assistant' }, parts: [{ type: 'text', text: 'Done.' }] },
];

test.each([
  ['Claude Code', CLAUDE],
  ['Codex', CODEX],
  ['Gemini CLI', GEMINI],
  ['OpenCode', OPENCODE],
])('the transcript of %s', (_, lines: readonly unknown[]) => {
  expect(talkOf(lines)).toEqual(WANTED);
});

test('a summary has the first prompt, the last ones and the last answer; corrections come after the first', () => {
  const talk = talkOf(CLAUDE);
  expect(summaryOf(talk.prompts, talk.answer)).toBe(
    '- asked: fix the login\n- asked: no, use Zod\n- last answer: Done.',
  );
  expect(correctionsIn(talk.prompts)).toEqual(['no, use Zod']);
  expect(correctionsIn(['no build passes, fix it'])).toEqual([]);
});

test('long talks are short', () => {
  const prompts = Array.from({ length: 500 }, (_, i) => `no ${i} ${'x'.repeat(5000)}`);
  const talk = { prompts, answer: 'y'.repeat(50_000), files: [] };
  expect(summaryOf(talk.prompts, talk.answer).length).toBeLessThan(6000);
  expect(summaryOf(talk.prompts, talk.answer)).toMatch(
    /^- asked: no 0 [^]*\n- asked: no 489 [^]*\n- asked: no 499 /,
  );
  expect(correctionsIn(talk.prompts)).toHaveLength(12);
  expect(correctionsIn(talk.prompts).every((one) => one.length <= 300)).toBe(true);
});

test.each([[[null, 1, 'x', [], [[]], { message: null }, { content: [null, 7, { text: {} }] }]]])(
  'what is no transcript says nothing',
  (lines) => {
    expect(talkOf(lines)).toEqual({ prompts: [], answer: '', files: [] });
  },
);

test.each([
  ['no, use Zod', true],
  ['No!', true],
  ['No. The other one', true],
  ['nope', true],
  ["don't touch the tests", true],
  ['do not touch the tests', true],
  ['please don’t do that', true],
  ['not like that', true],
  ['instead, write a script', true],
  ['actually, keep the old name', true],
  ['wrong file', true],
  ["that's wrong", true],
  ['This is not what I asked for', true],
  ['I meant the other one', true],
  ['stop', true],
  ['revert that', true],
  ['ok, but not in this file', true],
  ['hmm, no', true],
  ['아니, 다른 파일', true],
  ['그렇게 하지 마', false],
  ['no problem, go on', false],
  ['no worries', false],
  ['not sure, what do you think?', false],
  ['now run the tests', false],
  ['note that the tests are slow', false],
  ['nothing else', false],
  ['north star', false],
  ['document it', false],
  ['add a test', false],
  ['is that wrong?', false],
  ['stopwatch component please', false],
  ['', false],
])('%j is a correction: %s', (message, wanted) => {
  expect(isCorrection(message)).toBe(wanted);
});

test.each([
  ['<hook_context>a</hook_context>\n\nfix it', 'fix it'],
  ['fix it', 'fix it'],
  ['say <hook_context>a</hook_context>', 'say <hook_context>a</hook_context>'],
])('of %j the person wrote %j', (prompt, wanted) => {
  expect(ownWords(prompt)).toBe(wanted);
});
