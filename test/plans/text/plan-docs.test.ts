/** docs/reference/plans.md says of plans what the code reads: its example, its marks and its keys. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { attributeKey } from '../../../src/plans/text/attributes.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/reference/plans.md', import.meta.url)),
  'utf8',
);

it('the example is read without a warning', () => {
  const example = /```markdown\n([^]*?)```/.exec(page)![1]!;
  const read = parsePlan(example, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { squad, checkpoint, waves, items, warnings } = read.value;
  expect({ squad, checkpoint, waves: waves.map(({ title }) => title), warnings }).toEqual({
    squad: 'marketing',
    checkpoint: 'po',
    waves: ['Ground', 'Work'],
    warnings: [],
  });
  expect(items.map(({ wave, executors, criteria }) => [wave, executors, criteria.length])).toEqual([
    [1, ['analyst'], 2],
    [2, ['copywriter'], 0],
    [2, ['designer', 'copywriter'], 0],
  ]);
});

it('the names in a row are one key, and rows are different ones', () => {
  const rows = page
    .slice(page.indexOf('| key |'))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const keys = rows.map((row) => {
    const names = row
      .split('|')
      .slice(1, 3)
      .join(' ')
      .matchAll(/`([^`]+)`/g);
    const meant = new Set([...names].map((name) => attributeKey(name[1]!, 'inline', 'high')));
    expect([row, meant.size]).toEqual([row, 1]);
    return [...meant][0];
  });
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(23);
});

it('the words that are keys in lines before a value alone are no others', () => {
  const [line] = /Below an item, `agent`[^.]*/.exec(page)!;
  const words = [...line.matchAll(/`([a-z]+)`/g)].map((match) => match[1]!);
  expect(words).toHaveLength(7);
  for (const word of words) {
    expect([word, attributeKey(word, 'bold', 'what it is about')]).toEqual([word, undefined]);
    expect(attributeKey(word, 'inline')).toBeDefined();
  }
});

it.each(
  [...page.matchAll(/^\| (`\[.\]`(?: `\[.\]`)*) \| (.+) \|$/gm)].map((row) => [row[1]!, row[2]!]),
)('%s is %s', (marks, means) => {
  const words = { open: 'open', done: 'done', working: 'at work', dropped: 'given up' };
  for (const [, mark] of marks.matchAll(/`(\[.\])`/g)) {
    const read = parsePlan(`- ${mark} a\n`, 'plan.md');
    expect(read.ok && words[read.value.items[0]!.box.meaning]).toBe(means);
  }
});
