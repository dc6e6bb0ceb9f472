// Makes dist/: the library as plain ESM with types (tsc, from src/index.ts), and the command as a few
// CommonJS files in dist/bin (bundle.mjs). What it did not write is removed at the end, so that a file
// deleted from src cannot live on in the package, and the command is there all the time for who has
// linked to it. Says in a line when the packages that build were not installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
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
const { makeCodeCache } = await import('./code-cache.mjs');

const began = Date.now();
execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
  {
    stdio: 'inherit',
    cwd: root,
  },
);
await makeCodeCache(root, await bundleCommand(root));

// A file system may keep whole seconds alone.
for (const entry of readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })) {
  const path = `${entry.parentPath}/${entry.name}`;
  if (entry.isFile() && statSync(path).mtimeMs < began - 1000) rmSync(path);
}
