/** Effects of common programs on files. Interpreters and unknown programs are left to the sandbox. */
import type { ChangeKind } from '../../task/core/model/permissions.ts';
import { UNKNOWN, word, type Word } from './shell-word.ts';

/** In the order in which the program does it; creating a folder changes no file. */
export interface FileEffect {
  /** `whole`: any file; `into`: a file, or `name` in a folder; `kept`: gets no new text that could run. */
  readonly change: ChangeKind | 'folder' | 'whole' | 'into' | 'kept';
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

export function operands(rest: readonly Word[], takes = /(?!)/): readonly Word[] {
  const end = rest.findIndex(({ text }) => text === '--');
  return rest.filter(({ text }, i) => {
    if (end !== -1 && i >= end) return i > end;
    return (
      (!text.startsWith('-') || text === '-') && (i === 0 || !takes.test(rest[i - 1]?.text ?? ''))
    );
  });
}

const all = (change: FileEffect['change'], words: readonly Word[]): readonly FileEffect[] =>
  words.map((one) => ({ change, word: one }));

const has = (rest: readonly Word[], flag: RegExp): boolean =>
  rest.some(({ text }) => flag.test(text));
const isFile = ({ text }: Word): boolean => text !== '-';
/** A write to files that its arguments do not show. */
const HIDDEN = all('write', [word(UNKNOWN)]);

type Does = (rest: readonly Word[], name: string, input?: string) => readonly FileEffect[];

/** Applies the change to its operands from that one on; `takes`: short options with a value. */
function simply(change: FileEffect['change'], takes = '-', from = 0): Does {
  const valued = new RegExp(`^(-[${takes}]|--(reference|date|size|mode|from))$`);
  return (rest) => all(change, operands(rest, valued).slice(has(rest, /^--ref/) ? 0 : from));
}
const writes =
  (short: string, ...long: readonly string[]): Does =>
  (rest) =>
    all('write', valuesOf(rest, short, ...long));

const PROGRAMS: readonly (readonly [string, Does])[] = [
  ['rm unlink rmdir shred', simply('delete', 'ns')],
  ['gzip gunzip bzip2 bunzip2 xz unxz', packed],
  ['touch', simply('append', 'drt')],
  ['truncate fallocate mkfifo setfacl', simply('kept', 'srlomxM')],
  ['mkdir', simply('folder', 'm')],
  ['chmod chown chgrp', simply('kept', '-', 1)],
  ['uniq', simply('write', 'fsw', 1)],
  ['xxd', simply('write', 'clgos', 1)],
  ['tee', (rest) => all(has(rest, /^(-[a-z]*a|--append)/) ? 'append' : 'write', operands(rest))],
  ['mv', moved],
  ['cp install ln link rsync scp', into],
  ['sed', sed],
  ['awk gawk mawk', awk],
  ['perl ruby', (rest) => (has(rest, /^-[a-zA-Z0-9]*i/) ? all('write', scriptless(rest)) : [])],
  [
    'dd',
    (rest) =>
      all('write', rest.flatMap(({ text }) => /^of=([^]*)/.exec(text)?.[1] ?? []).map(word)),
  ],
  ['tar', tar],
  ['unzip', (rest) => (has(rest, /^-[a-zA-Z]*[lptvZz]/) ? [] : below(valuesOf(rest, 'd')))],
  ['zip', (rest) => all('write', operands(rest).slice(0, 1))],
  ['split', split],
  ['patch', patched],
  ['ed', edited],
  // They do what their script or archive says, to any file.
  ['ex vi vim nvim view emacs nano cpio ar csplit', (_, name) => all('whole', [word(name)])],
  ['curl wget', fetched],
  ['sort shuf iconv', writes('o', '--output')],
  ['openssl', writes('', '-out', '-keyout', '-writerand', '-CAserial')],
  ['ssh-keygen', writes('f')],
  ['tcpdump', writes('w')],
  ['find', writes('', '-fprintf', '-fprint', '-fprint0', '-fls')],
];
const KNOWN = new Map(
  PROGRAMS.flatMap(([names, does]) => names.split(' ').map((name) => [name, does] as const)),
);
/** An option such as `-o`, or a word such as `cp`, means nothing to them, or is for the sandbox. */
const PLAIN = new Set(
  (
    'python python3 node deno bun bunx tsx php java make cmake ninja npm npx yarn pnpm pip pip3 ' +
    'uv uvx poetry cargo go dotnet gradle gradlew mvn mvnw docker podman kubectl helm aws gcloud az ' +
    'terraform brew apt apt-get gh ssh ps ls grep egrep fgrep zgrep rg ag fd test [ set shopt jq yq ' +
    'column pgrep stat mount echo printf man which type sleep true tmux cat head tail wc diff cmp file du ' +
    'df tree less more cut tr printenv read kill wait basename dirname realpath readlink exit return ' +
    'whereis hash alias unset export local declare'
  ).split(' '),
);
/** Recognised also as an argument of an unknown program, which may start them. */
const STARTED = /^(\/.*\/)?(sh|bash|dash|zsh|ksh|cp|mv|tee|dd|sed|git|chmod|truncate|ln|rsync)$/;

/** The place where an unknown program starts a known one; -1 where it does not. */
export function startedIn(name: string, rest: readonly Word[]): number {
  return isKnown(name) ? -1 : rest.findIndex(({ text }) => STARTED.test(text));
}

export function isKnown(name: string): boolean {
  return KNOWN.has(name) || PLAIN.has(name);
}

/** `rest`: what follows the name of the program; `input`: its stdin, where that is known. */
export function fileEffects(name: string, rest: readonly Word[], input?: string) {
  const does = KNOWN.get(name);
  if (does !== undefined) return does(rest, name, input);
  if (PLAIN.has(name)) return [];
  // An unknown program: only values that look like a path; what it creates is no script.
  const named = valuesOf(rest, 'o', '--output', '--outfile', '--out-file');
  const paths = named.filter(({ text }) => /[/.]/.test(text) && !text.includes('='));
  return all('kept', paths);
}

function packed(rest: readonly Word[]): readonly FileEffect[] {
  const looks = has(rest, /^(-[a-z]*[clt]|--(stdout|to-stdout|list|test))$/);
  return looks ? [] : all('delete', operands(rest, /^-S$/));
}

function moved(rest: readonly Word[]): readonly FileEffect[] {
  const given = operands(rest);
  const isTo = valuesOf(rest, 't', '--target-directory').length > 0;
  return [...all('delete', isTo ? given : given.slice(0, -1)), ...into(rest, 'mv')];
}

/** Writes to the file that options name; without one, to any file of the folder. */
function fetched(rest: readonly Word[], name: string): readonly FileEffect[] {
  const isWget = name === 'wget';
  const long =
    '--output --output-document --dump-header --cookie-jar --trace --trace-ascii --stderr';
  const named = valuesOf(rest, isWget ? 'Ooa' : 'oDc', ...long.split(' '));
  const isAny = isWget
    ? !has(rest, /^(--spider|--output-document.*|-[a-zA-Z]*O.*)$/)
    : has(rest, /^(-[a-zA-Z]*[OJ]|--remote-)/);
  const folder = valuesOf(rest, isWget ? 'P' : '', '--directory-prefix', '--output-dir');
  return [...all('write', named.filter(isFile)), ...(isAny ? below(folder) : [])];
}

function below(folders: readonly Word[]): readonly FileEffect[] {
  const folder = folders.at(-1)?.text ?? '.';
  return all('write', [word(`${folder}/*`)]);
}

const INTO_TAKES: Readonly<Record<string, RegExp>> = {
  rsync: /^(-e|-f|--(rsh|exclude|include|filter|exclude-from|files-from))$/,
  install: /^(-[mogS]|--(mode|owner|group|suffix))$/,
  scp: /^-[iPoFlcS]$/,
};

/** Files keep their names in a folder; a link counts as its target. */
function into(rest: readonly Word[], name: string): readonly FileEffect[] {
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
  return sources.flatMap(({ text }): FileEffect[] => {
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

/** In place. Patterns and texts are taken out first, so that its commands w and e are seen. */
function sed(rest: readonly Word[]): readonly FileEffect[] {
  const scripts = valuesOf(rest, 'e', '--expression');
  const script = (scripts.length > 0 ? scripts : operands(rest).slice(0, 1))
    .map(({ text }) => text)
    .join('\n')
    // A substitution is reduced to its flags w and e, as if they were commands.
    .replaceAll(
      /[sy]([^\w\s\\])(?:\\[^]|(?!\1)[^\\])*\1(?:\\[^]|(?!\1)[^\\])*\1([a-zA-Z0-9]*)/g,
      (_, _sign, flags: string) => `;${flags.replaceAll(/[^we]/g, '')} `,
    )
    .replaceAll(/\/(?:\\[^]|[^/\\\n])*\//g, '')
    .replaceAll(/(^|[\s;{\d$!,])[aic]\\?[ \t\n][^\n]*/g, '$1');
  const isHidden = /(?:^|[\n;{}\d$!,])[ \t]*(?:[wW]|e+w?(?=[\s;}]|$))/.test(script);
  const inPlace = has(rest, /^(-[nErsuz]*i|--in-place)/);
  return [...(isHidden ? HIDDEN : []), ...(inPlace ? all('write', scriptless(rest)) : [])];
}

/** Output to elsewhere, and starting a program, are not followed; patterns are taken out. */
function awk(rest: readonly Word[]): readonly FileEffect[] {
  const [program = word('')] = operands(rest, /^(-[vFf]|--(assign|field-separator|file))$/);
  const signs = program.text
    .replaceAll(/"(?:\\[^]|[^"\\])*"|\/(?:\\[^]|[^/"\\\n>|])+\//g, '')
    .replaceAll(/\([^()]*\)/g, '');
  return /\bprintf?\b[^;}\n]*[>|]|\b(system|getline)\b/.test(signs) ? HIDDEN : [];
}

function tar(rest: readonly Word[]): readonly FileEffect[] {
  const isOld = rest[0]?.text.startsWith('-') === false;
  const dashed = isOld ? [word(`-${rest[0]?.text ?? ''}`), ...rest.slice(1)] : rest;
  const mode = (letter: string, long: RegExp): boolean =>
    has(dashed, long) || has(dashed, new RegExp(`^-[a-zA-Z]*${letter}`));
  if (mode('[IF]', /^--(to-c|us|inf|rs|checkpoint-|new-)/)) return HIDDEN;
  const extracts = mode('x', /^--(extract|get)$/);
  if (extracts ? mode('O', /^--to-stdout/) : mode('t', /^--list$/)) return [];
  if (extracts) return below(valuesOf(rest, 'C', '--directory'));
  return all('write', valuesOf(dashed, 'f', '--file').filter(isFile));
}

function split(rest: readonly Word[]): readonly FileEffect[] {
  if (has(rest, /^--fi/)) return HIDDEN;
  const takes = /^(-[abClnk]|--(lines|bytes|number|suffix-length))$/;
  return all('write', [word(`${operands(rest, takes)[1]?.text ?? 'x'}*`)]);
}

const PATCH_TAKES = /^(-[ipDFV]|--(input|strip|fuzz))$/;

/** The file itself; any file where its words do not name one. */
function patched(rest: readonly Word[]): readonly FileEffect[] {
  if (has(rest, /^(--dry-run|-C)$/)) return [];
  const isElsewhere = has(rest, /^(-[a-zA-Z]*[odrBYz]|--(ou|di|re|pr|ba|su))/);
  const [file] = operands(rest, PATCH_TAKES);
  return file === undefined || isElsewhere ? all('whole', [word('patch')]) : all('write', [file]);
}

/** The file itself, where its script is known and does nothing else. */
function edited(rest: readonly Word[], name: string, input = '!'): readonly FileEffect[] {
  const isPlain = !/[!\uE000]|(^|[\n|])\s*[\d,$%.]*\s*[a-zA-Z]+[ \t]+\S/.test(input);
  return isPlain ? all('write', operands(rest)) : all('whole', [word(name)]);
}
