/**
 * What the command of a setting (`on_state`, `notify`, the editor) takes from the workspace, where agents
 * could have written it. Pure: the caller looks at the disk. Errs on the side of the workspace.
 */

/** Programs that take code from their arguments; versions such as python3.11 count as well. */
const INTERPRETERS = new Set(
  (
    'sh bash rbash dash zsh ksh mksh fish csh tcsh busybox node nodejs deno bun tsx ts-node python ' +
    'pypy perl ruby php lua luajit tclsh wish awk gawk mawk Rscript julia java dotnet'
  ).split(' '),
);
/** Programs that start what their arguments name. */
const LAUNCHERS = new Set(
  (
    'env nice nohup setsid stdbuf timeout time ionice chrt xargs parallel watch script flock sudo doas ' +
    'find fd taskset prlimit unshare setarch strace'
  ).split(' '),
);
/** Programs that take what to do from the folder in which they start, or from above it. */
const OF_THE_FOLDER = new Set(
  (
    'npm npx pnpm pnpx yarn bunx corepack nx turbo lerna make gmake just task mage rake bundle ant ' +
    'gradle gradlew mvn mvnw sbt bazel buck ninja cargo go composer poetry pipenv pdm hatch uv uvx ' +
    'tox nox invoke fab scons waf cmake meson ctest pre-commit lefthook husky direnv mise asdf ' +
    'docker-compose vagrant terraform ansible-playbook wireit'
  ).split(' '),
);
/** Words that name the workspace; any one may start a shell. */
const THE_WORKSPACE = /^[^\s"'$]*\bCONTRACTS_ROOT\b/;
const PLACES = new Set(['PWD', 'OLDPWD']);
/** Relative names: with a slash, or with an ending. */
const PLACE = /^(?![-/~])(?:[^\s/]*\/|.+\.[A-Za-z]\w*$)/;
/** The folder where a shell looks for what fits. */
const FOUND = /^([~/][^*?]*\/)[^/]*[*?]/;
const PLACEHOLDER = /\{\{\w+\}\}/g;

export interface Around {
  /** True for a program, as it is typed. */
  isProgramInside(program: string): boolean;
  /** A path that lies in one of its trees; a relative one must exist. `isCode`: a name without a slash may be one of the home. */
  isInside(path: string, isCode: boolean): boolean;
  /** An absolute folder, or one with ~, that holds the workspace. */
  isAround(folder: string): boolean;
}

/** The first part of `argv` that lies in the workspace, as it is written; undefined where none does. */
export function namedInside(argv: readonly string[], around: Around): string | undefined {
  const [program = '', ...rest] = argv.map((one) => one.replaceAll(PLACEHOLDER, ''));
  const name = nameOf(program);
  if (around.isProgramInside(program) || OF_THE_FOLDER.has(name)) return program;
  const isCode = runsCode(argv) || LAUNCHERS.has(name);
  return rest.flatMap(partsOf).find((part) => {
    if (THE_WORKSPACE.test(part) || around.isInside(part, isCode)) return true;
    const [, folder] = FOUND.exec(part) ?? [];
    return isCode && (takesFrom(part) || (folder !== undefined && around.isAround(folder)));
  });
}

/** An interpreter is called with arguments, also by another program. */
export function runsCode(argv: readonly string[]): boolean {
  const words = argv.flatMap((one) => one.split(/\s+/));
  return words.slice(0, -1).some((one) => INTERPRETERS.has(nameOf(one)));
}

/** An argument, its words, and what follows an option or a sign without a blank, such as `-r./x.js`. */
function partsOf(argument: string): readonly string[] {
  const words = argument.split(/[\s"'`=;&|<>(){}$,:[\]]+/);
  const glued = words.flatMap((one) => [
    ...(one.startsWith('-') ? [one.replace(/^-+\w?/, '')] : []),
    ...(/^[-+@!]/.test(one) ? [one.replace(/^[^/]+/, '')] : []),
  ]);
  // A path with blanks is in quotes, or has them escaped.
  const whole = [
    ...[...argument.matchAll(/(["'])([^]*?)\1/g)].map(([, , one = '']) => one),
    ...argument.split(/(?<!\\)[\s"'`=;&|<>]+/).map((one) => one.replaceAll(/\\(.)/g, '$1')),
  ];
  // `.` alone may be the command that reads a script.
  const own = [...words, ...glued, ...whole].filter((one) => one !== '' && one !== '.');
  return argument === '' ? [] : [argument, ...own];
}

function takesFrom(part: string): boolean {
  if (/\s/.test(part)) return false;
  return OF_THE_FOLDER.has(nameOf(part)) || PLACES.has(part) || PLACE.test(part);
}

function nameOf(program: string): string {
  const base = program.slice(program.lastIndexOf('/') + 1);
  return base.replace(/^(python|pypy|node|perl|ruby|php|lua)[\d.]+$/, '$1');
}
