/** Words of a person that hold both sides of a merge: no verb writes them, as they would reach no agent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const MARKS = '<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> other';
const HEAD = '---\nv: 1\ntitle: Ask\n---\n\n# Ask\n';

test.each<[verb: string, state: string, file: string, text: string]>([
  ['answer', 'questions', 'questions.md', '## Question 1\n\nWhich?\n\n### Answer\n'],
  ['retry', 'blocked', 'blocked.md', '# Blocked\n\n## Resolution\n'],
  ['reject', 'review', 'review.md', '## Verdict\n\n- [ ] APPROVED\n- [ ] REJECT\n'],
  ['note', 'ready', 'notes', ''],
])('%s', async (verb, state, file, text) => {
  const room = commandRoom('adapter: human\n');
  const folder = `active_tasks/${state}/ask`;
  room.write(`${folder}/contract.md`, HEAD);
  if (text !== '') room.write(`${folder}/${file}`, text);
  const refused = await room.said(verb, 'ask', MARKS);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('both sides') as string });
  if (text === '') expect(existsSync(join(room.root, folder, file))).toBe(false);
  else expect(readFileSync(join(room.root, folder, file), 'utf8')).toBe(text);

  const example = `red\n\n\`\`\`\n${MARKS}\n\`\`\``;
  expect((await room.said(verb, 'ask', example)).code).toBe(0);
});
