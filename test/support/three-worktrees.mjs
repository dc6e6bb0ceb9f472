/**
 * Three tasks that shell agents did in worktrees of their own, each of them verified, and not merged yet:
 * node test/support/three-worktrees.mjs FOLDER [alone|pair]. With `alone` a test that you commit later fails
 * with the prices; with `pair` menu and prices fail together, and pass apart. The folder must not exist yet.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../dist/bin/contracts.cjs', import.meta.url));
const [folder = 'three-worktrees', kind = 'alone'] = process.argv.slice(2);
const root = resolve(folder);

function put(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function sh(command) {
  const env = { ...process.env, CONTRACTS_TRUST: '1' };
  const ended = spawnSync('sh', ['-ec', command], { cwd: root, env, encoding: 'utf8' });
  if (ended.status === 0) return;
  process.stderr.write(`${command}: ${ended.stdout}${ended.stderr}`);
  process.exit(1);
}

/** The test of this project: at most one page names a price, and `build/` is what setup makes. */
const TEST = '#!/bin/sh\ntest -s build/lamp.txt || { echo "no setup"; exit 1; }\n';
const ONE_PRICE = 'test "$(cat ./*.md | grep -c EUR)" -le 1 || { echo "two prices"; exit 1; }\n';
const NO_TODO = 'if grep -l TODO ./*.md; then exit 1; fi\n';

put('README.md', '# The shop\n');
put('.gitignore', 'build/\n');
put('test.sh', kind === 'pair' ? TEST + ONE_PRICE : TEST);
chmodSync(join(root, 'test.sh'), 0o755);
put(
  '.contracts/config.yaml',
  'isolation: worktree\nworktree: { setup: ["mkdir -p build && cp README.md build/lamp.txt"] }\n',
);
const first =
  'git init -q -b main && git config user.name You && git config user.email you@example.org';
sh(`${first} && git add -A && git commit -q -m "The shop"`);

const price = kind === 'pair' ? 'A lamp: 20 EUR' : 'TODO: what does a lamp cost?';
const PAGES = {
  imprint: ['Write the imprint', 'The shop, Main Street 1'],
  menu: ['Write the menu', kind === 'pair' ? 'Lamps from 20 EUR' : 'Lamps, tables, chairs'],
  prices: ['Write the prices', price],
};
for (const [id, [title, text]] of Object.entries(PAGES)) {
  const head = `---\ntitle: ${title}\nquality_gate: []\nverify:\n  - run: ./test.sh\n---\n`;
  const body = `## Objective\n\n${title}.\n\n## Success Criteria\n\n- [ ] \`./test.sh\` passes\n`;
  const steps = `## Steps\n\n~~~sh\necho "${text}" > ${id}.md\n~~~\n`;
  put(`active_tasks/ready/${id}/contract.md`, `${head}\n${body}\n${steps}`);
}
sh(`'${process.execPath}' '${COMMAND}' run`);
if (kind === 'alone') {
  put('test.sh', TEST + NO_TODO);
  sh('git add test.sh && git commit -q -m "Test: no page has a TODO"');
}
