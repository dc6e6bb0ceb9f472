/**
 * What runs or is obeyed by itself at whoever opens, enters, installs, commits or merges a project: an
 * agent that may write everything writes all of it. Nothing of it passes in silence, and a pattern that
 * names it makes it ordinary work.
 */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { OPEN, refuseChange } from '../../src/task/core/model/permissions.ts';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { makeHouse, type House } from './house.ts';

const ATTACKS = [
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.vscode/launch.json',
  '.idea/runConfigurations/x.xml',
  '.zed/tasks.json',
  '.devcontainer/devcontainer.json',
  '.cursor/mcp.json',
  '.cursor/rules/x.mdc',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.envrc',
  '.direnv/bin/x',
  '.mise.toml',
  'mise.toml',
  '.tool-versions',
  '.bazelrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.gitattributes',
  '.gitmodules',
  '.github/workflows/ci.yml',
  '.github/copilot-instructions.md',
  '.gitlab-ci.yml',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  'packages/a/AGENTS.md',
  'packages/a/.envrc',
];
const PLAIN = ['Makefile', 'src/a.ts', '.editorconfig', 'conftest.py', '.github/FUNDING.yml'];
const WORDS = 'it runs by itself or is obeyed, and no pattern names it';

const CONFIG = `adapter: agent
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
`;
/** It goes on where one cannot be written. */
const AGENT = `for one in ${[...ATTACKS, ...PLAIN].join(' ')}; do
  mkdir -p "$(dirname $one)" 2>/dev/null; { echo evil >> $one; } 2>/dev/null || echo "shut $one"
done
printf '# Result\\n\\n- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n' > "$CONTRACTS_OUT/result.md"
`;
const contract = (head: string): string =>
  `---\nv: 1\ntitle: It\n${head}---\n\n# It\n\n## Success Criteria\n\n- [ ] It is done\n`;

function house(head = 'quality_gate: person\n', config = CONFIG): House {
  const made = makeHouse({ config, neighbour: false });
  made.write('.contracts/agent.sh', AGENT);
  made.task('a', contract(head));
  return made;
}

const noticedIn = (text: string): string[] =>
  [...text.matchAll(/^- "?(?:create|write|append|delete) (\S+): (.*?)"?$/gm)]
    .filter(([, , why]) => why === WORDS)
    .map(([, path]) => path ?? '')
    .sort();

test(`of ${ATTACKS.length} files each is reported, before all else, in outcome, boxes, show and review`, async () => {
  const { run, read, where } = house();
  expect((await run('step')).code).toBe(0);
  expect(where('a')).toEqual(['review']);
  const outcome = read('active_tasks/review/a/attempts/0001/outcome.md');
  expect(noticedIn(outcome)).toEqual([...ATTACKS].sort());
  expect(outcome).toContain('Look at these first, before you open or merge the work:\n\n- ');
  const boxes = read('active_tasks/review/a/review.md');
  expect(noticedIn(boxes)).toEqual([...ATTACKS].sort());
  const shown = await run('show', 'a');
  expect(shown.out).toContain(`noticed: create .vscode/tasks.json: ${WORDS}`);
  const listed = await run('list');
  expect(listed.out.replaceAll(/\s+/g, ' ')).toContain(
    `noticed ${ATTACKS.length} changes outside its permissions`,
  );
});

test('a pattern that names it, of the contract or of the agent, makes it ordinary work', async () => {
  const patterns = ATTACKS.map((one) => `"${one}"`).join(', ');
  const { run, read, where } = house(
    `write: [${patterns}, "**"]\nverify: [{ run: test -s AGENTS.md }]\n`,
  );
  await run('run');
  expect(where('a')).toEqual(['done']);
  expect(noticedIn(read('active_tasks/done/a/attempts/0001/outcome.md'))).toEqual([]);
  const by_agent = house(
    'verify: [{ run: test -s AGENTS.md }]\ndeliverables: [AGENTS.md]\n',
    `${CONFIG}agents:\n  builder: { write: ["**", ".github/**", "**/CLAUDE.md"] }\n`,
  );
  await by_agent.run('run');
  const noticed = noticedIn(by_agent.read('active_tasks/done/a/attempts/0001/outcome.md'));
  const named = ['AGENTS.md', 'CLAUDE.md', '.github/workflows/ci.yml'];
  expect(noticed).not.toEqual(expect.arrayContaining(['AGENTS.md']));
  expect(noticed).toEqual(
    ATTACKS.filter((one) => ![...named, '.github/copilot-instructions.md'].includes(one)).sort(),
  );
});

test('live it is refused where the rules are hard, and a wildcard names nothing', () => {
  const refused = (path: string, more: Partial<typeof OPEN> = {}) =>
    refuseChange({ ...OPEN, ...more }, { kind: 'create', path })?.strength;
  expect(ATTACKS.filter((one) => refused(one) !== 'hard')).toEqual([]);
  expect(PLAIN.filter((one) => refused(one) !== undefined)).toEqual([]);
  const wild = { create: ['**', '.*', '.*/**', 'A*.md', '*.md', '.[v]scode/**'] };
  expect(ATTACKS.filter((one) => refused(one, wild) !== 'hard')).toEqual([]);
  expect(refused('.VSCode/tasks.json')).toBe('hard');
  expect(refused('.vscode /tasks.json')).toBe('hard');
  expect(refused('claude.md')).toBe('hard');
  expect(refused('docs/AGENTS.md', { create: ['docs/**'] })).toBe('hard');
  expect(refused('docs/AGENTS.md', { create: ['**/AGENTS.md'] })).toBeUndefined();
  expect(refused('AGENTS.md', { named: ['docs/AGENTS.md'] })).toBe('hard');
});

const works = sandboxMachine(process.env['PATH'] ?? '').works;

test.runIf(works)(
  'in a sandbox what is there cannot be written, and what is new is reported',
  async () => {
    const { run, read, write, where } = house(undefined, `sandbox: bwrap\n${CONFIG}`);
    const there = ATTACKS.filter(
      (one) => !one.startsWith('packages/') && !one.startsWith('.husky'),
    );
    for (const one of there) write(one, 'mine\n');
    await run('step');
    expect(where('a')).toEqual(['review']);
    expect(there.filter((one) => read(one) !== 'mine\n')).toEqual([]);
    const outcome = read('active_tasks/review/a/attempts/0001/outcome.md');
    const open = ['.husky/pre-commit', 'packages/a/.envrc', 'packages/a/AGENTS.md'];
    expect(noticedIn(outcome)).toEqual(open);
  },
);

test('in a worktree it is no violation, and merge shows it before it asks', async () => {
  const { root, run, read, where } = house(
    'isolation: worktree\nverify: [{ run: test -s AGENTS.md }]\n',
  );
  const git = (...argv: string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.contracts');
  git('commit', '-q', '-m', 'first');
  await run('run');
  expect(where('a')).toEqual(['done']);
  const outcome = read('active_tasks/done/a/attempts/0001/outcome.md');
  expect(noticedIn(outcome)).toEqual([...ATTACKS].sort());
  const { out } = await run('merge', '--dry-run');
  const lines = out.split('\n');
  const would = lines.findIndex((line) => line.includes('would: contracts/a'));
  expect(lines.slice(0, would).join(' ').replaceAll(/\s+/g, ' ')).toContain(
    `look: create .vscode/tasks.json: ${WORDS}`,
  );
});
