/**
 * Writes what the documents have from the built command: the table of states into docs/concepts.md, the
 * commands into docs/reference/commands.md, the picture of the README. Run it after a change of what is
 * printed: npm run docs. `--check` writes nothing and names the files that are out of date.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { picture } from './picture.mjs';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = join(PROJECT, 'dist', 'bin', 'contracts.cjs');
const env = { ...process.env, COLUMNS: '100', NO_COLOR: '1', FORCE_COLOR: undefined };

function contracts(...args) {
  return execFileSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', env }).trimEnd();
}

function marked(text, name, made) {
  const marks = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new Error(`no <!-- ${name} --> to write between`);
  return text.replace(marks, (_whole, begin, end) => `${begin}${made}\n${end}`);
}

/** `Work:` and the names below it, as `help --all` groups them. */
function groups() {
  const found = [];
  for (const line of contracts('help', '--all').split('\n')) {
    const heading = /^([A-Z][a-z, ]+):$/.exec(line)?.[1];
    const name = /^ {2}([a-z-]+) {2,}/.exec(line)?.[1];
    if (heading !== undefined) found.push({ heading, names: [] });
    else if (name !== undefined) found.at(-1)?.names.push(name);
  }
  return found.filter(({ names }) => names.length > 0);
}

/** Those of `plan` are `plan new`, `plan check` and so on. */
function below(help) {
  const [, commands = ''] = /\nCommands:\n((?: {2}.*\n)+)/.exec(`${help}\n`) ?? [];
  return [...commands.matchAll(/^ {2}([a-z-]+) /gm)]
    .map((one) => one[1])
    .filter((one) => one !== 'help');
}

function command(words, depth = 3) {
  const help = contracts(...words, '--help');
  const shown = help.replace(/^ +-h, --help .*\n/m, '').replace(/\nOptions:\n(?=\n)/, '\n');
  const own = `${'#'.repeat(depth)} contracts ${words.join(' ')}\n\n\`\`\`\n${shown}\n\`\`\``;
  return [own, ...below(help).flatMap((one) => command([...words, one], depth + 1))];
}

function commands() {
  const parts = groups().flatMap(({ heading, names }) => [
    `## ${heading}`,
    ...names.flatMap((name) => command([name])),
  ]);
  return `\n${parts.join('\n\n')}\n`;
}

/** What each agent of the package may do, a row each, from what the command says of it. */
function roles() {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-docs-'));
  try {
    contracts('init', folder);
    const json = (...words) =>
      contracts('-C', folder, ...words, '--json')
        .split('\n')
        .map((line) => JSON.parse(line));
    const named = json('agents').filter(({ event, source }) => event === 'agent' && source === 'built-in'); // prettier-ignore
    const rows = named.map(({ name }) => {
      const [{ permissions, delegates_to: gives }] = json('agents', 'show', name);
      const { write, create, delete: removes, append, git } = permissions;
      const cells = [write, create, removes, append].map(shownGlobs);
      return `| ${[`\`${name}\``, ...cells, git.join(', ') || 'no', gives.length > 0 ? 'yes' : 'no'].join(' | ')} |`;
    });
    const head = '| agent | changes | creates | deletes | appends to | git | delegates |';
    return [head, '| --- | --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first two; a star on its own is Markdown. */
function shownGlobs(globs) {
  const shown = globs.slice(0, 2).map((one) => `\`${one.replace('.contracts/plans/', 'plans/')}\``);
  const more = globs.length > 2 ? ` and ${globs.length - 2} more` : '';
  return shown.length === 0 ? 'no' : `${shown.join(', ')}${more}`;
}

const FILES = {
  'docs/ways.md': (text) => marked(text, 'roles', roles()),
  'docs/concepts.md': (text) => marked(text, 'states', contracts('help', 'states')),
  'docs/reference/commands.md': (text) => marked(text, 'commands', commands()),
  'docs/picture.svg': () => picture(),
};

const stale = [];
for (const [name, make] of Object.entries(FILES)) {
  const file = join(PROJECT, name);
  const text = read(file);
  const next = make(text);
  if (next === text) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(file, next);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}. Run: npm run docs`);
  process.exitCode = 1;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
