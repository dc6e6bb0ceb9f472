// The rows of `memory find`: whether it finds what matters (60 queries over 300 learnings, written by somebody
// who had not seen the code; half of them share no content word with what they look for), and how long it takes.
// The weights of the search, and which lists of related words it has, were chosen by the first 60 queries. The
// 60 that are held out were written afterwards and nothing was chosen by them: theirs is the figure to believe.
// tags.json has what an agent wrote who was given the learnings and the sentence of the brief about tags alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { contracts } from './command.mjs';
import { wall } from './measure.mjs';
import { pair, row } from './table.mjs';
import { makeWorkspace } from './tree.mjs';

const FIRST = 5;
const MANY = 2000;
const dataOf = (name) =>
  JSON.parse(readFileSync(new URL(`retrieval/${name}.json`, import.meta.url), 'utf8'));

function write(root, learnings) {
  for (const { id, type, information, entities, tags, confidence } of learnings) {
    const folder = join(root, '.contracts/memory', type);
    mkdirSync(folder, { recursive: true });
    const head = {
      v: 1,
      type,
      information,
      entities,
      tags,
      confidence,
      created: '2026-11-01T00:00:00Z',
    };
    const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(join(folder, `${id}.md`), `---\n${lines.join('\n')}\n---\n`);
  }
}

/** Recall among the first five, and the mean reciprocal rank of the first that matters. */
export function scored(queries, idsFor) {
  const all = queries.map(({ query, relevant }) => {
    const ids = idsFor(query);
    const rank = ids.findIndex((id) => relevant.includes(id));
    const hits = relevant.filter((id) => ids.slice(0, FIRST).includes(id)).length;
    return { recall: hits / relevant.length, mrr: rank === -1 ? 0 : 1 / (rank + 1) };
  });
  const mean = (key) => all.reduce((sum, one) => sum + one[key], 0) / all.length;
  return { recall: mean('recall'), mrr: mean('mrr') };
}

/** How many of the words are in it, as a search for words does. */
export function plainSearch(learnings) {
  const wordsIn = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const texts = learnings.map(({ id, information, tags }) => [
    id,
    new Set(wordsIn([information, ...tags].join(' '))),
  ]);
  return (query) => {
    const words = [...new Set(wordsIn(query))].filter((word) => word.length > 2);
    return texts
      .map(([id, text]) => [id, words.filter((word) => text.has(word)).length])
      .filter(([, count]) => count > 0)
      .sort(([, a], [, b]) => b - a)
      .map(([id]) => id);
  };
}

/** Whether it finds what matters. */
function foundIn(folder) {
  const kept = dataOf('learnings');
  const tags = dataOf('tags');
  const tagged = kept.map((one) => ({ ...one, tags: tags[one.id] }));
  const sets = [
    ['60 queries by which it was tuned', kept, dataOf('queries')],
    ['60 queries held out', kept, dataOf('queries-held-out')],
    ['60 held out, tags as a brief asks', tagged, dataOf('queries-held-out')],
  ];
  const shownOf = (name, { recall, mrr }) => `${name} ${recall.toFixed(2)}, MRR ${mrr.toFixed(2)}`;
  for (const [name, all, queries] of sets)
    row(`memory find: recall@5 of ${name}`, '≥ 0.8', '', () => {
      const root = join(folder, `memory-${name}`);
      makeWorkspace(root);
      write(root, all);
      const ours = scored(queries, (query) => idsFound(root, query));
      const other = queries.filter(({ kind }) => kind === 'other_words');
      const parts = [
        shownOf('all', ours),
        shownOf(
          'in other words',
          scored(other, (query) => idsFound(root, query)),
        ),
        shownOf('plain word search', scored(queries, plainSearch(all))),
      ];
      return { ratio: ours.recall, shown: parts.join('; ') };
    });
}

function idsFound(root, query) {
  const options = ['--limit', '100', '--json', '--', query];
  const [program, ...argv] = contracts(root, 'memory', 'find', ...options);
  const lines = execFileSync(program, argv, { encoding: 'utf8' }).trim().split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line).id);
}

export function learnings({ folder, rounds }) {
  foundIn(folder);
  const many = join(folder, 'memories');
  const prepare = () => {
    makeWorkspace(many);
    const kept = dataOf('learnings');
    const all = Array.from({ length: MANY }, (_, n) => {
      const one = kept[n % kept.length];
      return { ...one, id: `l${n}`, information: `${one.information} (${n})` };
    });
    write(many, all);
  };
  let call = 0;
  // Something changed since the last call.
  const find = () => {
    writeFileSync(
      join(many, '.contracts/memory/insight/new.md'),
      `---\ninformation: number ${call++}\n---\n`,
    );
    return wall(contracts(many, 'memory', 'find', 'page through a long list'));
  };
  const show = () => wall(contracts(many, 'memory', 'show', '--json'));
  pair(`memory find in ${MANY} / memory show of them`, '≤ 2', '', rounds, find, show, prepare);
}
