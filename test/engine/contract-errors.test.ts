/** One reading of a contract: what check calls an error of it stops its admission, and list says so. */
import { beforeEach, expect, test } from 'vitest';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { agentsOf } from '../../src/agents/engine/registry.ts';
import { delegate } from '../../src/engine/commands/delegate.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { checkTree } from '../../src/engine/doctor/check.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { run } from '../../src/engine/step/run.ts';
import { step } from '../../src/engine/step/step.ts';
import { parseContract } from '../../src/task/text/documents/contract.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root: string;
beforeEach(() => {
  root = sealedFolder('errors');
  fs.mkdirSync(join(root, '.contracts'));
  const mine = '{ type: command, run: [sh, agent.sh] }';
  write('.contracts/config.yaml', `sandbox: none\nadapter: mine\nadapters: { mine: ${mine} }\n`);
  const result = '- Status: COMPLETE\\n\\n- [x] it is there\\n';
  write('agent.sh', `touch called\nprintf -- '${result}' > "$CONTRACTS_OUT/result.md"\n`);
});

const write = (file: string, text: string | Uint8Array): void => putFile(join(root, file), text);

function opened(): Workspace {
  return { ...openedAt(root), trusted: true };
}

const CRITERIA = '## Success Criteria\n\n- [ ] it is there\n';
const of = (head: string, body = CRITERIA): string => `---\ntitle: A\n${head}---\n\n${body}`;
const both = (ours: string, theirs: string, base = ''): string =>
  `<<<<<<< HEAD\n${ours}\n${base}=======\n${theirs}\n>>>>>>> other\n`;
const MERGED = `# Merged\n\n${both('Do x.', 'Do y.')}`;
const FENCED = `${CRITERIA}\n## Steps\n\n\`\`\`sh\n${both('touch a', 'touch b')}\`\`\`\n`;

const OF_IT: Readonly<Record<string, string | Uint8Array>> = {
  'both sides in the body': of('', `${CRITERIA}${both('- [ ] x', '- [ ] y')}`),
  'both sides and their base': of('', `${CRITERIA}${both('x', 'y', '||||||| base\nz\n')}`),
  'both sides with CRLF': of('', `${CRITERIA}${both('x', 'y')}`).replaceAll('\n', '\r\n'),
  'both sides in a script': of('', FENCED),
  'both sides in the head': of(both('tags: [a]', 'tags: [b]')),
  'both sides of all of it': both(of(''), of('tags: [b]')),
  'no YAML': of('tags: [\n'),
  'a key of another type': of('depends_on: 7\n'),
  'no head': 'Do it.\n',
  'no text': Uint8Array.of(0x2d, 0xff, 0xfe),
  'the id of another': of('id: b\n'),
  'no criterion': of('', 'Do it.\n'),
  'a path outside': of('deliverables: [../x]\n'),
  'no such agent': of('agent: nobody-here\n'),
  'no such gate': of('quality_gate: nobody-here\n'),
  'no such skill': of('skills: [nothing-here]\n'),
  'a skill with both sides': of('skills: [merged]\n'),
  'no such check': of('verify: [nothing-here]\n'),
  'no such context file': of('context_files: [nothing-here.md]\n'),
  'no repository': of('isolation: worktree\n'),
  'itself as dependency': of('depends_on: [a]\n'),
};
async function admitted(text: string | Uint8Array) {
  write('active_tasks/aborted/given-up/contract.md', of(''));
  write('.contracts/skills/merged/SKILL.md', MERGED);
  write('active_tasks/ready/a/contract.md', text);
  const { problems } = checkTree(opened());
  const error = problems.find((one) => one.severity === 'error');
  const [listed] = listTasks(opened()).tasks;
  await step(opened());
  await run(opened());
  const context = { ws: opened(), emit: () => undefined, signal: new AbortController().signal };
  const delegated = await delegate(context, 'a');
  const { waits_for, reason = '' } = listed ?? {};
  return { error, waits_for, reason, delegated: delegated.ok };
}

test.each(Object.entries(OF_IT))(
  '%s: check calls it an error, list waits with it, and nothing calls an agent',
  async (_, text) => {
    const { error, waits_for, reason, delegated } = await admitted(text);
    expect(reason).toContain(error?.message ?? 'no error');
    expect([waits_for, delegated]).toEqual(['person', false]);
    expect(fs.existsSync(join(root, 'called'))).toBe(false);
    expect(fs.existsSync(join(root, 'active_tasks/ready/a/contract.md'))).toBe(true);
  },
);

// These may be made later, or taken up again, so `confirm` only warns.
test.each([
  ['no such dependency', 'nothing-here', 'ready'],
  ['an aborted dependency', 'given-up', 'blocked'],
])('%s: an error for check too, and no agent is called', async (_, id, state) => {
  const { error, delegated } = await admitted(of(`depends_on: [${id}]\n`));
  expect([error?.found, delegated]).toEqual([id, false]);
  expect(fs.existsSync(join(root, 'called'))).toBe(false);
  const [listed] = listTasks(opened()).tasks;
  expect([listed?.state, listed?.waits_for]).toEqual([state, 'person']);
});

test('an orderly contract is called', async () => {
  const { error, waits_for, reason } = await admitted(of(''));
  expect([error, waits_for, reason]).toEqual([undefined, 'nothing', 'next step: calls builder']);
  expect(fs.existsSync(join(root, 'called'))).toBe(true);
});

// A file that is not there may still be made by a dependency.
test.each(Object.entries(OF_IT).filter(([name]) => name !== 'no such context file'))(
  '%s: confirm refuses it',
  (_, text) => {
    write('.contracts/skills/merged/SKILL.md', MERGED);
    write('active_tasks/draft/a/contract.md', text);
    expect(moveByVerb(opened(), 'confirm', 'a').ok).toBe(false);
  },
);

test('what a merge left is said first, with its line', () => {
  const read = parseContract(of(both('tags: [a]', 'tags: [b]')), 'contract.md');
  const [first] = read.ok ? [] : read.problems;
  expect(first).toMatchObject({ code: 'conflict', line: 3, found: 'HEAD and other' });
});

test('a row of marks alone, as below a heading, is no merge', () => {
  const text = of('', `${CRITERIA}\nA heading\n=======\n\n>>>>>>> quoted\n`);
  expect(parseContract(text, 'contract.md').ok).toBe(true);
});

test('an agent with both sides is not called; in a code block of its text it is an example', () => {
  write('.contracts/agents/torn.md', `---\nname: torn\n---\n\n${both('Do x.', 'Do y.')}`);
  const example = `\`\`\`\n${both('Do x.', 'Do y.')}\`\`\`\n`;
  write('.contracts/agents/whole.md', `---\nname: whole\n---\n\n${example}`);
  const agents = agentsOf(opened());
  expect(agents.allProblems()).toContainEqual(
    expect.objectContaining({ code: 'conflict', file: '.contracts/agents/torn.md', line: 5 }),
  );
  write('active_tasks/ready/torn/contract.md', of('agent: torn\n'));
  write('active_tasks/ready/whole/contract.md', of('agent: whole\n'));
  const { tasks } = listTasks(opened());
  expect(tasks.map(({ id, waits_for }) => [id, waits_for])).toEqual([
    ['torn', 'person'],
    ['whole', 'nothing'],
  ]);
});
