/**
 * The tools of the four clients by what they do: an act of a story becomes a call of whichever of
 * them the client offers in this request. Where it offers none, the model has nothing to do it with.
 */
import type { ToolCall } from './turn.ts';

type Input = ToolCall['input'];

export type Act =
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'shell'; readonly command: string }
  /** A tool of the server of contracts. */
  | { readonly do: 'contracts'; readonly tool: string; readonly input: Input };

const READERS: readonly (readonly [string, (path: string) => Input])[] = [
  ['read', (filePath) => ({ filePath })],
  ['Read', (file_path) => ({ file_path })],
  ['read_file', (file_path) => ({ file_path })],
];

const WRITERS: readonly (readonly [string, (path: string, text: string) => Input])[] = [
  ['write', (filePath, content) => ({ filePath, content })],
  ['Write', (file_path, content) => ({ file_path, content })],
  ['write_file', (file_path, content) => ({ file_path, content })],
];

const SHELLS: readonly (readonly [string, (command: string) => Input])[] = [
  ['bash', (command) => ({ command, description: 'Runs a command of the story' })],
  ['Bash', (command) => ({ command, description: 'Runs a command of the story' })],
  ['run_shell_command', (command) => ({ command, description: 'Runs a command of the story' })],
  ['exec_command', (cmd) => ({ cmd })],
  ['shell', (command) => ({ command: ['bash', '-lc', command] })],
];

/** As clients name the tools of a server. */
const OF_CONTRACTS = /^(?:mcp__?)?(?:plugin_contracts_)?contracts_{1,2}(\w+)$/;

/** Codex has no tools for files: there the shell reads and writes. undefined when there is no tool for it. */
export function toolCall(act: Act, tools: readonly string[]): ToolCall | undefined {
  if (act.do === 'shell') return shellCall(act.command, tools);
  if (act.do === 'contracts') {
    const name = tools.find((one) => one === act.tool || OF_CONTRACTS.exec(one)?.[1] === act.tool);
    return name === undefined ? undefined : { name, input: act.input };
  }
  if (act.do === 'read') {
    for (const [name, input] of READERS) {
      if (tools.includes(name)) return { name, input: input(act.path) };
    }
    return shellCall(`cat ${quoted(act.path)}`, tools);
  }
  for (const [name, input] of WRITERS) {
    if (tools.includes(name)) return { name, input: input(act.path, act.text) };
  }
  return shellCall(writing(act.path, act.text), tools);
}

function shellCall(command: string, tools: readonly string[]): ToolCall | undefined {
  for (const [name, input] of SHELLS) {
    if (tools.includes(name)) return { name, input: input(command) };
  }
  return undefined;
}

/** A command that writes just this text to that file. */
function writing(path: string, text: string): string {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return `mkdir -p ${quoted(folder)} && printf %s ${quoted(text)} > ${quoted(path)}`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
