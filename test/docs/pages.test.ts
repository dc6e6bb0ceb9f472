/**
 * The documents as a reader finds them: each link and each heading that a link names exists, each page
 * can be reached from docs/README.md, what is printed from the code is as the code has it now, and the
 * README stays short. Their commands are run by test/docs/readme.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { REVIEW_OUTCOMES, WORK_OUTCOMES } from '../../src/task/core/attempts/record.ts';
import { configSchema } from '../../src/task/core/model/policy.ts';
import { BINARY } from '../support/binary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README_BYTES_MAX = 10_000;
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].toSorted();

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Without code, where neither links nor headings count. */
function prose(page: string): string {
  return page
    .replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1$/gm, '')
    .replaceAll(/`[^`\n]*\]\([^`\n]*`/g, '');
}

/** As GitHub names headings: lower case, without punctuation, blanks as hyphens, equal ones numbered. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = [...prose(page).matchAll(/^#{1,6} (.+)$/gm)].map((one) => one[1] ?? '');
  return new Set(
    headings.map((heading) => {
      const plain = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const before = seen.get(plain) ?? 0;
      seen.set(plain, before + 1);
      return before === 0 ? plain : `${plain}-${before}`;
    }),
  );
}

interface Link {
  readonly target: string;
  readonly file: string;
  readonly anchor: string | undefined;
}

function linksOf(page: string, text: string): readonly Link[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((one) => one[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { target, file: path === '' ? page : join(dirname(page), path), anchor };
    });
}

function broken(page: string, text: string): readonly string[] {
  return linksOf(page, text)
    .filter(({ file, anchor }) => {
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file === page ? text : textOf(file)).has(anchor);
    })
    .map(({ target }) => target);
}

test.each(PAGES)('each link of %s leads somewhere', (page) => {
  expect(broken(page, textOf(page))).toEqual([]);
});

test('a link to a file or a heading that is not there is found', () => {
  const text = '# Here\n\n[a](#here) [b](#gone) [c](docs/gone.md) [d](docs/concepts.md#gone)\n';
  expect(broken('README.md', text)).toEqual(['#gone', 'docs/gone.md', 'docs/concepts.md#gone']);
});

/** Of a folder, its README. */
const pageAt = (file: string): string =>
  PAGES.includes(file) ? file : `${file.replace(/\/$/, '')}/README.md`;

test('each page can be reached from the list of documents', () => {
  const reached = new Set<string>();
  const queue = ['docs/README.md'];
  for (const page of queue) {
    if (reached.has(page) || !PAGES.includes(page)) continue;
    reached.add(page);
    queue.push(...linksOf(page, textOf(page)).map(({ file }) => pageAt(file)));
  }
  expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
});

const SOURCES = ['src', 'test', 'scripts', 'bench', 'templates/demo'];
const CITED = /^\s*(?:\/?\*|\/\/).*?\b(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/;
/** Documents that a reader of the repository does not have. */
const ELSEWHERE = /\b(?:DESIGN|PROTOCOL|HOUSE|STYLE|WORDS)(?:\.md)? (?:§|steps? \d|\d)/;

/** `file:line: text` of each comment that cites what is not there. */
function wrongCitations(file: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, i) => {
    const [, page, anchor] = CITED.exec(line) ?? [];
    const isThere =
      page === undefined ||
      (PAGES.includes(page) && (anchor === undefined || anchorsOf(textOf(page)).has(anchor)));
    return isThere && !ELSEWHERE.test(line) ? [] : [`${file}:${i + 1}: ${line.trim()}`];
  });
}

test('each document that a comment cites has that heading', () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs|cjs)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const all = files.map((file) => [file, textOf(file)] as const);
  expect(all.filter(([, text]) => /docs\/protocol\.md#/.test(text)).length).toBeGreaterThan(3);
  expect(all.flatMap(([file, text]) => wrongCitations(file, text))).toEqual([]);
});

test('a comment that cites what is not there is found', () => {
  const wrong = [' * (docs/protocol.md#gone)', '// see docs/gone.md', ` * (${'DESIGN'} §5)`];
  const right = [' * (docs/protocol.md#claim)', "test('docs/gone.md', () => {});"];
  expect(wrongCitations('a.ts', [...wrong, ...right].join('\n'))).toHaveLength(wrong.length);
});

test('the messages in troubleshooting are those of the code', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => textOf(`src/${name}`).replaceAll(/\s+/g, ' '))
    .join('\n');
  const cells = [...textOf('docs/troubleshooting.md').matchAll(/^\| (.+?) \| /gm)];
  const messages = cells
    .flatMap((cell) => [...(cell[1] ?? '').matchAll(/`([^`]+ [^`]+)`/g)])
    .map((one) => one[1] ?? '');
  expect(messages.length).toBeGreaterThan(5);
  expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
});

test('each outcome is explained', () => {
  const explained = new Set(
    [...textOf('docs/reference/attempts.md').matchAll(/^\| `([a-z_]+)` \| /gm)].map(
      (one) => one[1] ?? '',
    ),
  );
  const outcomes = new Set<string>([...WORK_OUTCOMES, ...REVIEW_OUTCOMES]);
  expect([...outcomes].filter((one) => !explained.has(one))).toEqual([]);
});

test('each configuration that is shown is one', () => {
  const shown = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/```yaml\n(?=# \.contracts\/config\.yaml)([^]*?)```/g)].map(
      (one) => [page, one[1] ?? ''] as const,
    ),
  );
  expect(shown.length).toBeGreaterThan(5);
  const wrong = shown.filter(([, text]) => !configSchema().safeParse(parse(text)).success);
  expect(wrong).toEqual([]);
});

test('the README is short, and its parts are in order', () => {
  const text = textOf('README.md');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(README_BYTES_MAX);
  expect([...prose(text).matchAll(/^## (.+)$/gm)].map((one) => one[1])).toEqual([
    'Two commands',
    'Five minutes',
    'A real agent in two minutes',
    'What is where',
    'By hand',
    'Commands',
    'A plan, a squad',
    'Safety',
    'What is promised',
    'More',
  ]);
});

test('the own agent of getting started has ten lines', () => {
  const [, agent = ''] =
    /<!-- file: agent\.mjs -->\n```js\n([^]*?)\n```/.exec(textOf('docs/getting-started.md')) ?? [];
  expect(agent.split('\n').length).toBe(10);
});

test('the twelve commands of the README are commands', () => {
  const [, table = ''] = /## Commands\n([^]*?) are the first/.exec(textOf('README.md')) ?? [];
  const names = [...table.matchAll(/`([a-z-]+)`/g)].map((one) => one[1] ?? '');
  expect(names).toHaveLength(12);
  const reference = textOf('docs/reference/commands.md');
  expect(names.filter((name) => !reference.includes(`\n### contracts ${name}\n`))).toEqual([]);
});

test('every command is in the reference', () => {
  const help = spawnSync('node', [BINARY, 'help', '--all'], { encoding: 'utf8' }).stdout;
  const verbs = [...help.matchAll(/^ {2}([a-z-]+) {2,}/gm)]
    .map((one) => one[1] ?? '')
    .filter((one) => one !== 'help' && one !== 'contracts');
  expect(verbs.length).toBeGreaterThan(15);
  const reference = textOf('docs/reference/commands.md');
  expect(verbs.filter((name) => !reference.includes(`\n### contracts ${name}\n`))).toEqual([]);
});

test('states, commands and the picture are those of the code', () => {
  const checked = spawnSync('node', [join(ROOT, 'scripts/make-docs.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect(checked.stderr).toBe('');
  expect(checked.status).toBe(0);
});
