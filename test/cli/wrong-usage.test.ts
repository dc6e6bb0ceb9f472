/**
 * What is said to somebody who typed it wrong: the flag or the word is named, what was meant where
 * that can be told, and nothing is done.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../src/task/core/model/problem.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';

let room: string;
beforeEach(() => void (room = sealedFolder('wrong')));

const contracts = (...argv: string[]) => saidHere(['-C', room, ...argv]);

describe('what was meant', () => {
  test.each([
    [['new', 'T', '--depends-on', 'A!'], /^error: --depends-on has a value .*for --depends-on\.$/m],
    [['new', 'T', '--deliverable', '../x'], /^error: --deliverable: the path has a \.\. segment/],
    [['new', 'T', '--context-file', '/x'], /^error: --context-file: the path is absolute/],
    [['new', 'T', '--id', 'Ö'], /^error: --id: this is not a task id/],
    [
      ['new', 'T', '--id', 'con'],
      /^error: --id: this is not a task id: it is reserved, a device name of Windows \(found con, /,
    ],
    [['new', 'T', '--id', 'NUL'], /it is reserved, a device name of Windows \(found NUL, /],
    [['new', 'T', '--id', 'constructor'], /it is reserved, a word of JavaScript \(/],
    [['list', '--state', 'redy'], /Did you mean ready\? contracts list --state ready$/m],
    [
      ['list', '--waits-for', 'presno'],
      /Did you mean person\? contracts list --waits-for person$/m,
    ],
    [['list', '--waits-for', 'xyz'], /Name one: contracts list --waits-for me$/m],
    [['init', '--with', 'schmas'], /Did you mean schemas\?$/m],
    [['lst'], /^error: unknown command 'lst'\n\(Did you mean list\?\)\nSee: contracts --help\n$/],
    [
      ['help', 'lst'],
      /^error: unknown command 'lst'\n\(Did you mean list\?\)\nSee: contracts --help\n$/,
    ],
  ])('%j', async (argv, words) => {
    await contracts('init');
    const said = await contracts(...argv);
    expect(said.err).toMatch(words);
    expect(said.err.match(/error:/g)).toHaveLength(1);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(readdirSync(join(room, 'active_tasks/draft'))).toEqual(['.gitkeep']);
  });

  test('all flags of new that are wrong are told at once', async () => {
    await contracts('init');
    const wrong = ['--context-file', '/x', '--timeout', '5x', '--deliverable', '../x'];
    const { err } = await contracts('new', 'T', ...wrong);
    expect(err.match(/^error: --\w+/gm)).toEqual([
      'error: --context',
      'error: --deliverable',
      'error: --timeout',
    ]);
  });

  test('a misspelt word in a contract, with its line', async () => {
    mkdirSync(join(room, 'active_tasks/draft/one'), { recursive: true });
    const file = 'active_tasks/draft/one/contract.md';
    writeFileSync(join(room, file), '---\ntitle: One\npriority: hihg\n---\n');
    expect((await contracts('check')).out).toContain(`${file}:3:1: error: priority has a value`);
    expect((await contracts('check')).out).toContain('Did you mean high? Write one of');
  });

  test('a reason behind the id of a move: nothing is moved, and where it belongs is said', async () => {
    await contracts('init');
    await contracts('new', 'One', '--id', 'one', '--sh', 'true');
    expect(await contracts('abort', 'one', 'not needed any more')).toEqual({
      code: 2,
      out: '',
      err: 'error: abort takes ids, and no reason (found not needed any more). Leave the reason in a note: contracts note ID "…"; then contracts abort ID\n',
    });
    expect(existsSync(join(room, 'active_tasks/draft/one'))).toBe(true);
  });

  test('a word that decides, with words behind it, for what is no checkpoint', async () => {
    await contracts('init');
    const folder = join(room, 'active_tasks/questions/one');
    putFile(join(folder, 'contract.md'), '---\ntitle: One\n---\n');
    writeFileSync(join(folder, 'questions.md'), '## Questions\n\n1. Which?\n');
    const said = await contracts('answer', 'one', 'review', 'it once more');
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('Give it: contracts answer ID "…"');
    expect(readdirSync(folder).sort()).toEqual(['contract.md', 'questions.md']);
    expect(readFileSync(join(folder, 'questions.md'), 'utf8')).not.toContain('once more');
  });

  test('help for help, and for nothing, is the help', async () => {
    for (const argv of [['help'], ['help', 'help']]) {
      expect((await contracts(...argv)).out).toMatch(/^Usage: contracts/);
    }
    expect((await contracts('help', 'list')).out).toMatch(/^Usage: contracts list/);
  });
});

describe('wrong usage', () => {
  test('the help that is named is that of the verb', async () => {
    await contracts('init');
    expect((await contracts('show')).err).toContain('See: contracts show --help\n');
    expect((await contracts('list', '--al')).err).toContain('See: contracts list --help\n');
    expect((await contracts('lst')).err).toContain('See: contracts --help\n');
  });

  test.each([
    [['list', '--al'], "unknown option '--al'", 'Did you mean --all?'],
    [['lst'], "unknown command 'lst'", 'Did you mean list?'],
    [['show'], "missing required argument 'id'", 'Give it: contracts show ID'],
    [['approve'], "missing required argument 'id'", 'Give it: contracts approve ID'],
    [
      ['run', '--parallel', 'x\u009b'],
      "option '-p, --parallel <n>' argument 'x\u009b' is invalid",
      '',
    ],
  ])('with --json %j is a problem line too, and code 2', async (argv, message, fix) => {
    await contracts('init');
    const plain = await contracts(...argv);
    const { code, out, err } = await contracts(...argv, '--json');
    expect([code, err]).toEqual([2, plain.err]);
    expect(plain.out).toBe('');
    expect(out).not.toContain('\u009b');
    const lines = checkedLines(out) as { event: string; problem: Problem }[];
    expect(lines).toHaveLength(1);
    expect(lines[0]?.event).toBe('problem');
    expect(lines[0]?.problem.message).toContain(message);
    expect(lines[0]?.problem.fix).toContain(fix);
  });

  test('what was typed is in no file: no place is shown, also from a folder below', async () => {
    await contracts('init');
    const wrong = await contracts('list', '--graph', 'tre');
    expect(wrong.err).toMatch(/^error: --graph takes tree, mermaid, dot \(found tre\)\. /);
    await contracts('new', 'One', '--id', 'one', '--run', 'true', '--sh', 'true');
    const below = await contracts('-C', join(room, 'active_tasks'), 'edit', 'one', 'foo');
    expect(below.err).toMatch(/^error: there is no file of this name/);
  });

  test('help names no empty defaults, and is wrapped at 60 cells', async () => {
    const { out: first } = await saidHere(['help', 'new'], {}, 60);
    const help = `${first}${(await saidHere(['help', 'watch'], {}, 60)).out}`;
    expect(help).not.toContain('[])');
    expect(help).toMatch(/\(default:\s+5\)/);
    const described = help.split('\n').filter((line) => /^ {2}-| {20}\S/.test(line));
    expect(described.length).toBeGreaterThan(20);
    expect(described.filter((line) => line.length > 60)).toEqual([]);
  });

  test('show has no heading without lines below it', async () => {
    await contracts('init');
    mkdirSync(join(room, 'active_tasks/draft/bare'), { recursive: true });
    writeFileSync(join(room, 'active_tasks/draft/bare/contract.md'), '# Bare\n');
    expect((await contracts('show', 'bare')).out).not.toContain('Success criteria');
  });
});
