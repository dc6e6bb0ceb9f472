/**
 * The picture of the README: a terminal as an SVG, from a real run of the README's contract `greet.md`
 * by the built command. The window has its own background, so it is readable on light and dark pages;
 * each run of letters has its width given, so that any monospace font fits.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = join(PROJECT, 'dist', 'bin', 'contracts.cjs');

/** Done before the picture begins. */
const BEFORE = ['init', 'new --from greet.md --id greet', 'confirm greet'];
const SHOWN = ['run', 'answer greet Ada', 'run', 'approve greet', 'run'];

const CELL = 7.8;
const LINE = 19;
const EDGE = 18;
const BAR = 34;
const COLUMNS = 100;
const PLAIN = '#d6dbe4';
/** By the number of the ANSI colour. */
const COLOURS = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#f2cc60',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: '#8b949e',
};
const DIM = '#8b949e';

export function picture() {
  const room = mkdtempSync(join(tmpdir(), 'contracts-picture-'));
  const root = join(room, 'workspace');
  try {
    mkdirSync(root);
    const page = readFileSync(join(PROJECT, 'README.md'), 'utf8');
    const [, contract] = /<!-- file: greet\.md -->\n```markdown\n([^]*?\n)```/.exec(page) ?? [];
    if (contract === undefined) throw new Error('README.md has no greet.md to run');
    writeFileSync(join(root, 'greet.md'), contract);
    for (const line of BEFORE) contracts(root, line);
    const lines = SHOWN.flatMap((line) => [
      `\u001b[1m$ contracts ${line}\u001b[22m`,
      ...contracts(root, line).trimEnd().split('\n'),
    ]);
    return svg(lines);
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

function contracts(root, line) {
  const env = {
    ...process.env,
    NO_COLOR: undefined,
    CI: undefined,
    FORCE_COLOR: '1',
    COLUMNS: String(COLUMNS),
    CONTRACTS_SANDBOX: 'none',
    XDG_STATE_HOME: join(root, '..', 'state'),
  };
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync(process.execPath, [COMMAND, '-C', root, ...line.split(' ')], {
      encoding: 'utf8',
      cwd: root,
      env,
      stdio,
    });
  } catch (error) {
    // 1: a person is needed, which is what the picture shows.
    if (error.status === 1) return error.stdout;
    throw error;
  }
}

function svg(lines) {
  const wide = Math.max(...lines.map((line) => [...stripVTControlCharacters(line)].length));
  const width = Math.ceil(wide * CELL + 2 * EDGE);
  const height = BAR + lines.length * LINE + EDGE;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, i) => `<circle cx="${20 + i * 18}" cy="17" r="5.5" fill="${fill}"/>`,
  );
  const texts = lines.flatMap((line, i) => spans(line, BAR + (i + 1) * LINE - 5));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="contracts run in a terminal">`,
    '<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}.b{font-weight:bold}</style>',
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="#161b22" stroke="#484f58"/>`,
    ...dots,
    ...texts,
    '</svg>',
  ].join('\n')}\n`;
}

/** The runs of letters of a line that have one look. */
function spans(line, y) {
  const found = [];
  let look = { fill: PLAIN, bold: false };
  let column = 0;
  const [first, ...rest] = line.split('\u001b[');
  for (const part of [`m${first}`, ...rest]) {
    const end = part.indexOf('m');
    if (end > 0) look = part.slice(0, end).split(';').reduce(changed, look);
    const words = part.slice(end + 1);
    if (words.trim() !== '') found.push(text(words, look, column, y));
    column += [...words].length;
  }
  return found;
}

function changed(look, code) {
  const number = Number(code);
  if (number === 0) return { fill: PLAIN, bold: false };
  if (number === 1) return { ...look, bold: true };
  if (number === 2) return { ...look, fill: DIM };
  if (number === 22) return { fill: look.fill === DIM ? PLAIN : look.fill, bold: false };
  if (number === 39) return { ...look, fill: PLAIN };
  return { ...look, fill: COLOURS[number] ?? look.fill };
}

function text(part, { fill, bold }, column, y) {
  const indent = part.length - part.trimStart().length;
  const words = part.trim();
  const x = (EDGE + (column + indent) * CELL).toFixed(1);
  const wide = ([...words].length * CELL).toFixed(1);
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" textLength="${wide}" fill="${fill}"${bold ? ' class="b"' : ''}>${escaped}</text>`;
}
