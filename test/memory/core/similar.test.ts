/** What is merged, what is shown as a contradiction, and what only to be read together. */
import { describe, expect, test } from 'vitest';
import { contradicting, pairsIn, sameAs } from '../../../src/memory/core/similar.ts';
import { kept } from '../kept.ts';

function likeness(one: string, other: string): string {
  const pair = (a: string, b: string) => pairsIn([kept(a), kept(b, { id: 'b' })])[0]?.likeness;
  const there = pair(one, other) ?? 'other';
  expect(pair(other, one) ?? 'other', 'in the other order').toBe(there);
  return there;
}

describe('merged: words were added at most', () => {
  test.each([
    ['Use Zod for input', 'use ZOD for the input!'],
    ['Check the input of each form with Zod', 'Always check the input of each form with Zod'],
    ['The build needs Node 20 and pnpm 9', 'The build needs Node 20 and pnpm 9 installed'],
    ['Do not log the passwords of users', 'Don’t log the passwords of users'],
    ['Do not log the passwords of users', 'Never log the passwords of users'],
  ])('%s, %s', (one, other) => expect(likeness(one, other)).toBe('same'));
});

describe('the same choice, however it is worded', () => {
  const WORDED = [
    'Use Zod, not io-ts',
    'No, use Zod not io-ts',
    'User prefers Zod over io-ts',
    'The user prefers Zod to io-ts',
    'Use Zod instead of io-ts',
    'Use Zod rather than io-ts.',
    'Instead of io-ts, use Zod',
    'Instead of io-ts use Zod',
    'Do not use io-ts, use Zod instead',
    "Don't use io-ts; use Zod",
    'Never use io-ts: use Zod',
    'Avoid io-ts. Use Zod.',
    'We favour Zod over io-ts',
    'Zod, not io-ts',
    'Use Zod and not io-ts',
    'Not io-ts, use Zod',
    'Not io-ts but Zod',
    'Nimm Zod, nicht io-ts',
    'Lieber Zod als io-ts',
    'Verwende Zod statt io-ts',
    'Replace io-ts with Zod',
    'Zod is better than io-ts',
    'Zod beats io-ts',
  ];
  test.each(WORDED)('%s', (words) => {
    for (const other of WORDED) expect(likeness(words, other), other).toBe('same');
    for (const turned of WORDED) {
      const other = turned.replace('io-ts', '#').replace('Zod', 'io-ts').replace('#', 'Zod');
      expect(likeness(words, other), other).toBe('against');
    }
  });

  test.each([
    ['Use Node.js over Deno', 'Deno, not Node.js'],
    ['Prefer tabs to spaces', 'Use spaces rather than tabs'],
    ['Commit with rebase, not merge', 'Commit with merge, not rebase'],
    ['In forms use Zod, not io-ts', 'Prefer io-ts to Zod in forms'],
    // Each pair has one stem.
    ['Use HTTPS, not HTTP', 'Use HTTP, not HTTPS'],
    ['Use https, not http', 'Use HTTP, not HTTPS'],
    ['Prefer a form over forms', 'Prefer forms to a form'],
    ['Redirect HTTP to HTTPS', 'Redirect HTTPS to HTTP'],
    ['Redirect the form of the shop to forms', 'Redirect the forms of the shop to a form'],
    ['Zod is faster than io-ts', 'io-ts is faster than Zod'],
  ])('%s, %s', (one, other) => expect(likeness(one, other)).toBe('against'));
});

describe('contradictions: one of them is wrong', () => {
  test.each([
    ['Retry 3 times', 'Retry 5 times'],
    ['Use Node 20', 'Use Node 22'],
    ['Use Node v20', 'Use Node v22'],
    ['Use port 3000.', 'Use port 8080'],
    ['The cache of the shop lives 60 seconds', 'The cache of the shop lives 90 seconds'],
    ['Validate all input before saving it', 'Validate all input after saving it'],
    ['Turn the cache on in tests', 'Turn the cache off in tests'],
    [
      'Scale the pool of the import service up at night',
      'Scale the pool of the import service down at night',
    ],
    ['Do not log errors, retry them', 'Log errors, do not retry them'],
    [
      'The API of the shop returns prices in cents with tax',
      "The API of the shop doesn't return prices in cents with tax",
    ],
    [
      'The API of the shop returns prices in cents with tax',
      'The API of the shop doesn’t return prices in cents with tax',
    ],
    ['Convert the price from cents to euros', 'Convert the price from euros to cents'],
    ['Commit with the lock file', 'Commit without the lock file'],
    ['Keep more than two replicas of the queue', 'Keep less than two replicas of the queue'],
    ['Move the users to Auth0', 'Move the users from Auth0'],
    ['Retry all requests of the queue', 'Retry some requests of the queue'],
    ['Log the body of requests', 'Never log the body of requests'],
  ])('%s, %s', (one, other) => expect(likeness(one, other)).toBe('against'));
});

describe('never merged, and no contradiction', () => {
  test.each([
    ['Use A, not B', 'Use B, not A'],
    ['Call the API of the shop by HTTPS', 'Call the API of the shop by HTTP'],
    ['Use HTTPS for the shop', 'Use HTTPS over HTTP for the shop'],
    ['Agents may edit the config', 'Agents must edit the config'],
    ['Agents can edit the config', 'Agents must edit the config'],
    ['Validate input on the server', 'Validate input only on the server'],
    ['Use Zod in forms of the shop, not yup', 'Use Zod in forms of the shop, not joi'],
    ['Use Zod, not io-ts', 'For all input of forms prefer Zod over io-ts'],
    ['Turn the cache off in the tests', 'Turn off the cache in tests of the shop'],
    ['Validate the form in the browser', 'Validate the form with the browser'],
    ['Before you save the form, validate it', 'Validate the form before saving'],
    ['Use pnpm over npm', 'Use pnpm; npm is not installed'],
  ])('%s, %s', (one, other) => expect(likeness(one, other)).toBe('close'));
});

describe('neither', () => {
  test.each([
    ['Use Zod for input', 'The logo is blue'],
    ['Use Zod', 'Use Zod for each form, in src/forms, with messages in two languages'],
    ['', ''],
    ['20', '22'],
    ['the', 'a'],
  ])('%s, %s', (one, other) => expect(likeness(one, other)).toBe('other'));
});

test('what is to be done is never merged with what is to be left', () => {
  const wrong = kept('Mock the database in unit tests', { id: 'b', type: 'anti_pattern' });
  const right = kept('Mock the database in unit tests', { type: 'pattern' });
  expect(sameAs(right, [wrong])).toBeUndefined();
  expect(pairsIn([right, wrong])).toMatchObject([{ likeness: 'against' }]);
  const left = kept('Do not mock the database in unit tests', { type: 'pattern' });
  expect(pairsIn([left, wrong]), 'two denials').toMatchObject([{ likeness: 'close' }]);
  expect(sameAs(wrong, [wrong])).toBe(wrong);
});

test('words that are too common to be compared are the same as themselves', () => {
  const one = kept('Not like this.');
  expect(sameAs(one, [one])).toBe(one);
});

test('the first that says the same, the first that may say the opposite, and never itself', () => {
  const all = [
    kept('Use io-ts, not Zod', { id: 'against' }),
    kept('Use Zod, not io-ts', { id: 'same' }),
  ];
  const one = kept('Use Zod, not io-ts!', { id: 'one' });
  expect(sameAs(one, all)?.id).toBe('same');
  expect(contradicting(one, all)?.id).toBe('against');
  expect(contradicting(all[0]!, [all[0]!])).toBeUndefined();
});
