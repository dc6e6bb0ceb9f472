/** What `answer`, `show` and `review` print about questions, without a terminal; real `sh` agents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

type Room = ReturnType<typeof commandRoom>;
let room: Room;
beforeEach(() => {
  room = commandRoom();
});

const THREE = '1. Which one?\n2. Which two?\n3. Which three?\n';
const fileOf = (id: string): string =>
  join(room.root, 'active_tasks/questions', id, 'questions.md');

/** Asks the tasks before their work; each agent asks the same. */
async function asked(questions: string, ...ids: readonly string[]): Promise<void> {
  room.write('asked.md', `## Questions\n\n${questions}`);
  room.write('.contracts/agent.sh', 'cp asked.md "$CONTRACTS_OUT/questions.md"\n');
  for (const id of ids)
    await room.said('new', `The ${id}`, '--id', id, '--criterion', 'it is printed');
  expect((await room.said('ask')).out).toContain('draft → questions');
}

/** Answers by hand, as a call that was killed leaves it. */
const byHand = (id: string, question: string, words: string): void => {
  const slot = `${question}\n\n### Answer\n`;
  const text = readFileSync(fileOf(id), 'utf8');
  expect(text).toContain(slot);
  writeFileSync(fileOf(id), text.replace(slot, `${slot}\n${words}\n`));
};

describe('answers behind the numbers of their questions', () => {
  test('of which one was there before are given to the others', async () => {
    await asked(THREE, 'a');
    byHand('a', '1. Which one?', 'x');
    const { code, out } = await room.said('answer', 'a', '1. x\n2. y\n3. z');
    expect([code, out]).toEqual([0, expect.stringContaining('question 1 has this answer already')]);
    expect(out).toContain('took "y" as the answer to 2');
    expect(out).toContain('took "z" as the answer to 3');
  });

  test('are refused where one is answered in other words, and none is written', async () => {
    await asked(THREE, 'a');
    byHand('a', '2. Which two?', 'why');
    const before = readFileSync(fileOf('a'), 'utf8');
    const { code, err } = await room.said('answer', 'a', '1. x\n2. y\n3. z');
    expect([code, err]).toEqual([2, expect.stringContaining('question 2 is already answered')]);
    expect(readFileSync(fileOf('a'), 'utf8')).toBe(before);
  });

  test('that no question has are one answer', async () => {
    await asked(THREE, 'a');
    const { out } = await room.said('answer', 'a', '3. x\n4. y');
    expect(out).toContain('took "3. x 4. y" as the answer to 1');
  });
});

test('a repeated answer says that it was there, and to whom it went', async () => {
  await asked('1. Which one?\n2. Which two?\n', 'a', 'b');
  byHand('a', '1. Which one?', 'x');
  const { out } = await room.said('answer', 'a', 'x');
  expect(out).toContain('answered already: ');
  expect(out).not.toContain('wrote ');
  expect(out).toContain('the same question, and the same answer: b');
  expect(out).toContain('1 still open');
});

test('show and review have what is quoted, the boxes, and who else asks', async () => {
  const boxes = '1. Which ink?\n\n   > it is printed\n\n   - [ ] red\n   - [ ] blue\n';
  await asked(boxes, 'a', 'b');
  const below = ['> it is printed', '- red', '- blue'];
  expect((await room.said('show', 'a')).out).toContain(
    ['asked: Which ink?', ...below, 'also asked for b', 'not']
      .join('\n          ')
      .replace('  not', 'not'),
  );
  const { attempts } = JSON.parse((await room.said('show', 'b', '--json')).out.split('\n')[0]!) as {
    readonly attempts: readonly { readonly questions: readonly object[] }[];
  };
  expect(attempts.at(-1)?.questions).toEqual([
    {
      question: 'Which ink?',
      answer: '',
      quote: 'it is printed',
      options: ['red', 'blue'],
      also: ['a'],
    },
  ]);
  const { code, out } = await room.said('review');
  expect(code).toBe(1);
  expect(out).toContain(['            1. Which ink?', ...below].join('\n               '));
});
