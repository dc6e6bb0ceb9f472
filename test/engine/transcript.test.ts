/**
 * What the real clients printed (test/agent/lines) as `logs` and `show` tell it: a line for each thing
 * that happened, its time where the client tells one, how each tool ended, each refusal once.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AgentProgress } from '../../src/process/adapter.ts';
import { clients, readAcp, timeOf } from '../../src/clients/adapters/clients.ts';
import type { ClientType } from '../../src/clients/core/records.ts';
import { Transcript } from '../../src/engine/attempt/transcript.ts';

const FOLDER = fileURLToPath(new URL('../clients/lines/', import.meta.url));
const ROOT = '/home/you/shop';

function shownOf(read: (line: string) => readonly AgentProgress[], log: string): string[] {
  const words = new Transcript({ read, timeOf, roots: [ROOT] });
  const lines = [...log.split('\n').flatMap((line) => words.take(line)), ...words.end()];
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'hh:mm:ss '));
}

const recorded = (client: ClientType, story: string): string[] =>
  shownOf(clients[client].read, readFileSync(`${FOLDER}${client}.${story}.txt`, 'utf8'));

const RESULT = 'active_tasks/.desk/greet.0001/result.md';

describe('what real clients printed', () => {
  test('claude: a command that failed', () => {
    expect(recorded('claude', 'failed-command')).toEqual([
      'hh:mm:ss Bash echo "Error: 2 tests failed"; exit 3 → exit 3: Error: 2 tests failed',
      'hh:mm:ss Bash echo "all 12 tests passed"',
      'hh:mm:ss Write out/greeting.txt',
      `hh:mm:ss Write ${RESULT}`,
      'hh:mm:ss Wrote the greeting.',
      '         model claude-sonnet-4-5, 500 tokens in, 50 out, $0.0023',
    ]);
  });

  test('claude: a refusal is told once, with the call', () => {
    expect(recorded('claude', 'denied').slice(0, 2)).toEqual([
      'hh:mm:ss Write README.md → denied: create README.md: the contract lets it write out/**',
      'hh:mm:ss Write out/greeting.txt',
    ]);
  });

  test('codex: it tells no time, and none is invented', () => {
    expect(recorded('codex', 'failed-command')).toEqual([
      'shell echo "Error: 2 tests failed"; exit 3 → exit 3: Error: 2 tests failed',
      'shell echo "all 12 tests passed" → exit 0',
      expect.stringMatching(/^shell mkdir -p 'out' && printf .* → exit 0$/),
      expect.stringMatching(/^shell mkdir -p 'active_tasks.* → exit 0$/),
      'Wrote the greeting.',
      '500 tokens in, 50 out',
    ]);
  });

  test('gemini: no exit codes, but the line that tells of an error', () => {
    expect(recorded('gemini', 'failed-command')).toEqual([
      'hh:mm:ss run_shell_command echo "Error: 2 tests failed"; exit 3 → Error: 2 tests failed',
      'hh:mm:ss run_shell_command echo "all 12 tests passed"',
      'hh:mm:ss write_file out/greeting.txt',
      `hh:mm:ss write_file ${RESULT}`,
      'hh:mm:ss Wrote the greeting.',
      '         model gemini-2.5-flash, 500 tokens in, 50 out',
    ]);
  });

  test('gemini: a refusal that is on stderr as well', () => {
    expect(recorded('gemini', 'denied').filter((line) => line.includes('denied'))).toEqual([
      'hh:mm:ss write_file README.md → denied: create README.md: the contract lets it write out/**',
    ]);
  });

  test('opencode: steps are summed', () => {
    expect(recorded('opencode', 'failed-command')).toEqual([
      'hh:mm:ss bash echo "Error: 2 tests failed"; exit 3 → exit 3: Error: 2 tests failed',
      'hh:mm:ss bash echo "all 12 tests passed" → exit 0',
      'hh:mm:ss write out/greeting.txt',
      `hh:mm:ss write ${RESULT}`,
      'hh:mm:ss Wrote the greeting.',
      '         500 tokens in, 50 out, $1.00',
    ]);
  });

  test('a model that refuses is told once', () => {
    for (const client of ['claude', 'codex', 'opencode'] as const) {
      const shown = recorded(client, 'error').join('\n');
      expect(shown.match(/scripted refusal 400/g), shown).toHaveLength(1);
      expect(shown).not.toContain('{"');
    }
    // Gemini prints it on stderr as well.
    expect(recorded('gemini', 'error').at(-2)).toBe(
      'hh:mm:ss error: API Error: scripted refusal 400',
    );
  });
});

test('the clock is the local one', () => {
  const words = new Transcript({ read: readAcp, timeOf, roots: [] });
  const at = new Date(2026, 10, 22, 9, 5, 7);
  const line = JSON.stringify({ kind: 'line', text: 'Done.', at: at.toISOString() });
  expect(words.take(line)).toEqual(['09:05:07 Done.']);
});

test('noise ends at its line, and is no part of the words that come in parts', () => {
  const read = clients.gemini.read;
  const part = (content: string): string =>
    JSON.stringify({ type: 'message', role: 'assistant', content, delta: true });
  const log = [part('Which '), part('guest?'), 'something on stderr', part('Ada?')].join('\n');
  expect(shownOf(read, log)).toEqual(['Which guest?', 'something on stderr', 'Ada?']);
});

test('somebody who watches sees a tool begin, and again only what its end says', () => {
  const words = new Transcript({ read: readAcp, timeOf, roots: ['/w'] });
  const tool = (call: string, detail: string): string =>
    JSON.stringify({ kind: 'tool', name: 'execute', detail, call });
  const end = (call: string, more: object): string =>
    JSON.stringify({ kind: 'result', call, ok: true, text: '', ...more });
  expect(words.take(tool('1', 'cd /w/a'))).toEqual([]);
  expect(words.running()).toEqual(['execute cd a']);
  expect(words.running()).toEqual([]);
  expect(words.take(end('1', {}))).toEqual([]);
  words.take(tool('2', 'npm test'));
  words.running();
  const failed = end('2', { ok: false, text: 'no', exit_code: 1 });
  expect(words.take(failed)).toEqual(['execute npm test → exit 1: no']);
  words.take(tool('3', 'sleep'));
  expect(words.end()).toEqual(['execute sleep']);
});
