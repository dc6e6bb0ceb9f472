// Prints what the smallest task takes: a shell task that says "done" is stepped once, and the files and functions
// of src that were entered are counted, by folder, with the looks at the disk; those that look for processes are
// left out. A function without a name is part of the one that it is written in. Built in a folder of its own: in dist/ the files are joined and minified.
//   node scripts/walk.mjs [--functions] [--looks]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const project = fileURLToPath(new URL('..', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'contracts-walk-'));
const dist = join(temporary, 'dist');
const root = join(temporary, 'workspace');
const CONTRACT = `---
v: 1
adapter: shell
verify: [run: test -f hello.txt]
---

# Hello

## Success Criteria

- [ ] it is there (verify: run: test -f hello.txt)

## Steps

\`\`\`sh
echo hello > hello.txt
\`\`\`
`;

/** `src` as modules of JavaScript, each for itself; they find libraries and templates where they look for them. */
async function compile() {
  for (const name of ['node_modules', 'templates', 'package.json']) {
    symlinkSync(join(project, name), join(temporary, name));
  }
  const sources = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' });
  const asModule = ({ kind, path }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.tsx?$/, '.js'), external: true };
  await build({
    entryPoints: sources.filter((name) => /\.tsx?$/.test(name)).map((name) => `src/${name}`),
    absWorkingDir: project,
    outbase: 'src',
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [{ name: 'modules', setup: ({ onResolve }) => onResolve({ filter: /./ }, asModule) }],
  });
  return (path) => import(pathToFileURL(join(dist, path)).href);
}

/** Notes each operation with what it was asked of. */
function counted(disk, looks) {
  return Object.fromEntries(
    Object.entries(disk).map(([name, value]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...given) => {
            looks.push({ name, path: String(given[0]) });
            return value.apply(disk, given);
          },
    ]),
  );
}

/** Files that enter more where a process of the agent is still ending. */
const OF_THE_MACHINE = /^process\/(?:process-table|stop)\.js$/;

const looks = [];
const session = new Session();
session.connect();
try {
  // Nothing of the person who runs this is looked at.
  for (const name of Object.keys(process.env))
    if (/^XDG_|^CONTRACTS_/.test(name)) delete process.env[name];
  process.env.HOME = join(temporary, 'home');
  // Nor of the machine: no sandbox, and no repository above.
  process.env.CONTRACTS_SANDBOX = 'none';
  process.env.GIT_CEILING_DIRECTORIES = temporary;
  mkdirSync(process.env.HOME);
  const load = await compile();
  const contracts = await load('index.js');
  const { realDisk } = await load('task/store/disk/real-disk.js');
  mkdirSync(root);
  contracts.init(realDisk, root);
  const file = join(root, 'active_tasks/ready/hello/contract.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, CONTRACT);
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const opened = contracts.openWorkspace({
    dir: root,
    trust: true,
    ports: { disk: counted(realDisk, looks) },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { events } = await contracts.step(opened.value);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  report(events, result);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function tally(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}

function report(events, result) {
  const entered = result
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(dist))
    .map(({ url, functions }) => ({
      file: relative(dist, fileURLToPath(url)),
      called: functions.filter(({ functionName, ranges }) => functionName && ranges[0].count > 0),
    }))
    .filter(({ file, called }) => called.length > 0 && !OF_THE_MACHINE.test(file));
  const folders = new Map();
  for (const { file, called } of entered) {
    const folder = file.split('/')[0];
    const [files, functions] = folders.get(folder) ?? [0, 0];
    folders.set(folder, [files + 1, functions + called.length]);
    if (process.argv.includes('--functions'))
      for (const one of called) console.log(`${file} ${one.functionName} ${one.ranges[0].count}`);
  }
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const parsed = entered
    .find(({ file }) => file === 'task/text/documents/contract.js')
    ?.called.find(({ functionName }) => functionName === 'parseContract');
  for (const event of events) console.log([event.event, event.reason ?? ''].join('  ').trimEnd());
  console.log('\nfolder        files  functions');
  for (const [folder, [files, functions]] of [...folders].toSorted())
    console.log(
      `${folder.padEnd(14)}${String(files).padStart(5)}${String(functions).padStart(11)}`,
    );
  console.log(`\nfiles entered      ${entered.length}`);
  console.log(`functions entered  ${sum(entered.map(({ called }) => called.length))}`);
  console.log(`contract parsed    ${parsed?.ranges[0].count ?? 0} times`);
  const operations = tally(looks.map(({ name }) => name)).toSorted();
  console.log(`disk               ${operations.map((one) => one.join(' ')).join(', ')}`);
  if (!process.argv.includes('--looks')) return;
  const paths = looks.map(({ name, path }) => `${name} ${relative(root, path) || '.'}`);
  for (const [look, times] of tally(paths).toSorted((a, b) => b[1] - a[1])) {
    console.log(`${String(times).padStart(4)} ${look}`);
  }
}
