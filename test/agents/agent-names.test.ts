/** Which file a plain name means: one of several that give it to their agents, one of a role of the package, a skill's. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { agentsOf } from '../../src/agents/engine/registry.ts';
import { readSkill } from '../../src/agents/engine/skill-files.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('names');
  mkdirSync(join(root, '.contracts'));
});

const write = (path: string, text: string): void => putFile(join(root, path), text);

function workspace() {
  const home = join(root, 'home');
  return openedAt(root, { env: { PATH: '', HOME: home } });
}

const named = (name: string) =>
  `---\nname: ${name}\ndescription: Finds faults\n---\n\nFind them.\n`;

test('a plain name that two files give is nobody’s, and both are told', () => {
  write('.claude/agents/core/finder.md', named('debugger'));
  write('.claude/agents/web/tracer.md', named('debugger'));
  const book = agentsOf(workspace());
  expect(book.get('debugger')).toBeUndefined();
  expect(book.problems('debugger')).toMatchObject([
    { severity: 'error', expected: expect.stringMatching(/core\/finder.*web\/tracer|web.*core/) },
  ]);
  expect(book.get('core/finder')?.name).toBe('core/finder');
});

test('of two places the nearer one has the name, and a file of that name before all', () => {
  write('.claude/agents/core/finder.md', named('debugger'));
  write('home/.claude/agents/web/tracer.md', named('debugger'));
  expect(agentsOf(workspace()).get('debugger')?.name).toBe('core/finder');
  write('.claude/agents/web/tracer.md', named('debugger'));
  write('.claude/agents/debugger.md', named('debugger'));
  expect(agentsOf(workspace()).get('debugger')?.name).toBe('debugger');
});

test('a chief of staff that is a skill here comes before that of the package', () => {
  expect(agentsOf(workspace()).get('chief-of-staff')?.source).toBe('built-in');
  write('.claude/skills/chief-of-staff/agents/chief-of-staff.md', named('chief-of-staff'));
  expect(agentsOf(workspace()).get('chief-of-staff')).toMatchObject({
    source: 'project',
    description: 'Finds faults',
  });
});

test.each(['café', 'мой-навык', '技能', 'plain'])(
  'the skill %s is read, also in small letters',
  (name) => {
    write(
      `.claude/skills/${name}/skill.md`,
      `---\nname: ${name}\ndescription: So\n---\n\nDo it.\n`,
    );
    expect(readSkill(workspace(), name)).toMatchObject({ ok: true, skill: { body: 'Do it.' } });
  },
);

test.each(['../out', 'a b', '-lead', ''])('%j is no name of a skill', (name) => {
  expect(readSkill(workspace(), name)).toEqual({ ok: false });
});
