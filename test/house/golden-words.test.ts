/** The masks of sentences in golden cases: a code and its fields in their place, and nothing else changed. */
import { expect, test } from 'vitest';
import { ended } from '../../src/engine/core/words/outcomes.ts';
import { wait } from '../../src/engine/core/words/waits.ts';
import { formatProblem, problem } from '../../src/task/core/model/problem.ts';
import { hear, Words } from '../support/golden-words.ts';
import { keptFields } from '../support/kept-fields.ts';

async function masked(make: () => string, has = true): Promise<string> {
  const words = new Words();
  const text = await hear(words, () => Promise.resolve(make()));
  return words.mask(
    text,
    (one) => one,
    () => has,
  );
}

test('a wait, an outcome and a problem are their codes, with what the sentence names', async () => {
  expect(
    await masked(() => {
      const { reason, fix } = wait('parent_aborted', { id: 'a', parent: 'p' });
      return `a  ready: ${reason}  → ${fix}`;
    }),
  ).toBe('a  ready: <wait: parent_aborted p>  → <fix: parent_aborted a p>');
  expect(await masked(() => `a  ${ended('exit_code', { code: 3 }).reason}: no`)).toBe(
    'a  <outcome: exit_code 3>: no',
  );
  const bad = { code: 'bad_value', file: 'a.md', line: 2, message: 'no title', fix: 'Add "one"' };
  const made = (): string => formatProblem(problem({ ...bad, code: 'bad_value', found: 'x 1' }));
  expect(await masked(made)).toBe('a.md:2:1: error: <bad_value x 1>');
  expect(await masked(made, false)).toBe('a.md:2:1: error: no title (found x 1). Add "one"');
});

test('a sentence in another one is masked there, in JSON too', async () => {
  expect(
    await masked(() => {
      const { reason } = ended('no_status', { unread: [] });
      const { fix } = wait('blocked', { id: 'a', why: reason, word: undefined });
      return JSON.stringify({ code: 'blocked', reason, fix });
    }),
  ).toBe('{"code":"blocked","reason":"<outcome: no_status>","fix":"<fix: blocked a>"}');
});

test('what nobody made stays, and so does a sentence that is a part of another word or phrase', async () => {
  const stays = 'a  waits for a verdict in review.md\nIt is done by hand\n';
  expect(await masked(() => stays)).toBe(stays);
  const { text } = { text: 'what it is done for\nis done-ish\n- it is done' };
  expect(
    await masked(() => {
      wait('ended', { id: 'a', state: 'done' });
      return text;
    }),
  ).toBe(text);
});

test('a field is kept where another value of it makes another sentence', () => {
  const words = (f: { id: string; all: { id: string }[]; hidden: string; ms: number }): string =>
    `waits for a ${f.all.map(({ id }) => id).join(' and ')}, ${f.ms / 1000} s${f.hidden === '' ? f.id : ''}`;
  const fields = { id: 'a', all: [{ id: 'b' }, { id: 'c' }], hidden: 'for', ms: 90_000 };
  expect(keptFields(fields, words)).toEqual(['b', 'c', '90']);
});
