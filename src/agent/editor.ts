/**
 * The person's editor: its command line split into words without a shell, started on a file in this
 * very terminal, waited for. Knows nothing of tasks; a program that cannot be started is told, not
 * thrown.
 */
import { spawn } from 'node:child_process';

/**
 * The words of a command line as a shell would quote them: spaces part, '…' and "…" keep together,
 * a backslash takes the next character as it is (in double quotes only before " and \). Nothing is
 * expanded or run. undefined when a quote is not closed, or there is no word.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    const next = line[i + 1];
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = '';
    } else if (char === '\\' && next !== undefined && escapes(quote, next)) {
      word = (word ?? '') + next;
      i++;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return quote !== '' || words.length === 0 ? undefined : words;
}

function escapes(quote: string, next: string): boolean {
  return quote === '' || (quote === '"' && (next === '"' || next === '\\'));
}

/** `why` is empty when the editor ended well. */
export interface EditorEnd {
  readonly why: string;
}

/** `argv` with the file behind it, in this terminal. Always resolves. */
export function runEditor(
  argv: readonly string[],
  file: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<EditorEnd> {
  const [program = '', ...args] = argv;
  return new Promise((done) => {
    const child = spawn(program, [...args, file], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: 'inherit',
    });
    child.once('error', (error) => done({ why: `cannot be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      if (signal !== null) done({ why: `was ended by ${signal}` });
      else done({ why: code === 0 ? '' : `ended with code ${code}` });
    });
  });
}
