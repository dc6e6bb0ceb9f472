// Makes dist/: the command as a few CommonJS files in dist/bin and the library over them (bundle.mjs), and
// the types of the library (tsc, from src/index.ts), without those that nothing in it names. What it did
// not write is removed at the end, so that a file deleted from src cannot live on in the package, and
// the command is there all the time for who has linked to it. Says in a line when the packages that build were not installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const absent = ['esbuild', 'typescript'].find((name) => !existsSync(`${root}node_modules/${name}`));
if (absent !== undefined) {
  process.stderr.write(
    `${absent} is not installed, and nothing is built without it. Run this first: npm ci\n`,
  );
  process.exit(1);
}
// Only now, as these load it.
const { bundleCommand } = await import('./bundle.mjs');

const began = Date.now();
execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
  {
    stdio: 'inherit',
    cwd: root,
  },
);
await bundleCommand(root);

const named = new Set();
nameTypes(join(root, 'dist/index.d.ts'));
// A file system may keep whole seconds alone.
for (const entry of readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })) {
  const path = `${entry.parentPath}/${entry.name}`;
  const isLeft = statSync(path).mtimeMs < began - 1000;
  if (entry.isFile() && (isLeft || (path.endsWith('.d.ts') && !named.has(path)))) rmSync(path);
}

function nameTypes(file) {
  if (named.has(file)) return;
  named.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, other] of text.matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.[jt]s["']/g)) {
    nameTypes(join(dirname(file), `${other}.d.ts`));
  }
}
