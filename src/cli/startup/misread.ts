/** Words for a command line that cannot be read: what was meant, and what an earlier name is called now. */
import type { CommanderError } from 'commander';
import { nearest } from '../../task/core/base/nearest.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { VerbEntry } from '../../workspace/tasks/verb.ts';
import { COMMAND_LINE } from '../output/output.ts';

/** Names of verbs, and of verbs below another. */
const OLD_VERBS: Readonly<Record<string, string>> = {
  reopen: 'contracts retry ID --again',
  resolve: 'contracts retry ID "…"',
  states: 'contracts help states',
  graph: 'contracts list --graph',
  board: 'contracts list --board',
  recover: 'contracts doctor --recover HOST',
  resume: 'contracts pause --end',
  stats: 'contracts status --stats',
  'plan resume': 'contracts plan pause NAME --end',
};

const WRITE_IT = 'contracts edit ID, or contracts new --from FILE';

const OLD_FLAGS: readonly (readonly [verbs: string, flags: string, now: string])[] = [
  ['do new', '--objective --category --type --workflow --priority --tag', WRITE_IT],
  ['do new', '--ask-agent', 'contracts plan new "…"'],
  ['list', '--workflow --phase --text', 'contracts list WORD'],
  ['list', '--sort', 'contracts list, what needs you first'],
  ['list', '--by', 'contracts status'],
];

/** The command that does now what this flag of the verb did. */
function oldFlag(verb: string, flag: string): string | undefined {
  const has = (names: string, name: string): boolean => names.split(' ').includes(name);
  return OLD_FLAGS.find(([verbs, flags]) => has(verbs, verb) && has(flags, flag))?.[2];
}

/** Guesses in place of those of commander. */
const GUESSES: readonly (readonly [RegExp, string])[] = [
  [/'(?:-v|version)'/, '(Did you mean --version?)'],
  [/'--verify'/, '(Did you mean --run?)'],
  [/too many arguments for 'undo'/, '(Leave the reason in a note: contracts note ID "…")'],
  [/too many arguments for '(?:new|do)'/, '(A title of several words: put it in quotes.)'],
];

/** Words that people type for a verb. */
const OTHER_WORDS: readonly (readonly [words: string, verbs: string])[] = [
  ['delete rm remove drop', 'abort or archive'],
  ['stop kill cancel', 'pause or abort'],
  ['serve ui tui web', 'list --board, watch or review'],
  ['search find', 'list --search'],
  ['ls', 'list'],
  ['add create', 'new'],
  ['start go exec execute begin', 'do, or run'],
  ['continue next', 'run'],
  ['diff changes history', 'show or review'],
  ['info view cat', 'show'],
  ['tasks all', 'list --all'],
  ['close finish done accept', 'approve'],
  ['decline refuse', 'reject'],
  ['restart redo again rerun', 'retry'],
  ['reply respond', 'answer'],
  ['comment message', 'note'],
  ['open', 'edit'],
  ['setup config settings', 'init'],
  ['login auth whoami', 'agents'],
];

/** Slips of the fingers alone: a verb that is near in letters may be far in meaning. */
function verbMeant(word: string, wanted: VerbEntry | undefined, all: readonly VerbEntry[]) {
  const other = OTHER_WORDS.find(([words]) => words.split(' ').includes(word));
  if (wanted === undefined && other !== undefined) return other[1];
  const shown = all.filter(({ heading }) => heading !== '').map(({ name }) => name);
  const near = nearest(word, wanted === undefined ? shown : Object.keys(wanted.below ?? {}), 1);
  const letters = (text: string): string => [...text].toSorted().join('');
  if (near === undefined || near.length > 5) return near;
  const isMissing = near.length !== word.length && near[0] === word[0];
  return isMissing || letters(near) === letters(word) ? near : undefined;
}

/** With the first line alone where commander guesses a verb. */
export function guessed(
  text: string,
  ...of: readonly [VerbEntry | undefined, readonly VerbEntry[]]
) {
  const [first = ''] = text.split('\n');
  const [, word] = /unknown command '([^']*)'/.exec(first) ?? [];
  const [wanted] = of;
  const [, flag] = /unknown option '(--[^'=]*)/.exec(first) ?? [];
  const now =
    flag === undefined || wanted === undefined
      ? OLD_VERBS[[wanted?.name ?? [], word ?? []].flat().join(' ')]
      : oldFlag(wanted.name, flag);
  const meant = word === undefined ? undefined : verbMeant(word, ...of);
  const guess =
    GUESSES.find(([misread]) => misread.test(text))?.[1] ??
    ((now && `(It is now: ${now})`) || (meant && `(Did you mean ${meant}?)`));
  if (word === undefined && guess === undefined) return text;
  return `${first}\n${guess === undefined ? '' : `${guess}\n`}`;
}

/** Commander's words, for a program that reads JSON lines. */
export function misuse(
  { code, message }: CommanderError,
  wanted: VerbEntry | undefined,
  all: readonly VerbEntry[],
): Problem {
  const help = wanted === undefined ? 'contracts --help' : `contracts ${wanted.name} --help`;
  const [first = '', ...more] = guessed(message, wanted, all)
    .replace(/^error: /, '')
    .split('\n');
  const shown = code === 'commander.help' ? 'no verb is given' : first.replace(/\.$/, '');
  const meant = more.map((line) => line.replace(/^\((.*)\)$/, '$1')).filter((line) => line !== '');
  const fix = [...meant, `See: ${help}`].join('. ').replaceAll('?. ', '? ');
  return problem({ code: 'bad_value', file: COMMAND_LINE, message: shown, fix });
}
