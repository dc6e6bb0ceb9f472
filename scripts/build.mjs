// Compiles src/ to dist/ and makes the command executable. Removes dist first, so that a file
// deleted from src cannot live on in the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
chmodSync(`${root}dist/cli/main.js`, 0o755);
