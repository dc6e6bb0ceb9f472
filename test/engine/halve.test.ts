/** Which of several are merged together: the table that people read, and what holds for any culprits. */
import { expect, test } from 'vitest';
import { halve } from '../../src/engine/merge/check-merged.ts';
import * as fc from '../support/property.ts';

const tasks = (text: string) => [...text].map((id) => ({ id }));
const names = (all: readonly { readonly id: string }[]): string => all.map(({ id }) => id).join('');

/** `bad`: sets that fail where all of one are there. `needs`: `ba` where b brings a along. */
async function play(all: string, bad: readonly string[], needs: readonly string[] = []) {
  const asked: string[] = [];
  const fails = (some: string): string | undefined =>
    bad.find((set) => [...set].every((one) => some.includes(one)));
  const halved = await halve(
    tasks(all),
    (some) => {
      asked.push(names(some));
      return Promise.resolve(fails(names(some)));
    },
    (task, other) => needs.includes(`${task.id}${other.id}`),
  );
  const left = halved.left.map((one) => {
    const why = one.needs ? `>${one.needs.id}` : names(one.together);
    return `${one.task.id}:${why}`;
  });
  return { passed: names(halved.passed), left, asked, fails };
}

test.each([
  ['abc', [], [], 'abc', [], 1],
  ['abc', ['b'], [], 'ac', ['b:'], 5],
  ['a', ['a'], [], '', ['a:'], 1],
  ['ab', ['ab'], [], 'a', ['b:a'], 3],
  ['abcdefgh', ['cg'], [], 'abcdefh', ['g:c'], 11],
  ['abc', ['abc'], [], 'ab', ['c:ab'], 5],
  ['abc', ['a'], ['ba'], 'c', ['a:', 'b:>a'], 4],
])('%s, %j fail, %j build on each other: %s', async (all, bad, needs, passed, left, most) => {
  const played = await play(all, bad, needs);
  expect([played.passed, played.left]).toEqual([passed, left]);
  expect(played.asked.length).toBeLessThanOrEqual(most);
});

const set = fc.subarray([...'abcdefgh'], { minLength: 1, maxLength: 3 }).map((one) => one.join(''));

test('any culprits: what is merged passes, and each other one fails as it is said', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(set, { maxLength: 4 }), async (bad) => {
      const { passed, left, asked, fails } = await play('abcdefgh', bad);
      expect(fails(passed)).toBeUndefined();
      expect([...passed, ...left.map((one) => one[0])].toSorted().join('')).toBe('abcdefgh');
      expect(new Set(asked).size).toBe(asked.length);
      for (const one of left) {
        const [id = '', together = ''] = one.split(':');
        expect(fails(id) === undefined).toBe(together !== '');
        expect(fails(together + id)).toBeDefined();
        expect(fails(together)).toBeUndefined();
      }
    }),
  );
});
