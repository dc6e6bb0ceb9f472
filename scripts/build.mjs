// Makes dist/: the command as a few CommonJS files in dist/bin and the library over them (bundle.mjs), and
// the types of the library (tsc, from src/index.ts), without those that nothing in it names. Where dist/ is
// what its sources make (fresh.mjs), it does and says nothing, so that everything that needs the command
// calls it first. Builds at the same time wait for one another. All is made beside, then each file gets
// its name and the stamp is written last: a build that is killed is no build, and the command is there all
// the time for who has linked to it. Says in a line when the packages that build were not installed.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, isFresh, productHash, sourcesHash, stampOf, stampText, WORK } from './fresh.mjs';
import { isAlive, locked } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const absent = ['esbuild', 'typescript'].find((name) => !existsSync(`${root}node_modules/${name}`));
if (absent !== undefined) {
  process.stderr.write(
    `${absent} is not installed, and nothing is built without it. Run this first: npm ci\n`,
  );
  process.exit(1);
}

const dist = join(root, 'dist');
const work = join(dist, WORK);
const MADE = 'made-';
if (!isFresh(root, sourcesHash(root))) await locked(join(work, 'lock'), 'builds', buildOnce);

/** Another build may have made it while this one waited. */
async function buildOnce() {
  const sources = sourcesHash(root);
  if (isFresh(root, sources)) return;
  const began = performance.now();
  // What builds left that were killed.
  for (const name of readdirSync(work).filter((one) => one.startsWith(MADE))) {
    if (!isAlive(Number(name.slice(MADE.length)))) rmSync(join(work, name), { recursive: true });
  }
  const made = join(work, `${MADE}${process.pid}`);
  try {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    await make(made);
    publish(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  writeFileSync(stampOf(root), stampText(sources, productHash(root)));
  console.log(`built dist/ in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function make(into) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', into];
  execFileSync(process.execPath, args, { stdio: 'inherit', cwd: root });
  // Only now, as it loads the packages that build.
  const { bundleCommand } = await import('./bundle.mjs');
  await bundleCommand(root, into);
  const { buildPage } = await import('./page.mjs');
  await buildPage(root, into);
  const named = new Set();
  nameTypes(join(into, 'index.d.ts'), named);
  for (const path of filesIn(into, '.')) {
    if (path.endsWith('.d.ts') && !named.has(join(into, path))) rmSync(join(into, path));
  }
}

function nameTypes(file, named) {
  if (named.has(file)) return;
  named.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, other] of text.matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.[jt]s["']/g)) {
    nameTypes(join(dirname(file), `${other}.d.ts`), named);
  }
}

/** The names in dist/ that are not of this build are removed: what is deleted from src does not live on. */
function publish(made) {
  const files = filesIn(made, '.');
  for (const file of files) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(made, file), join(dist, file));
  }
  for (const file of filesIn(dist, '.')) {
    if (!file.startsWith(`${WORK}/`) && !files.includes(file)) rmSync(join(dist, file));
  }
  removeEmpty(dist);
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === WORK) continue;
    const below = join(folder, entry.name);
    removeEmpty(below);
    if (readdirSync(below).length === 0) rmdirSync(below);
  }
}
