/** Places outside the system that programs need, and what is hidden in a home that is visible. */
import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../../task/core/base/folders.ts';
import { isSomebodyElses, kindOf, orNothing, realOf } from '../../process/path-kind.ts';
import { findProgram } from '../../process/program.ts';
import { isSystem } from './machine-view.ts';
import type { SandboxPlace } from './bwrap-args.ts';

/** Folders on PATH that nothing else shows. */
export function toolFolders(path: string, home: string, root: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isSystem(folder) && kindOf(folder) === 'folder')
    .flatMap((folder) => toolPlaces(resolve(folder), home))
    .filter((folder) => !isWithin(folder, home) && !isWithin(folder, root));
}

/** Version managers: their programs need the whole folder, and it holds no keys. */
const TOOLS_AT_HOME = new Set(
  (
    '.pyenv .rbenv .nodenv .nvm .asdf .volta .sdkman .bun .deno .fnm .jenv .goenv .dotnet .ghcup ' +
    '.npm-global .rustup miniconda3 anaconda3 miniforge3 mambaforge go .opencode'
  ).split(' '),
);

/** Only programs are there: what is beside bin belongs to it. */
const PREFIXES = ['/home/linuxbrew/.linuxbrew', '/hostedtoolcache', '/tools', '/sw'];

/** Places of a tool: in a home the folder alone, as keys are beside it, or a whole version manager; elsewhere libraries too. */
export function toolPlaces(folder: string, home: string): readonly string[] {
  const modules = /^(.*?\/node_modules)(\/|$)/.exec(folder)?.[1];
  if (modules !== undefined) return [modules];
  const prefix = PREFIXES.find((one) => isWithin(one, folder));
  if (prefix !== undefined) return [basename(folder) === 'bin' ? dirname(folder) : folder];
  const above = isWithin(home, folder) ? home : homeAbove(folder);
  if (above !== undefined) {
    const [first = ''] = folder.slice(above.length + 1).split('/');
    if (first === '') return [];
    return [TOOLS_AT_HOME.has(first) ? join(above, first) : folder];
  }
  if (basename(folder) !== 'bin' || [folder, dirname(folder)].some(isSomebodyElses)) {
    return [folder];
  }
  return [folder, ...[join(dirname(folder), 'lib')].filter((one) => kindOf(one) === 'folder')];
}

/** The home of another user, by its path. */
function homeAbove(folder: string): string | undefined {
  return /^(?:\/root|(?:\/var|\/usr)?\/home\/[^/]+|\/Users\/[^/]+)(?=\/|$)/.exec(folder)?.[0];
}

/** Places that a program needs to start, and files in its arguments. */
export function programPlaces(
  argv: readonly string[],
  path: string,
  { home, root }: Readonly<Record<'home' | 'root', string>>,
): readonly SandboxPlace[] {
  const files = argv.slice(1).filter((one) => isAbsolute(one) && kindOf(one) === 'file');
  const ways = programFiles(argv, path, root).flatMap(({ seen, real, target }): SandboxPlace[] => {
    const [at, folder] = [dirname(seen), dirname(real)];
    const own = toolPlaces(folder, home);
    // The rest of a home stays hidden.
    if (own.length === 0 || folder === realOf(home)) {
      return [target === undefined ? shown(seen, real) : { path: seen, as: 'link', from: target }];
    }
    if (realOf(at) === folder) return [...own, ...toolPlaces(at, home)].map((one) => shown(one));
    // A mount is no link: a relative link in it leads to another place than here.
    const inner = folder.slice((own[0] ?? folder).length);
    const [above, from] = at.endsWith(inner)
      ? [at.slice(0, at.length - inner.length), own[0]]
      : [at];
    return [...own.map((one) => shown(one)), shown(above, from ?? folder)];
  });
  const holdsHome = ({ path: one, from = one, as }: SandboxPlace): boolean =>
    isWithin(one, home) || (as === 'read' && isWithin(realOf(from) ?? from, realOf(home) ?? home));
  return [...ways, ...files.map((one) => shown(one))].filter(
    (one) => !isSystem(one.path) && !holdsHome(one),
  );
}

function shown(path: string, from = path): SandboxPlace {
  return { path, as: 'read', ...(from !== path && { from }) };
}

interface Passed {
  /** Path in the sandbox. */
  readonly seen: string;
  /** Path here, in a folder without links above it. */
  readonly real: string;
  readonly target: string | undefined;
}

const HOPS_MAX = 40;

/** The program and each link on the way to it, and the same of its interpreter; none that a file below `root` names. */
export function programFiles(
  [program = '']: readonly string[],
  path: string,
  root: string,
): readonly Passed[] {
  let seen = program.includes('/') ? program : (findProgram(program, path) ?? '');
  let real = seen;
  const passed: Passed[] = [];
  while (isAbsolute(real) && passed.length < HOPS_MAX) {
    const folder = realOf(dirname(real)) ?? '/';
    real = join(folder, basename(real));
    const target = orNothing(() => readlinkSync(real));
    passed.push({ seen, real, target });
    if (isWithin(root, real)) return passed;
    const next = target ?? interpreterOf(real, path);
    if (next === undefined) return passed;
    seen = resolve(isSystem(seen) ? folder : dirname(seen), next);
    real = resolve(folder, next);
  }
  return passed;
}

/** Named in the first line of a script. */
function interpreterOf(file: string, path: string): string | undefined {
  const fd = orNothing(() => openSync(file, 'r'));
  if (fd === undefined) return undefined;
  const start = Buffer.alloc(256);
  orNothing(() => readSync(fd, start));
  closeSync(fd);
  const [, program = '', words = ''] = /^#! *(\S+) *(.*)/.exec(start.toString()) ?? [];
  const name = words.split(/\s+/).find((one) => !/^-|=/.test(one)) ?? '';
  return (basename(program) === 'env' ? findProgram(name, path) : program) || undefined;
}

/** Every program needs the certificates. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** A person's configuration may be elsewhere, named by variables of the client. */
export function namedPlaces(
  env: Readonly<Record<string, string>>,
  names: readonly string[] = [],
): readonly string[] {
  return [...CERTIFICATES, ...names].flatMap((name) => {
    const path = env[name];
    return path === undefined || !isAbsolute(path) ? [] : resolve(path);
  });
}

/** Places of keys and tokens in a home. */
const SECRETS = (
  '.ssh .aws .gnupg .kube .docker .azure .netrc .npmrc .pypirc .git-credentials .password-store ' +
  '.config/gh .config/gcloud .config/git/credentials .cargo/credentials .cargo/credentials.toml ' +
  '.local/share/keyrings .m2/settings.xml .vault-token .gem/credentials .composer/auth.json'
).split(' ');

/** The secrets in a home that is visible because the workspace is there. */
export function hiddenAtHome(home: string): SandboxPlace[] {
  return SECRETS.flatMap((name): SandboxPlace[] => {
    const path = join(home, name);
    const kind = kindOf(path);
    if (kind === undefined) return [];
    return [{ path, as: kind === 'folder' ? 'empty' : 'veiled' }];
  });
}
