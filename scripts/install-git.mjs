// A git of at least 2.54, whose configuration can name hooks, for the nightly tests: built from the
// source package of Debian's newest git, from whatever mirror apt is set to, and checked by apt. It goes
// below the same folder as the clients, git-<version>/bin/git, and is taken from there the next time.
// Needs Debian, a C compiler, make and zlib's headers. Safe to run twice, also at once. Prints the
// program's path; exit 1 with words when it could not be had.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, UNFINISHED } from './install-clients.mjs';
import { locked } from './lock.mjs';

const OLDEST = [2, 54];
const SUITE = 'sid';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const TIMEOUT_MS = 1_800_000;
/** Nothing here needs them; each would need headers, or Rust. */
const WITHOUT = ['CURL', 'EXPAT', 'GETTEXT', 'TCLTK', 'PERL', 'PYTHON', 'RUST'];

function run(program, args, cwd) {
  const env = { ...process.env, LC_ALL: 'C' };
  const how = { cwd, env, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 256 * 1024 * 1024 };
  const ran = spawnSync(program, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  if (ran.status === 0) return ran.stdout;
  const why = ran.error?.message ?? ran.stderr.trim().split('\n').slice(-5).join('\n');
  throw new Error(`${program} ${args[0]}: ${why}`);
}

/** The mirror of Debian itself, not that of its security updates. */
function mirror() {
  const said = run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(LABEL)'], '/');
  const found = said
    .split('\n')
    .map((line) => line.split(' ')[0])
    .find((uri) => /\/debian\/?$/.test(uri));
  if (found === undefined) throw new Error('apt has no mirror of Debian here');
  return found;
}

/** The archive of the newest source, in a folder of its own, with lists of its own. */
function download(folder) {
  const signed = fs.existsSync(KEYRING) ? `[signed-by=${KEYRING}] ` : '';
  fs.mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  fs.mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true });
  fs.writeFileSync(join(folder, 'sources.list'), `deb-src ${signed}${mirror()} ${SUITE} main\n`);
  const own = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': '',
  };
  const options = Object.entries(own).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  run('apt-get', ['update', ...options], folder);
  run('apt-get', ['source', '--download-only', ...options, 'git'], folder);
  const archive = fs.readdirSync(folder).find((name) => /^git_.*\.orig\.tar\.\w+$/.test(name));
  if (archive === undefined) throw new Error('the source package of git has no archive');
  return archive;
}

function build(unfinished) {
  const archive = download(unfinished);
  run('tar', ['xf', archive], unfinished);
  const source = fs.readdirSync(unfinished).find((name) => /^git-\d/.test(name));
  if (source === undefined) throw new Error(`${archive} holds no folder of git`);
  const folder = join(cache, source);
  const made = join(unfinished, 'made');
  const flags = [`prefix=${folder}`, `DESTDIR=${made}`, 'CFLAGS=-O1', 'NO_INSTALL_HARDLINKS=1'];
  const less = WITHOUT.map((name) => `NO_${name}=1`);
  run(
    'make',
    ['-j', String(availableParallelism()), ...flags, ...less, 'install'],
    join(unfinished, source),
  );
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(join(made, folder), folder);
}

/** The newest that is there and new enough. */
export function gitThere() {
  if (!fs.existsSync(cache)) return undefined;
  const [newest] = fs
    .readdirSync(cache)
    .flatMap((name) => {
      const [, major, minor] = /^git-(\d+)\.(\d+)[\d.]*$/.exec(name)?.map(Number) ?? [];
      const program = join(cache, name, 'bin/git');
      return isNew(major, minor) && fs.existsSync(program) ? [{ program, major, minor }] : [];
    })
    .toSorted((a, b) => b.major - a.major || b.minor - a.minor);
  return newest?.program;
}

function isNew(major, minor) {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function main() {
  try {
    if (gitThere() === undefined) {
      await locked(join(cache, 'lock'), 'installs', () => {
        if (gitThere() !== undefined) return;
        const unfinished = join(cache, `git${UNFINISHED}${process.pid}`);
        fs.mkdirSync(unfinished, { recursive: true });
        try {
          build(unfinished);
        } finally {
          fs.rmSync(unfinished, { recursive: true, force: true });
        }
      });
    }
    const program = gitThere();
    if (program === undefined) throw new Error(`Debian's git is older than ${OLDEST.join('.')}`);
    console.log(program);
    return 0;
  } catch (error) {
    console.error(`git of at least ${OLDEST.join('.')}: ${error.message}`);
    return 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main();
