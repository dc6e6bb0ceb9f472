/** How much of skills a brief gets: each and all together are bounded, and what was cut is said. */
import { expect, test } from 'vitest';
import {
  SKILL_CHARS_MAX,
  SKILLS_CHARS_MAX,
  skillOf,
  skillTexts,
} from '../../../src/agents/core/skills.ts';

const named = (name: string) => ({ name, file: `.contracts/skills/${name}/SKILL.md`, folder: '' });
const long = 'a line of words\n'.repeat(SKILLS_CHARS_MAX / 8);

test('what a file says of itself', () => {
  const skill = skillOf(named('a'), { description: ' How  ', license: 'MIT' }, '\nBody\n');
  expect(skill).toEqual({ ...named('a'), description: 'How', body: 'Body' });
  expect(skillOf(named('a'), { description: 3 }, '').description).toBe('');
});

test('a long one is cut at a line, and says where the rest stands', () => {
  const [text] = skillTexts([skillOf(named('a'), {}, long)]);
  expect(text?.body.length).toBeLessThan(SKILL_CHARS_MAX + 100);
  expect(text?.body).toMatch(
    /a line of words\n\n\(Cut here. The rest is in \.contracts\/skills\/a\/SKILL\.md\)$/,
  );
});

test('all together are bounded; the last ones are named at least', () => {
  const all = skillTexts(['a', 'b', 'c', 'd', 'e'].map((name) => skillOf(named(name), {}, long)));
  const chars = all.reduce((sum, { body }) => sum + body.length, 0);
  expect(chars).toBeLessThan(SKILLS_CHARS_MAX + 5 * 100);
  expect(all.at(-1)?.body).toBe('(Cut here. The rest is in .contracts/skills/e/SKILL.md)');
});

test('a short one stays as it is', () => {
  expect(skillTexts([skillOf(named('a'), {}, 'Be kind.')])[0]?.body).toBe('Be kind.');
});
