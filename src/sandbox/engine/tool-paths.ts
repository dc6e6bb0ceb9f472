/** Places outside the system that programs need, and what is hidden in a home that is visible. */
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../../task/core/base/folders.ts';
import { isSomebodyElses, kindOf, realOf } from '../../process/path-kind.ts';
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

/** Of a home the folder alone, as keys are beside it, or a whole version manager; elsewhere libraries too. */
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

/** Of another user, by its path. */
function homeAbove(folder: string): string | undefined {
  return /^(?:\/root|(?:\/var|\/usr)?\/home\/[^/]+|\/Users\/[^/]+)(?=\/|$)/.exec(folder)?.[0];
}

/** A program, the target of its link, and files in its arguments. */
export function programPlaces(
  argv: readonly string[],
  path: string,
  home: string,
): readonly string[] {
  const [program = '', ...rest] = argv;
  const found = program.includes('/') ? program : findProgram(program, path);
  const real = found === undefined ? undefined : realOf(found);
  const folders = [found, real]
    .filter((file) => file !== undefined && isAbsolute(file) && !isSystem(file))
    .flatMap((file) => toolPlaces(dirname(file ?? ''), home))
    .filter((folder) => !isWithin(folder, home));
  const alone = real !== undefined && dirname(real) === home ? [real] : [];
  const files = rest.filter((one) => isAbsolute(one) && !isSystem(one) && kindOf(one) === 'file');
  return [...folders, ...alone, ...files];
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

/** Where keys and tokens are in a home. */
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
