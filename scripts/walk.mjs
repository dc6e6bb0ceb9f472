// Prints what the smallest task takes: a shell task that says "done" is stepped once, and the files and functions
// of src that were entered are counted, by folder, with the looks at the disk.
//   npm run build && node scripts/walk.mjs [--functions]
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as contracts from '../dist/index.js';
import { realDisk } from '../dist/task/store/disk/real-disk.js';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
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

/** Counts the calls of each operation. */
function counted(disk, counts) {
  return Object.fromEntries(
    Object.entries(disk).map(([name, value]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...given) => {
            counts.set(name, (counts.get(name) ?? 0) + 1);
            return value.apply(disk, given);
          },
    ]),
  );
}

const root = mkdtempSync(join(tmpdir(), 'contracts-walk-'));
const counts = new Map();
const session = new Session();
session.connect();
try {
  contracts.init(realDisk, root);
  const file = join(root, 'active_tasks/ready/hello/contract.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, CONTRACT);
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const opened = contracts.openWorkspace({
    dir: root,
    trust: true,
    ports: { disk: counted(realDisk, counts) },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { events } = await contracts.step(opened.value);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  report(events, result);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function report(events, result) {
  const entered = result
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(dist))
    .map(({ url, functions }) => ({
      file: relative(dist, fileURLToPath(url)),
      // The first is the file itself.
      called: functions.slice(1).filter(({ ranges }) => ranges[0].count > 0),
    }))
    .filter(({ called }) => called.length > 0);
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
  console.log(
    `disk               ${[...counts]
      .toSorted()
      .map(([name, n]) => `${name} ${n}`)
      .join(', ')}`,
  );
}
