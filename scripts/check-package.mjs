// What a stranger gets: packs the package, looks at every file of it, installs the tarball into an
// empty folder, and walks one contract to done with what was installed; then the library, from plain
// ESM and against the shipped types. Ends non-zero with words at the first thing that is wrong.
// Needs the registry for zod, which the types need; writes nothing outside a temporary folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const room = mkdtempSync(join(tmpdir(), 'contracts-package-'));

// With the programs of workers: the relay and the worker have parts of the engine each.
const PACKED_BYTES_MAX = 1_930_000;

/** All that may be in the package; whatever else is there fails the check. */
const ALLOWED = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^dist\/(?:index|opencode-plugin)\.js$/,
  /^dist\/(?!.*\.test\.|bin\/|cli\/(?!schema\/)).+\.d\.ts$/,
  /^dist\/ui\/(?:index\.html|page\.(?:js|css|svg))$/,
  /^dist\/bin\/(?:[\w-]+\.cjs|help\.txt|THIRD-PARTY\.txt)$/,
  /^docs\/[\w/.-]+\.(?:md|svg|png)$/,
  /^docs\/examples\/[\w-]+\/(config\.yaml|contracts\.yml)$/,
  /^docs\/examples\/machines\/[\w-]+\.(?:ya?ml|service|sh)$|^docs\/examples\/machines\/Dockerfile$/,
  /^templates\/(?:checkpoints\/|plans\/)?[\w-]+\.hbs$/,
  /^templates\/(?:opencode-plugin\.js|git-hook\.sh)$/,
  /^templates\/init\/[\w.-]+$/,
  /^templates\/completion\/(?:bash|zsh|fish)$/,
  /^templates\/agents\/([\w-]+\/)?[\w-]+\.md$/,
  /^templates\/skills\/[\w-]+\/SKILL\.md$/,
  /^templates\/squads\/(?:new\/NEW|[\w-]+\/SQUAD)\.yaml$/,
  /^templates\/squads\/[\w-]+\/(?:agents|skills|tasks|templates|checklists|workflows)\/[\w-]+\.(?:md|yaml)$/,
  /^templates\/workflows\/[\w-]+\.md$/,
  /^templates\/(?:plans\/stories|teams\/teams|router\/words|exchange\/(?:tools|words))\.yaml$/,
  /^templates\/demo\/(?:README\.md|\.contracts\/config\.yaml|(?:checks|log|tools|wishes)\/[\w-]+\.(?:sh|csv|mjs|md))$/,
  /^templates\/memory\/related-words\.txt$/,
  /^\.claude-plugin\/marketplace\.json$/,
  /^plugin\/(?:\.mcp\.json|README\.md|\.(?:claude|codex)-plugin\/plugin\.json|gemini\/gemini-extension\.json)$/,
  /^plugin\/(?:gemini\/)?(?:agents|commands|hooks|skills)\/(?:contracts\/)?[\w-]+\.(?:md|toml|json)$/,
  /^schemas\/[\w-]+\.schema\.json$/,
  /^active_tasks\.example\/.+$/,
];
const REQUIRED = [
  'package.json',
  'README.md',
  'docs/security.md',
  'LICENSE',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/bin/contracts.cjs',
  'dist/bin/all.cjs',
  'dist/bin/ui.cjs',
  'dist/ui/page.js',
  'dist/bin/THIRD-PARTY.txt',
  'templates/opencode-plugin.js',
  'templates/git-hook.sh',
  '.claude-plugin/marketplace.json',
  'plugin/.mcp.json',
  'plugin/gemini/gemini-extension.json',
  ...['init', 'completion'].flatMap((folder) =>
    readdirSync(join(project, 'templates', folder)).map((name) => `templates/${folder}/${name}`),
  ),
  ...['contract', 'status', 'result', 'review', 'blocked', 'brief'].map(
    (name) => `templates/${name}.hbs`,
  ),
  ...['lines', 'config', 'contract'].map((name) => `schemas/${name}.schema.json`),
];

try {
  const tarball = pack();
  install(tarball);
  walkOneContract();
  importLibrary();
  checkTypes();
  tryEveryVerb();
  console.log('package: all is well');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(room, { recursive: true, force: true });
}

function pack() {
  const json = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', room], {
    cwd: project,
  });
  const packed = JSON.parse(json);
  const [entry] = Array.isArray(packed) ? packed : Object.values(packed);
  const { filename, files, size } = entry;
  const paths = files.map(({ path }) => path);
  const strange = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
  const missing = REQUIRED.filter((path) => !paths.includes(path));
  for (const path of paths.toSorted()) {
    if (!path.startsWith('dist/')) console.log(`  ${path}`);
  }
  console.log(`  dist/: ${paths.filter((path) => path.startsWith('dist/')).length} files`);
  console.log(`  ${paths.length} files, ${Math.round(size / 1024)} KiB packed`);
  demand(size <= PACKED_BYTES_MAX, `${size} bytes packed, more than ${PACKED_BYTES_MAX}`);
  demand(strange.length === 0, `files that do not belong in the package: ${strange.join(', ')}`);
  demand(missing.length === 0, `files missing in the package: ${missing.join(', ')}`);
  return join(room, filename);
}

function install(tarball) {
  writeFileSync(
    join(room, 'package.json'),
    '{ "name": "consumer", "private": true, "type": "module" }\n',
  );
  // What npm ci of the project fetched is taken again, and a connection that stands still is given up.
  const patience = ['--prefer-offline', '--fetch-timeout=60000', '--fetch-retries=4'];
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...patience, tarball]);
  const bin = join(room, 'node_modules/agent-contracts/dist/bin/contracts.cjs');
  demand((statSync(bin).mode & 0o111) !== 0, 'dist/bin/contracts.cjs is not executable');
  demand(contracts('--version') === version, 'contracts --version prints another version');
  const named = run('npx', ['--no-install', 'agent-contracts', '--version']).trim();
  demand(named === version, 'npx agent-contracts --version prints another version');
}

function walkOneContract() {
  contracts('init');
  const id = 'hello';
  contracts(
    'new',
    'Say hello',
    '--id',
    id,
    '--run',
    'test -s hello.txt',
    '--sh',
    'echo hi > hello.txt',
  );
  contracts('confirm', id);
  contracts('run');
  const [task] = contracts('list', '--all', '--json')
    .split('\n')
    .map((line) => JSON.parse(line));
  demand(task.id === id && task.state === 'done', `the task is in ${task.state}, not in done`);
  demand(readFileSync(join(room, 'hello.txt'), 'utf8') === 'hi\n', 'hello.txt was not written');
}

/** Each verb once, with what makes it load what it needs: none may miss a file or a package. */
function tryEveryVerb() {
  const bin = join(room, 'node_modules/agent-contracts/dist/bin/contracts.cjs');
  const names = [...contracts('help', '--all').matchAll(/^  ([a-z][a-z-]+) {2,}\S/gm)];
  const given = {
    check: ['--staged'],
    demo: ['birds'],
    completion: ['bash'],
    do: ['Say it again', '--run', 'test -s again.txt', '--sh', 'echo hi > again.txt'],
    edit: ['hello', 'contract'],
    import: ['list.md'],
    list: ['--search', 'hello'],
    memory: ['find', 'hello'],
    new: ['Say it'],
    plan: ['list'],
    route: ['hello'],
    show: ['hello', '--json'],
    squad: ['check'],
    team: ['list'],
    ui: ['--help'],
    undo: ['hello'],
    wait: ['hello'],
    watch: ['--help'],
  };
  writeFileSync(join(room, 'list.md'), '- [ ] Write it\n');
  demand(names.length > 35, `help --all names ${names.length} verbs`);
  for (const [, name] of names) {
    const args = [name, ...(given[name] ?? [])];
    const options = { cwd: room, encoding: 'utf8', env: { ...process.env, EDITOR: 'true' } };
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], options);
    const isFine = [0, 1, 2, 3].includes(status) && !/Cannot find|\bbug\b/.test(stderr);
    demand(isFine, `contracts ${args.join(' ')} ended with ${status}: ${stderr}`);
  }
  console.log(`  ${names.length} verbs tried`);
}

function importLibrary() {
  writeFileSync(
    join(room, 'consumer.mjs'),
    `import { createTask, listTasks, moveByVerb, openWorkspace, step } from 'agent-contracts';
const ws = openWorkspace({ dir: '.' }).value;
createTask(ws, { title: 'Again', id: 'again', criteria: ['\`test -s again.txt\` passes'], steps: 'echo hi > again.txt', head: { verify: ['run: test -s again.txt'] } });
moveByVerb(ws, 'confirm', 'again');
await step(ws);
await step(ws);
console.log(listTasks(ws, { states: new Set(['done']) }).tasks.map((task) => task.id).join());
`,
  );
  const printed = run(process.execPath, ['consumer.mjs']).trim();
  demand(printed === 'again,hello', `the library brought these to done: ${printed}`);
}

function checkTypes() {
  writeFileSync(
    join(room, 'consumer.ts'),
    `import { openWorkspace, step, type Event, type State } from 'agent-contracts';
const opened = openWorkspace({ dir: '.' });
if (!opened.ok) throw new Error(opened.problems[0]?.fix);
const events: Event[] = [];
const report = await step(opened.value, { dry_run: true, emit: (event) => events.push(event) });
export const states: State[] = report.events.flatMap((event) => (event.event === 'moved' ? [event.to] : []));
`,
  );
  const good = typeCheck('consumer.ts');
  demand(good.status === 0, `a consumer does not type-check:\n${good.stdout}`);
  // Types that are missing altogether would accept anything: a wrong use must be refused.
  writeFileSync(
    join(room, 'wrong.ts'),
    `import { openWorkspace } from 'agent-contracts';\nopenWorkspace({ dir: 5 });\n`,
  );
  demand(typeCheck('wrong.ts').status !== 0, 'the shipped types accept a number for dir');
}

function typeCheck(file) {
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom'];
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
  // A project may have no types of Node, and may check those of its packages.
  const node = ['--types', '', '--skipLibCheck', 'false'];
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, ...options, ...modules, ...node, file], {
    cwd: room,
    encoding: 'utf8',
  });
}

function contracts(...args) {
  return run('npx', ['--no-install', 'contracts', ...args]).trim();
}

function run(program, args, options = {}) {
  // Under `npm run` npm sets the project of its children; the project of these is the room.
  const { CONTRACTS_DIR: _, npm_config_local_prefix: __, INIT_CWD: ___, ...env } = process.env;
  return execFileSync(program, args, {
    cwd: room,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
}

function demand(holds, words) {
  if (!holds) {
    throw new Error(`package: ${words}`);
  }
}
