/** One folder for all that a run of the tests puts on the disk; a repository, package or setting above it is not seen. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { orNothing } from '../../src/process/path-kind.ts';

/** What programs find in a folder above theirs, wherever git stops. A `.git` is not in it: that is sealed off. */
const FOUND_ABOVE =
  'node_modules package.json tsconfig.json pnpm-workspace.yaml pyproject.toml conftest.py .venv .npmrc .contracts active_tasks .claude .mcp.json CLAUDE.md AGENTS.md GEMINI.md opencode.json';

function isClean(folder: string): boolean {
  if (!fs.existsSync(folder)) return false;
  const hasNone = !FOUND_ABOVE.split(' ').some((name) => fs.existsSync(join(folder, name)));
  return hasNone && (folder === dirname(folder) || isClean(dirname(folder)));
}

function cleanPlace(): string {
  const places = [tmpdir(), '/var/tmp', '/dev/shm'];
  const place = places.find((one) => fs.existsSync(one) && isClean(fs.realpathSync(one)));
  if (place !== undefined) return fs.realpathSync(place);
  throw new Error(`tests need a TMPDIR with none of these above it: ${FOUND_ABOVE}`);
}

/** With the processes that it sees, because containers may share a disk. */
const PROCESSES = orNothing(() => fs.readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')) ?? '';
export const runFolder = (place: string, pid = process.pid): string =>
  join(place, `contracts-run-${PROCESSES}-${pid}`);

export const RUN_FOLDER = runFolder(cleanPlace());

/** On a file system in memory where there is one, for a test of thousands of folders. */
export const RUN_FOLDER_IN_MEMORY =
  orNothing(() => {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return runFolder('/dev/shm');
  }) ?? RUN_FOLDER;

/** The default set is in memory, unless somebody says where: to remove its files from a disk takes longer than it. */
export const RUN_FOLDER_OF_DEFAULT =
  process.env['TMPDIR'] === undefined && isClean('/dev/shm') && hasRoom()
    ? RUN_FOLDER_IN_MEMORY
    : RUN_FOLDER;

/** For gigabytes, and for programs: some mounts refuse to run them. */
function hasRoom(): boolean {
  const probe = `${RUN_FOLDER_IN_MEMORY}.probe`;
  const free = orNothing(() => {
    fs.writeFileSync(probe, '', { mode: 0o700 });
    fs.accessSync(probe, fs.constants.X_OK);
    const { bavail, bsize } = fs.statfsSync(probe);
    return bavail * bsize;
  });
  fs.rmSync(probe, { force: true });
  return (free ?? 0) > 2 * 1024 ** 3;
}

/** What runs of this user left that were killed. */
export function sweep(place: string): void {
  for (const name of fs.readdirSync(place)) {
    const folder = join(place, name);
    const pid = Number(name.split('-')[3]);
    if (folder !== runFolder(place, pid) || orNothing(() => process.kill(pid, 0))) continue;
    if (fs.statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    orNothing(() => fs.rmSync(folder, { recursive: true, force: true }));
  }
}

/** Other users pass, because some tests call the command as one of them. */
export function setup(): void {
  for (const folder of [RUN_FOLDER, RUN_FOLDER_IN_MEMORY]) {
    sweep(dirname(folder));
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o755);
  }
}

export function teardown(): void {
  for (const folder of [RUN_FOLDER, RUN_FOLDER_IN_MEMORY]) {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
