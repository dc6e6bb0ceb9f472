// Makes dist/: the library as plain ESM with types (tsc, from src/index.ts), and the command as a few
// CommonJS files in dist/bin (bundle.mjs). Removes dist first, so that a file deleted from src cannot
// live on in the package.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleCommand } from './bundle.mjs';
import { makeCodeCache } from './code-cache.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
  {
    stdio: 'inherit',
    cwd: root,
  },
);
await makeCodeCache(root, await bundleCommand(root));
