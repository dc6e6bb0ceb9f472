/**
 * The golden cases, each with its script as data. Knows the lines of a script that
 * test/cases/README.md describes; runs nothing. A line that it does not understand is an error, so
 * that no action is skipped in silence.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseCase, type CaseFileText } from './golden-file.ts';

export const CASES = new URL('../cases/', import.meta.url).pathname;
/** Agents and contracts that several cases have. */
export const PROGRAMS = new URL('../programs/', import.meta.url).pathname;
export const CONTRACTS = new URL('../contracts/', import.meta.url).pathname;

const SHOW = /^show (\S+( \S+)*)$/;

export type Action =
  /** `binary` runs the built command as a process of its own; `background` does not wait for it. */
  | {
      readonly kind: 'contracts';
      readonly argv: readonly string[];
      readonly binary: boolean;
      readonly background: boolean;
    }
  /** Runs the command and fails when it changes anything at all in the workspace. */
  | { readonly kind: 'same'; readonly argv: readonly string[] }
  | { readonly kind: 'mv'; readonly from: string; readonly to: string }
  | { readonly kind: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'touch' | 'until'; readonly path: string }
  | { readonly kind: 'sh'; readonly command: string }
  | { readonly kind: 'later'; readonly minutes: number }
  /** How long each program of an agent or a check runs from here on, as the runner sees it. */
  | { readonly kind: 'takes'; readonly seconds: number }
  | { readonly kind: 'wait' };

export interface Step {
  /** As the script has it, for the report. */
  readonly shown: string;
  readonly action: Action;
}

export interface Case {
  /** NNN-slug, as the file is called. */
  readonly name: string;
  /** The folder of test/cases that it is in: what it is about. */
  readonly topic: string;
  readonly file: string;
  readonly text: CaseFileText;
  /** The sentence that says what the case shows: the text before the first section. */
  readonly says: string;
  /** `show NAME…` and `show records` in the script: which files of attempts are shown whole. */
  readonly whole: (name: string) => boolean;
  /** `show everything` in the script: the tree with all records, copies and whole briefs. */
  readonly everything: boolean;
  readonly steps: readonly Step[];
}

/** All cases by number, or those of one topic. */
export function listCases(topic = ''): readonly Case[] {
  return readdirSync(join(CASES, topic), { recursive: true, encoding: 'utf8' })
    .map((path) => join(topic, path))
    .filter((path) => path.endsWith('.txt'))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map(readCase);
}

export function readCase(path: string): Case {
  const [name, topic, file] = [basename(path, '.txt'), dirname(path), join(CASES, path)];
  try {
    const text = parseCase(readFileSync(file, 'utf8'));
    const says = text.comment.trim().replaceAll('\n', ' ');
    const shown = new Set(
      text.script.split('\n').flatMap((line) => SHOW.exec(line)?.[1]?.split(' ') ?? []),
    );
    const everything = shown.has('everything');
    const all = everything || shown.has('records');
    const whole = (file: string): boolean => all || shown.has(file);
    return { name, topic, file, text, says, whole, everything, steps: parseScript(text.script) };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

export function parseScript(script: string): readonly Step[] {
  const lines = script.split('\n');
  const steps: Step[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] ?? '').trimEnd();
    if (line === '' || line.startsWith('#') || SHOW.test(line)) continue;
    const file = /^(write|append) (\S+) <<EOF$/.exec(line);
    if (file === null) {
      steps.push({ shown: line, action: actionOf(line) });
      continue;
    }
    const end = lines.indexOf('EOF', i);
    if (end === -1) throw new Error(`${line} has no EOF`);
    const text = lines
      .slice(i + 1, end)
      .map((one) => `${one}\n`)
      .join('');
    const kind = file[1] === 'write' ? 'write' : 'append';
    steps.push({ shown: `${kind} ${file[2]}`, action: { kind, path: file[2] ?? '', text } });
    i = end;
  }
  return steps;
}

function actionOf(line: string): Action {
  if (line.startsWith('sh ')) return { kind: 'sh', command: line.slice(3) };
  const [verb, ...argv] = words(line);
  switch (verb) {
    case 'contracts':
    case './contracts': {
      const background = argv.at(-1) === '&';
      if (background) argv.pop();
      return { kind: 'contracts', argv, binary: verb === './contracts', background };
    }
    case 'same':
      if (argv[0] === 'contracts') return { kind: 'same', argv: argv.slice(1) };
      break;
    case 'mv':
      if (argv.length === 2) return { kind: 'mv', from: argv[0] ?? '', to: argv[1] ?? '' };
      break;
    case 'touch':
    case 'until':
      if (argv.length === 1) return { kind: verb, path: argv[0] ?? '' };
      break;
    case 'later':
      return { kind: 'later', minutes: Number(argv[0]) };
    case 'takes':
      return { kind: 'takes', seconds: Number(argv[0]) };
    case 'wait':
      return { kind: 'wait' };
  }
  throw new Error(`what does this line of the script mean? ${line}`);
}

/** Words as a shell would split them, with double and single quotes and no more. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
