// Takes capabilities out of a copy of this project, with those that build on them, and shows that the rest
// stands by itself: types are checked, the command is built, and the other golden cases pass.
//   node scripts/take-out.mjs delegation        one capability
//   node scripts/take-out.mjs --all             each of them, then all at once
// The engine's own cases run where all are missing. With --all they run only there: without one capability
// the cases of those that are left run.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Which capability builds on which (docs/architecture.md). The keys are all capabilities. */
export const BUILDS_ON = {
  squads: [],
  checkpoints: [],
  plans: ['squads', 'checkpoints'],
  delegation: ['squads'],
  commits: [],
  workflows: ['plans'],
  teams: ['plans'],
  router: ['workflows', 'teams'],
  exchange: ['plans'],
  memory: [],
  assumptions: ['memory', 'plans'],
  sessions: [],
  stats: [],
  ledger: [],
};

/** The given ones and all that build on them, in the order of BUILDS_ON. */
export function withDependents(names) {
  const gone = new Set(names);
  for (const [name, below] of Object.entries(BUILDS_ON)) {
    if (below.some((one) => gone.has(one))) gone.add(name);
  }
  return Object.keys(BUILDS_ON).filter((name) => gone.has(name));
}

function copyWithout(gone) {
  const copy = mkdtempSync(join(tmpdir(), 'contracts-without-'));
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  );
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(project, file))) continue;
    cpSync(join(project, file), join(copy, file), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of gone) {
    for (const folder of ['src', 'templates', 'test', 'test/cases']) {
      rmSync(join(copy, folder, name), { recursive: true, force: true });
    }
  }
  const list = join(copy, 'src/capabilities.ts');
  writeFileSync(list, withoutLines(readFileSync(list, 'utf8'), gone));
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Its import, and its name in the list, wherever lines break. */
function withoutLines(text, gone) {
  const imported = text
    .split('\n')
    .filter((line) => !gone.some((one) => line.includes(`'./${one}/`)));
  const name = new RegExp(`(?<=[[,]\\s*)(?:${gone.join('|')})\\s*(?:,\\s*|(?=\\]))`, 'g');
  return imported.join('\n').replaceAll(name, '');
}

function run(copy, what, args) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  if (status === 0) return true;
  process.stdout.write(`${stdout}${stderr}`.split('\n').slice(-60).join('\n'));
  process.stdout.write(`\n${what} failed\n`);
  return false;
}

/** True where the rest passes. `own`: the engine's own cases run too. */
export function takeOut(names, own = true) {
  const gone = withDependents(names);
  const left = Object.keys(BUILDS_ON).filter((one) => !gone.includes(one));
  const cases = own ? ['test/cases'] : left.map((one) => `test/cases/${one}/`);
  process.stdout.write(`without ${gone.join(', ')}: `);
  const copy = copyWithout(gone);
  const bin = (file) => join(project, 'node_modules', file);
  try {
    const stands =
      run(copy, 'types', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']) &&
      run(copy, 'build', ['scripts/build.mjs']) &&
      run(copy, 'cases', [bin('vitest/vitest.mjs'), 'run', ...cases]);
    if (stands) process.stdout.write('types, build and the other cases pass\n');
    return stands;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const given = process.argv.slice(2);
  const all = Object.keys(BUILDS_ON);
  const passed = given.includes('--all')
    ? [...all.map((one) => takeOut([one], false)), takeOut(all)]
    : [takeOut(given)];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
