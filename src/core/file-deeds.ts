/**
 * What the usual programs do to files, by their words: which they write, let grow, remove, which folders
 * they make, what they run. Tables, so that a program is a line: interpreters, build tools and whatever
 * is not here are for the sandbox; of those only an option that names an output counts. Pure.
 */
import type { ChangeKind } from './authority.ts';
import { UNKNOWN, word, type Word } from './shell-word.ts';

/** In the order in which the program does it; no file changes when a folder is made. */
export interface FileDeed {
  /**
   * `whole`: any file below, the word is what does it. `into`: a file, or one named `name` in a folder.
   * `kept`: it is written, and holds no new text that could run. `runs`: a text for a shell.
   */
  readonly change: ChangeKind | 'folder' | 'whole' | 'into' | 'kept' | 'runs';
  readonly word: Word;
  readonly name?: string;
}

/** Values of an option in all its forms: `-o x`, `-ox`, `-vo x`, `--out x`, `--out=x`, `--ou x`. */
export function valuesOf(rest: readonly Word[], short: string, ...long: readonly string[]): Word[] {
  const isLong = (name: string): boolean =>
    long.some((one) => one === name || (name.length > 4 && one.startsWith(name)));
  const cluster = /^-?$/.test(short) ? /(?!)/ : new RegExp(`^-[a-zA-Z0-9]*?[${short}]([^]*)$`);
  return rest.flatMap(({ text }, i): Word[] => {
    const [, name = '', , value] = /^(--?[\w-]+)(=([^]*))?$/.exec(text) ?? [];
    const next = rest[i + 1] ?? word('');
    if (isLong(name)) return [value === undefined ? next : word(value)];
    const [whole, tail] = text.startsWith('--') ? [] : (cluster.exec(text) ?? []);
    return whole === undefined ? [] : [tail === '' || tail === undefined ? next : word(tail)];
  });
}

/** Without options, and without the values of those that `takes` names. */
export function operands(rest: readonly Word[], takes = /(?!)/): readonly Word[] {
  const end = rest.findIndex(({ text }) => text === '--');
  return rest.filter(({ text }, i) => {
    if (end !== -1 && i >= end) return i > end;
    return (
      (!text.startsWith('-') || text === '-') && (i === 0 || !takes.test(rest[i - 1]?.text ?? ''))
    );
  });
}

const all = (change: FileDeed['change'], words: readonly Word[]): readonly FileDeed[] =>
  words.map((one) => ({ change, word: one }));

/** Change -> programs that do it to their operands, with the options that take a word after a colon. */
const SIMPLE: readonly (readonly [FileDeed['change'], string])[] = [
  ['delete', 'rm unlink rmdir shred:ns gzip:S gunzip:S bzip2 bunzip2 xz unxz'],
  ['append', 'touch:drt'],
  ['kept', 'truncate:sr fallocate:lo mkfifo:m setfacl:mxM'],
  ['folder', 'mkdir:m'],
];
/** The same behind one operand: a mode, an owner, what is read. */
const AFTER_ONE = 'chmod chown chgrp uniq:fsw xxd:clgos';
/** They do what their script says, to any file. */
const EDITORS = new Set('ed ex vi vim nvim view emacs nano'.split(' '));
/** Program -> options that name a file which it writes. */
const OUTPUTS: Readonly<Record<string, string>> = {
  curl: 'oDc --output --dump-header --cookie-jar --trace --trace-ascii --stderr',
  wget: 'O --output-document',
  sort: 'o --output',
  shuf: 'o --output',
  iconv: 'o --output',
  openssl: '- -out -keyout -writerand -CAserial',
  'ssh-keygen': 'f',
  find: '- -fprintf -fprint -fprint0 -fls',
  tcpdump: 'w',
};
const ANY_OUTPUT = 'o --output --outfile --out-file';
/** What they do with a word like `-o` or `cp` is nothing to files, or for the sandbox. */
const PLAIN = new Set(
  (
    'python python3 node deno bun bunx tsx ruby php java perl make cmake ninja npm npx yarn pnpm pip pip3 ' +
    'uv uvx poetry cargo go dotnet gradle gradlew mvn mvnw docker podman kubectl helm aws gcloud az ' +
    'terraform brew apt apt-get gh ssh ps ls grep egrep fgrep zgrep rg ag fd test [ set shopt jq yq ' +
    'column pgrep stat mount echo printf man which type sleep true tmux cat head tail wc diff cmp file du ' +
    'df tree less more cut tr printenv read kill wait basename dirname realpath readlink exit return ' +
    'whereis hash alias unset export local declare'
  ).split(' '),
);
/** These are started, where they are words of a program that is not known. */
const STARTED = /^(\/.*\/)?(sh|bash|dash|zsh|ksh|cp|mv|tee|dd|sed|git|chmod|truncate|ln|rsync)$/;
const KNOWN: Readonly<
  Record<string, (rest: readonly Word[], input?: string) => readonly FileDeed[]>
> = {
  tee: (rest) => all(has(rest, /^(-[a-z]*a|--append)/) ? 'append' : 'write', operands(rest)),
  mv: (rest) => {
    const given = operands(rest);
    const gone = valuesOf(rest, 't', '--target-directory').length > 0 ? given : given.slice(0, -1);
    return [...all('delete', gone), ...into('mv', rest)];
  },
  cp: (rest) => into('cp', rest),
  install: (rest) => into('install', rest),
  ln: (rest) => into('ln', rest),
  link: (rest) => into('ln', rest),
  rsync: (rest) => into('rsync', rest),
  scp: (rest) => into('scp', rest),
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  tar,
  patch: patched,
  perl: (rest) => (has(rest, /^-[a-zA-Z0-9]*i/) ? all('write', scriptless(rest)) : []),
  ruby: (rest) => (has(rest, /^-[a-zA-Z0-9]*i/) ? all('write', scriptless(rest)) : []),
  dd: (rest) => all('write', matched(rest, /^of=([^]*)/)),
  unzip: (rest) => (has(rest, /^-[a-zA-Z]*[lptvZz]/) ? [] : below(valuesOf(rest, 'd'))),
  cpio: (rest) => (has(rest, /^-[a-zA-Z]*[ip]/) ? below(operands(rest)) : []),
  zip: (rest) => all('write', operands(rest).slice(0, 1)),
  ar: (rest) => (has(rest.slice(0, 1), /^-?[tpx]/) ? [] : all('write', operands(rest).slice(1, 2))),
  split: (rest) =>
    pieces(rest, operands(rest, /^(-[abClnk]|--(lines|bytes|number|suffix-length))$/)[1]),
  csplit: (rest) => pieces(rest, word(`${valuesOf(rest, 'f', '--prefix')[0]?.text ?? 'x'}`)),
};

/** Where a program that is not known begins one that is; -1 where it does not. */
export function startedIn(name: string, rest: readonly Word[]): number {
  const isKnown = [KNOWN, OUTPUTS].some((table) => Object.hasOwn(table, name)) || EDITORS.has(name);
  if (isKnown || PLAIN.has(name) || simple(name) !== undefined) return -1;
  return rest.findIndex(({ text }) => STARTED.test(text));
}

/** `rest` is what stands behind the name of the program; `input` is what it reads, where that is known. */
export function fileDeeds(
  name: string,
  rest: readonly Word[],
  input?: string,
): readonly FileDeed[] {
  const own = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (own !== undefined) return own(rest, input);
  if (EDITORS.has(name)) return edited(name, rest, input);
  const [change, takes, from] = simple(name) ?? [];
  if (change === undefined) return PLAIN.has(name) ? [] : outputs(name, rest);
  if (/zip|xz$/.test(name) && has(rest, /^(-[a-z]*[clt]|--(stdout|to-stdout|list|test))$/))
    return [];
  return all(change, operands(rest, takes).slice(has(rest, /^--reference/) ? 0 : from));
}

function simple(name: string): readonly [FileDeed['change'], RegExp, number] | undefined {
  for (const [change, programs] of [...SIMPLE, ['write', AFTER_ONE] as const]) {
    const found = programs.split(' ').find((one) => one.split(':')[0] === name);
    if (found === undefined) continue;
    const takes = new RegExp(
      `^(-[${found.split(':')[1] ?? '-'}]|--(reference|date|size|mode|from))$`,
    );
    if (programs !== AFTER_ONE) return [change, takes, 0];
    return [name.startsWith('ch') ? 'kept' : change, takes, 1];
  }
  return undefined;
}

const has = (rest: readonly Word[], flag: RegExp): boolean =>
  rest.some(({ text }) => flag.test(text));
const matched = (rest: readonly Word[], part: RegExp): Word[] =>
  rest.flatMap(({ text }) => part.exec(text)?.[1] ?? []).map(word);

function outputs(name: string, rest: readonly Word[]): readonly FileDeed[] {
  const own = Object.hasOwn(OUTPUTS, name);
  const [short = '', ...long] = ((own ? OUTPUTS[name] : undefined) ?? ANY_OUTPUT).split(' ');
  // Of one that is not in the tables, what looks like a path; what it makes is no script.
  const named = valuesOf(rest, short, ...long).filter(
    ({ text }) => text !== '-' && (own || (/[/.]/.test(text) && !text.includes('='))),
  );
  const asks = name === 'curl' ? has(rest, /^(-[a-zA-Z]*[OJ]|--remote-)/) : name === 'wget';
  const isNamed = has(rest, /^(--spider|--output-document.*|-[a-zA-Z]*O.*)$/) && name === 'wget';
  const folder = valuesOf(rest, name === 'wget' ? 'P' : '-', '--directory-prefix', '--output-dir');
  return [...all(own ? 'write' : 'kept', named), ...(asks && !isNamed ? below(folder) : [])];
}

/** Anything in that folder, or here. */
function below(folders: readonly Word[]): readonly FileDeed[] {
  const folder = folders.at(-1)?.text ?? '.';
  return all('write', [word(`${folder}/*`)]);
}

const INTO_TAKES: Readonly<Record<string, RegExp>> = {
  rsync: /^(-e|-f|--(rsh|exclude|include|filter|exclude-from|files-from))$/,
  install: /^(-[mogS]|--(mode|owner|group|suffix))$/,
  scp: /^-[iPoFlcS]$/,
};

/** Files that keep their names in a folder; what a link leads to. */
function into(name: string, rest: readonly Word[]): readonly FileDeed[] {
  const isFar = /^(rsync|scp)$/.test(name);
  const [folder] = valuesOf(rest, isFar ? '-' : 't', '--target-directory');
  const given = operands(rest, INTO_TAKES[name] ?? /^-S$/).filter((one) => one !== folder);
  if (name === 'install' && has(rest, /^(-d|--directory)$/)) return all('folder', given);
  const alone = folder === undefined && given.length === 1;
  const to = folder ?? (alone && name === 'ln' ? word('.') : given.at(-1));
  if (to === undefined || (alone && name !== 'ln')) return [];
  if (isFar && /^[\w.@-]+:/.test(to.text)) return [];
  const sources = folder === undefined && !alone ? given.slice(0, -1) : given;
  const isIn = folder !== undefined || sources.length > 1 || to.text.endsWith('/');
  const links =
    name === 'ln' || (name === 'cp' && has(rest, /^(-[a-zA-Z]*[ls]|--(symbolic-)?link)/));
  const isFrom = has(rest, /^(-[a-zA-Z]*s|--symbolic)/);
  return sources.flatMap(({ text }): FileDeed[] => {
    const last = text.replace(/\/+$/, '').split('/').at(-1) ?? '';
    const own = /^\.{0,2}$/.test(last) ? '*' : last;
    const target = isIn ? word(`${to.text.replace(/(.)\/+$/, '$1')}/${own}`) : to;
    const led = isFrom && !text.startsWith('/') ? `${target.text}/../${text}` : text;
    const change = isIn ? 'write' : 'into';
    return [...(links ? all('kept', [word(led)]) : []), { change, word: target, name: own }];
  });
}

/** Without the script, which is the first word where no option gives one. */
function scriptless(rest: readonly Word[]): readonly Word[] {
  const takes = /^(-[a-zA-Z]*[ef]|--expression|--file)$/;
  const given = operands(rest, takes);
  return has(rest, takes) || has(rest, /^--(expression|file)=/) ? given : given.slice(1);
}

/** In place, and by the commands w and e of its script, seen once patterns and texts are taken out. */
function sed(rest: readonly Word[]): readonly FileDeed[] {
  const scripts = valuesOf(rest, 'e', '--expression');
  const script = (scripts.length > 0 ? scripts : operands(rest).slice(0, 1))
    .map(({ text }) => text)
    .join('\n')
    // A substitution becomes its flags that do more, as the commands of that name.
    .replaceAll(
      /[sy]([^\w\s\\])(?:\\[^]|(?!\1)[^\\])*\1(?:\\[^]|(?!\1)[^\\])*\1([a-zA-Z0-9]*)/g,
      (_, _sign, flags: string) => `;${flags.replaceAll(/[^we]/g, '')} `,
    )
    .replaceAll(/\/(?:\\[^]|[^/\\\n])*\//g, '')
    .replaceAll(/(^|[\s;{\d$!,])[aic]\\?[ \t\n][^\n]*/g, '$1');
  const command = /(?:^|[\n;{}\d$!,])[ \t]*(?:([wW])[ \t]*([^\n;}]+)|e+w?(?=[\s;}]|$))/g;
  const written = [...script.matchAll(command)].map(([, w, file = '']) =>
    word(w === undefined ? UNKNOWN : file.trim()),
  );
  return [
    ...all('write', written),
    ...(has(rest, /^(-[nErsuz]*i|--in-place)/) ? all('write', scriptless(rest)) : []),
  ];
}

const LITERAL = '"((?:\\\\[^]|[^"\\\\])*)"';

/** What its program prints into files and hands to a shell. */
function awk(rest: readonly Word[]): readonly FileDeed[] {
  const [program] = operands(rest, /^(-[vFf]|--(assign|field-separator|file))$/);
  if (program === undefined || has(rest, /^(-f|--file)/)) return [];
  const seen = program.text.replaceAll(/\/(?:\\[^]|[^/"\\\n])+\//g, '');
  const prints = `\\bprintf?\\b(?:"(?:\\\\[^]|[^"\\\\])*"|\\([^()]*\\)|[^;}\\n">|(])*(>>?|\\|)\\s*(?:${LITERAL}\\s*(?=[;}\\n]|$))?`;
  const starts = `\\bsystem\\s*\\(\\s*(?:${LITERAL}\\s*\\))?|(?:${LITERAL})?\\s*\\|&?\\s*getline`;
  const printed = [...seen.matchAll(new RegExp(prints, 'g'))].map(
    ([, sign, target = UNKNOWN]) =>
      ({ change: sign === '|' ? 'runs' : 'write', word: word(target) }) as const,
  );
  const runs = [...seen.matchAll(new RegExp(starts, 'g'))].map(([, a, b]) =>
    word(a ?? b ?? UNKNOWN),
  );
  return [...printed, ...all('runs', runs)];
}

const RUNS = ['--to-command', '--use-compress-program', '--info-script', '--rsh-command'];

function tar(rest: readonly Word[]): readonly FileDeed[] {
  const isOld = rest[0]?.text.startsWith('-') === false;
  const dashed = isOld ? [word(`-${rest[0]?.text ?? ''}`), ...rest.slice(1)] : rest;
  const actions = valuesOf(rest, '-', '--checkpoint-action').filter(({ text }) =>
    text.startsWith('exec'),
  );
  const runs = [...matched(actions, /^exec=([^]*)/), ...valuesOf(dashed, 'IF', ...RUNS)];
  const archive = valuesOf(dashed, 'f', '--file').filter(({ text }) => text !== '-');
  const mode = (letter: string, long: RegExp): boolean =>
    has(dashed, long) || has(dashed, new RegExp(`^-[a-zA-Z]*${letter}`));
  const extracts = mode('x', /^--(extract|get)$/);
  const isOut = extracts ? mode('O', /^--to-(stdout|command)/) : mode('t', /^--list$/);
  const files = extracts ? below(valuesOf(rest, 'C', '--directory')) : all('write', archive);
  return [...all('runs', runs), ...(isOut ? [] : files)];
}

function pieces(rest: readonly Word[], prefix = word('x')): readonly FileDeed[] {
  const runs = valuesOf(rest, '-', '--filter');
  return runs.length > 0 ? all('runs', runs) : all('write', [word(`${prefix.text}*`)]);
}

const PATCH_TAKES = /^(-[iprdoDBFYzV]|--(input|strip|directory|output|reject-file|fuzz))$/;

/** The files that its text names; any where that is not known, or is no plain difference. */
function patched(rest: readonly Word[], input: string | undefined): readonly FileDeed[] {
  if (has(rest, /^(--dry-run|-C)$/)) return [];
  const out = valuesOf(rest, 'o', '--output');
  if (out.length > 0) return all('write', out);
  const given = operands(rest, PATCH_TAKES);
  const [folder] = valuesOf(rest, 'd', '--directory');
  if (given.length > 0 && folder === undefined) return all('write', given.slice(0, 1));
  const strip = Number(valuesOf(rest, 'p', '--strip')[0]?.text);
  const lines = input?.split('\n') ?? [];
  const named = matched(lines.map(word), /^(?:---|\+\+\+|(?:rename|copy) (?:from|to)) ([^\t]+)/);
  const odd = /^(\d+(,\d+)?[acdi]|\*\*\* |Index: |(---|\+\+\+) ")/;
  if (Number.isNaN(strip) || named.length === 0 || lines.some((line) => odd.test(line))) {
    return all('whole', [word('patch')]);
  }
  const names = named.map(({ text }) =>
    text
      .split('/')
      .slice(text === '/dev/null' ? 9 : strip)
      .join('/'),
  );
  return all(
    'write',
    names.map((one) => word(one === '' ? one : `${folder?.text ?? '.'}/${one}`)),
  );
}

/** The file itself, where its script is known and does nothing else. */
function edited(name: string, rest: readonly Word[], input?: string): readonly FileDeed[] {
  const given = operands(rest, /^(-[cp]|--cmd)$/);
  const scripts = [...matched(rest, /^\+([^]*)/), ...valuesOf(rest, 'c', '--cmd')];
  const script = [input ?? '', ...scripts.map(({ text }) => text)].join('\n');
  const isKnown = input !== undefined || scripts.length > 0 || !/^e[dx]$/.test(name);
  const isPlain = !/[!\uE000]|(^|[\n|])\s*[\d,$%.]*\s*[a-zA-Z]+[ \t]+\S/.test(script);
  const files = given.filter(({ text }) => !text.startsWith('+'));
  return all(isKnown && isPlain ? 'write' : 'whole', isKnown && isPlain ? files : [word(name)]);
}
