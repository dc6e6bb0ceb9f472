/**
 * What the settings of a squad change, each against its default: the form of plans, who is asked between
 * waves, who reviews, whether work is written as stories, and how it is verified. By the verbs, in a
 * workspace of this test's own; and the articles of the constitution as they hold by default.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { saidHere } from '../support/command-room.ts';
import { ARTICLES } from '../../src/squads/core/constitution.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('squad-rules');
  mkdirSync(join(root, 'active_tasks'));
  write('.contracts/config.yaml', 'adapter: human\n');
  write('package.json', '{ "scripts": { "test": "true" } }');
  write('.contracts/plans/p/plan.md', PLAN);
});

const write = (path: string, text: string): void => putFile(join(root, path), text);

async function said(...argv: string[]): Promise<string> {
  const env = { ...sealedEnv(), HOME: join(root, 'home') };
  return (await saidHere(['-C', root, ...argv], { env })).out;
}

const PLAN = `# P
Squad: team

## Wave 1

- [ ] Make \`a.txt\`

## Wave 2

- [ ] Make \`b.txt\`
`;

interface Draft {
  readonly kind: 'task' | 'checkpoint';
  readonly gates: readonly string[];
  readonly checks: readonly string[];
  readonly deliverables: readonly string[];
}

/** The plan as it would be started. */
async function drafts(): Promise<readonly Draft[]> {
  const lines = (await said('plan', 'start', 'p', '--dry-run', '--json')).trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Draft & { event: string });
  return all.filter(({ event }) => event === 'plan_draft');
}

const first = async (): Promise<Draft | undefined> =>
  (await drafts()).find(({ kind }) => kind === 'task');

/** What whoever writes a plan for it is told. */
async function request(): Promise<string> {
  const file = (await said('plan', 'new', 'something', '--squad', 'team')).trim();
  return readFileSync(join(root, file), 'utf8');
}

async function articles(): Promise<Record<string, string>> {
  const shown = JSON.parse(await said('squad', 'show', 'team', '--json')) as {
    articles: readonly { number: string; strength: string }[];
  };
  return Object.fromEntries(shown.articles.map(({ number, strength }) => [number, strength]));
}

const checkpoints = async (): Promise<number> =>
  (await drafts()).filter(({ kind }) => kind === 'checkpoint').length;

/** What SQUAD.yaml says, what is asked, and what it is then. */
const RULES: readonly (readonly [yaml: string, what: () => Promise<unknown>, is: unknown])[] = [
  ['', async () => (await request()).includes('The first wave makes the documents'), true],
  ['plan_type: task', async () => (await request()).includes('Tasks alone: no stories'), true],
  ['', checkpoints, 1],
  ['checkpoint_mode: auto', checkpoints, 0],
  ['', async () => (await first())?.gates, ['qa']],
  ['default_reviewer: po', async () => (await first())?.gates, ['po']],
  ['default_reviewer: dev', async () => (await first())?.gates, ['person']],
  ['quality_gates: false', async () => (await first())?.gates, []],
  ['', async () => (await request()).includes('written as stories'), true],
  ['', async () => (await articles())['III'], 'soft'],
  ['story_driven: false', async () => (await request()).includes('written as stories'), false],
  ['story_driven: false', async () => (await articles())['III'], undefined],
  ['plan_type: task', async () => (await articles())['III'], undefined],
  ['', async () => (await request()).includes('## Wave 1: Ground'), true],
  ['plan_template: "# Ours: {{title}}"', async () => (await request()).includes('# Ours:'), true],
  ['', async () => (await first())?.checks, ['run: npm test']],
  ['verification: { type: file_exists }', async () => (await first())?.checks, []],
  ['verification: { type: file_exists }', async () => (await first())?.deliverables, ['a.txt']],
  ['verification: file_exists', async () => (await first())?.deliverables, ['a.txt']],
  [
    'verification: ours\nchecks: { ours: "run: true" }',
    async () => (await first())?.checks,
    ['run: true'],
  ],
];

test.each(
  RULES.map(([yaml, what, is], i) => ({ i, yaml: yaml || 'the default', said: yaml, what, is })),
)('$i: $yaml', async ({ said: yaml, what, is }) => {
  const base = 'description: x\nagents: [dev, qa, po]\ndefault_executor: dev\n';
  write('.contracts/squads/team/SQUAD.yaml', `${base}${yaml}\n`);
  expect(await what()).toEqual(is);
});

test('what comes without a SQUAD.yaml is the squad of developers', async () => {
  const shown = JSON.parse(await said('squad', 'show', 'dev', '--json')) as object;
  expect(shown).toMatchObject({
    source: 'built-in',
    agents: ['dev', 'dev-junior', 'qa', 'architect', 'devops', 'data-engineer', 'ux-design-expert'],
    plan_type: 'development',
    checkpoint_mode: 'interactive',
    quality_gates: true,
    story_driven: true,
    verification: 'lsp_build_test',
  });
});

test.each([
  ['I', 'CLI First', 'warn'],
  ['II', 'Agent Permissions', 'hard'],
  ['III', 'Story-Driven', 'soft'],
  ['IV', 'No Invention', 'warn'],
  ['V', 'Quality First', 'hard'],
  ['VI', 'Absolute Imports', 'warn'],
])('article %s, %s, is %s', async (number, title, strength) => {
  expect(ARTICLES.find((one) => one.number === number)).toMatchObject({ title, strength });
  write('.contracts/squads/team/SQUAD.yaml', 'description: x\nagents: [dev]\n');
  expect((await articles())[number]).toBe(strength);
  // What is hard stays so, whatever a squad says; the others are its own.
  write(
    '.contracts/squads/team/SQUAD.yaml',
    `description: x\nagents: [dev]\narticles: { ${number}: off }\n`,
  );
  expect((await articles())[number]).toBe(strength === 'hard' ? 'hard' : undefined);
});
