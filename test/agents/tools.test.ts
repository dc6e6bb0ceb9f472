/** Tools: every client's names lead to our words and back. */
import { expect, test } from 'vitest';
import { names } from '../../src/clients/core/client-record.ts';
import { CLIENT_TYPES, TOOLS } from '../../src/clients/core/records.ts';
import {
  isReadOnly,
  TOOL_WORDS,
  toolNames,
  toolWord,
  toolWords,
  unknownTools,
} from '../../src/permissions/core/tools.ts';

test.each(CLIENT_TYPES)('%s: each of its names is one of our words, and comes back', (client) => {
  for (const word of TOOL_WORDS) {
    const theirs = names(TOOLS[client][word]);
    for (const name of theirs) expect(toolWord(name), name).toBe(word);
    expect(toolNames(client, [word])).toEqual(theirs);
  }
});

test('names of somebody else stay, each once', () => {
  expect(toolWords(['Read', 'read_file', 'mcp__x__y', 'Bash(git log:*)'])).toEqual([
    'read',
    'mcp__x__y',
    'shell(git log *)',
  ]);
  expect(toolNames('gemini', ['shell', 'mcp__x__y', 'constructor'])).toEqual([
    'run_shell_command',
    'mcp__x__y',
    'constructor',
  ]);
  expect(toolWords(['*'])).toEqual(TOOL_WORDS);
});

test('who can write, edit or run something can change something', () => {
  expect(isReadOnly(['read', 'search', 'fetch', 'task', 'mcp__x__y'])).toBe(true);
  for (const word of ['write', 'edit', 'shell']) expect(isReadOnly(['read', word])).toBe(false);
});

test('GitHub Copilot’s names and sets, and what nobody knows', () => {
  const names = 'read edit search execute agent web todo'.split(' ');
  expect(names.map(toolWord)).toEqual(
    'read edit search shell task fetch'.split(' ').concat([undefined!]),
  );
  expect(
    toolWords(['search/codebase', 'web/fetch', 'execute/runInTerminal', 'runCommands']),
  ).toEqual(['search', 'fetch', 'shell']);
  expect(toolWords(['Custom-Agent', 'editFiles', 'github/*'])).toEqual([
    'task',
    'edit',
    'github/*',
  ]);
  const harmless = ['TodoWrite', 'mcp__x__y', 'memory-lane_find', 'github/*', 'a.b/c', 'read'];
  expect(unknownTools([...harmless, 'frobnicate', 'Browse'])).toEqual(['frobnicate', 'Browse']);
});
