/**
 * Plain words: phrases that must not occur in the messages, help texts and documents that people read.
 * Messages are the string literals of src/; comments and identifiers are not searched. Folders that
 * still have such phrases are listed, and the list only shrinks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Each with a sentence that it must find, and what to write instead. */
const PHRASES: readonly (readonly [phrase: RegExp, planted: string, instead: string])[] = [
  [
    /\bnobody (is|was|may|can be|knows|counted|begins|reads|else begins)\b/i,
    'Nobody is waited for.',
    'Nothing waits …',
  ],
  [/\b(to|by|held against|for) nobody\b/i, 'held against nobody', 'no agent, no person'],
  [/\banew\b(?!\.md)/i, 'it is reviewed anew', 'again'],
  [/\btold\b/i, 'changes are told', 'reported, shown, warned'],
  [/\bmeanwhile\b/i, 'it was moved meanwhile', 'since then'],
  [/\bheld against\b/i, 'it is held against it', 'counts against'],
  [/\bblot(s|ted)?\b/i, 'values are blotted out', 'redacted'],
  [/\b(himself|herself|his)\b/i, 'who marks one himself', 'they, the person, the role'],
  [/\bgoes? on (without|with|waiting)\b/i, 'goes on without its runner', 'is still running'],
  [/\b(is|are) of no\b/i, 'is of no item any more', 'belongs to no'],
  [/\bwhom (it|he|only|anybody)\b/i, 'whom it describes', 'the agents that it describes'],
  [/\bwithout a word\b/i, 'try again without a word', 'without a comment'],
  [/\bunasked\b/i, 'not made unasked', 'not created by default'],
  [
    /\bstands? (alone|as|at|before|below|in|none|on|only|outside|there|too|where)\b/i,
    'stands in ready',
    'is in',
  ],
  [/\bwhat (of it|little)\b/i, 'what of it was beyond', 'the part that'],
  [/\b(authority|authorities|rights)\b/i, 'beyond its authority', 'permissions'],
  [/\bbears? a name\b/i, 'bears a name', 'is named'],
  [/\bperson's to say\b/i, "a person's to say", 'reserved for people'],
];

/** Have such words for another reason: one lists words that mean nothing in a title, one reads old forms. */
const ALLOWED: readonly string[] = [
  'src/squads/core/squad-inference.ts',
  'src/checkpoints/text/decision.ts',
  // What others call it: docs/glossary.md#in-other-words.
  'docs/glossary.md',
];

/** The text of all string literals and templates, without the code in templates. */
function literalsOf(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (!('type' in node)) return void Object.values(node).forEach(visit);
    if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      found.push(node.value);
    if (node.type === 'TemplateElement' && 'value' in node)
      found.push((node.value as { cooked: string }).cooked);
    for (const [key, part] of Object.entries(node)) if (key !== 'parent') visit(part);
  };
  visit(parseAst(text, { lang: 'ts' }, path));
  return found;
}

/** Phrases in one file, as "path: phrase". */
function phrasesIn(path: string, text: string): string[] {
  const texts = path.endsWith('.ts') ? literalsOf(path, text) : text.split('\n');
  return texts.flatMap((one) =>
    PHRASES.flatMap(([phrase]) => phrase.exec(one)?.[0] ?? []).map((hit) => `${path}: ${hit}`),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') || name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const isAllowed = (path: string): boolean =>
  ALLOWED.some((one) => path === one || path.startsWith(`${one}/`));

const HITS = [...filesBelow('src'), ...filesBelow('docs'), 'README.md'].flatMap((path) =>
  phrasesIn(path, readFileSync(join(project, path), 'utf8')),
);

test('messages, help and documents are free of phrases that are hard to read', () => {
  expect(HITS.filter((hit) => !isAllowed(hit.split(':')[0] ?? ''))).toEqual([]);
  expect(ALLOWED, 'none is added; where one is gone, lower the number').toHaveLength(3);
});

test('permissions is the one word, also in code', () => {
  const words = /authorit(?:y|ies)\w*|\brights\b|\w+Rights\b/i;
  const files = [...filesBelow('src'), ...filesBelow('templates'), ...filesBelow('docs')];
  const found = files.filter(
    (path) =>
      path !== 'docs/glossary.md' &&
      words.test(readFileSync(join(project, path), 'utf8').replaceAll('XAUTHORITY', '')),
  );
  expect(found).toEqual([]);
  expect(['ownAuthority', 'the rights of', 'withRights'].every((one) => words.test(one))).toBe(
    true,
  );
});

test.each(ALLOWED)('%s is on the list because it has such phrases', (folder) => {
  expect(HITS.some((hit) => hit.startsWith(`${folder}/`) || hit.startsWith(`${folder}:`))).toBe(
    true,
  );
});

test.each(PHRASES)('%s finds what it is for', (phrase, planted) => {
  expect(phrase.test(planted)).toBe(true);
  const code = `// ${planted}\nexport const told = \`a $\{told} ${planted.replaceAll("'", "\\'")}\`;`;
  expect(phrasesIn('src/planted.ts', code).length).toBeGreaterThan(0);
  expect(phrasesIn('src/planted.ts', `// ${planted}\nexport const told = 'fine';`)).toEqual([]);
  expect(phrasesIn('docs/planted.md', `One.\n${planted}\n`).length).toBeGreaterThan(0);
});
