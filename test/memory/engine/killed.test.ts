/** A runner dies at each change between the outcome and the move: nothing is lost, and nothing is there twice. MOCK agents. */
import { expect, test } from 'vitest';
import { contractOf, handsIn, killedEverywhere } from '../killed-runner.ts';

const THERE = '.contracts/memory/pattern/there.md';

test('what a result teaches is kept once, whatever the runner died at', async () => {
  const { files } = await killedEverywhere({
    folders: ['.contracts/memory'],
    done: ['one'],
    files: {
      'active_tasks/ready/one/contract.md': contractOf('The sign-up form'),
      [THERE]: '# mine\n\nThe sign-up form posts its fields as JSON to the server\n',
    },
    script: handsIn(
      [
        '## Learnings\n',
        '- [pattern] The sign-up form posts its fields as JSON to the server, always',
        '- [pattern] The sign-up form posts all its fields as JSON to the server, too; gzip',
        '- [correction] Ask once',
        '- [correction] Ask once!',
        '- Never ask twice',
        '',
      ].join('\n'),
    ),
  });
  expect(files).toMatchInlineSnapshot(`
    {
      ".contracts/memory/candidates/ask-once.md": "---
    v: 1
    type: correction
    information: Ask once
    confidence: 0.7
    source:
      - one
    created: NOW
    ---
    - one: Ask once!
    ",
      ".contracts/memory/insight/never-ask-twice.md": "---
    v: 1
    type: insight
    information: Never ask twice
    confidence: 0.7
    source:
      - one
    created: NOW
    ---
    ",
      ".contracts/memory/pattern/the-sign-up-form-posts-all-its-fields-as-json-to.md": "---
    v: 1
    type: pattern
    information: The sign-up form posts all its fields as JSON to the server, too; gzip
    confidence: 0.7
    source:
      - one
    created: NOW
    ---
    ",
      ".contracts/memory/pattern/the-sign-up-form-posts-its-fields-as-json-to-the.md": "---
    v: 1
    type: pattern
    information: The sign-up form posts its fields as JSON to the server, always
    confidence: 0.7
    source:
      - one
    created: NOW
    ---
    ",
      ".contracts/memory/pattern/there.md": "---
    uses:
      - one
    ---

    # mine

    The sign-up form posts its fields as JSON to the server
    ",
    }
  `);
});
