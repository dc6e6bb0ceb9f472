/**
 * A golden case as a folder: what is in it, and its script as data. Knows the format that
 * test/cases/README.md describes; runs nothing. A line that it does not understand is an error, so
 * that no action is skipped in silence.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CASES = new URL('../cases/', import.meta.url).pathname;

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
  | { readonly kind: 'wait' };

export interface Step {
  /** As it stands in the script, for the report. */
  readonly shown: string;
  readonly action: Action;
}

export interface Case {
  readonly name: string;
  readonly folder: string;
  /** The sentence that says what the case shows: the comment at the top of the script. */
  readonly says: string;
  /** `show everything` in the script: the tree with all records, copies and whole briefs. */
  readonly everything: boolean;
  readonly steps: readonly Step[];
}

export function listCases(): readonly Case[] {
  return readdirSync(CASES)
    .filter((name) => existsSync(join(CASES, name, 'script.txt')))
    .sort()
    .map(readCase);
}

export function readCase(name: string): Case {
  const folder = join(CASES, name);
  const lines = readFileSync(join(folder, 'script.txt'), 'utf8').split('\n');
  const first = lines.findIndex((line) => !line.startsWith('#'));
  const says = lines
    .slice(0, first)
    .map((line) => line.replace(/^#\s*/, ''))
    .join(' ');
  if (says === '') throw new Error(`${name}/script.txt does not begin with # and a sentence`);
  const everything = lines.includes('show everything');
  const rest = lines.slice(first).filter((line) => line !== 'show everything');
  return { name, folder, says, everything, steps: parseScript(rest, name) };
}

export function parseScript(lines: readonly string[], name: string): readonly Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] ?? '').trimEnd();
    if (line === '' || line.startsWith('#')) continue;
    const file = /^(write|append) (\S+) <<EOF$/.exec(line);
    if (file === null) {
      steps.push({ shown: line, action: actionOf(line, name) });
      continue;
    }
    const end = lines.indexOf('EOF', i);
    if (end === -1) throw new Error(`${name}: ${line} has no EOF`);
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

function actionOf(line: string, name: string): Action {
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
    case 'wait':
      return { kind: 'wait' };
  }
  throw new Error(`${name}/script.txt: what does this mean? ${line}`);
}

/** Words as a shell would split them, with double and single quotes and no more. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
