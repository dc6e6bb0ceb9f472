/** The verbs of the command, called in this process: what they print as JSON, and how they ended. */
import { fields, parsedJson, type Fields } from '../../task/core/base/json.ts';

export interface Said {
  readonly code: number;
  readonly lines: readonly Fields[];
  /** Words for people, of a refusal that is no line. */
  readonly printed: string;
}

/** `dir`: the folder from which the workspace is looked for. */
export type Call = (words: readonly string[]) => Promise<Said>;

/** Exit codes up to this one are no refusal: 1 says that people are needed. */
const DID = 1;

export function callerIn(dir: string | undefined): Call {
  return async (words) => {
    // The command is a file beside the server, loaded when the first tool is called.
    const { main } = await import('./program.ts');
    const out: string[] = [];
    const err: string[] = [];
    const streams = {
      out: (text: string) => out.push(text),
      err: (text: string) => err.push(text),
    };
    const [verb = '', ...rest] = words;
    const place = dir === undefined ? [] : ['-C', dir];
    const code = await main([...place, verb, '--json', ...rest], streams);
    const lines = out
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => fields(parsedJson(line)));
    return { code, lines, printed: err.join('') };
  };
}

/** True if the verb refused. */
export function isRefused({ code, lines }: Said): boolean {
  return code > DID || lines.some(({ event }) => event === 'problem');
}
