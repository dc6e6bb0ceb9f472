/**
 * The `command` adapter: any program, its argv filled from a configured list.
 * Placeholders such as {{brief_file}} are replaced inside their own argv element, once, and no shell
 * ever sees the result: quotes, newlines, $( ) and ; stay text.
 * Values never become options: an element that begins with a placeholder and whose value begins with
 * `-` is refused, while `--model={{model}}` takes any value. The program itself (the first
 * element) may only use {{root}}, so that no contract chooses what runs. What is not known for a call
 * (no model, no session) is the empty string. Anything else between {{ and }} is a Fault that names it.
 */
import { Fault } from '../../core/problem.ts';
import { attemptText } from '../adapter.ts';
import type { Adapter, AgentCall, AgentProgress, Invocation } from '../adapter.ts';

export interface CommandOptions {
  readonly run: readonly string[];
  /** Names of variables of the runner that the program may see. */
  readonly env?: readonly string[];
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const PROGRAM_NAMES: readonly string[] = ['root'];
const NAMES = [
  'brief_file',
  'contract_file',
  'desk',
  'root',
  'task',
  'attempt',
  'agent',
  'model',
  'kind',
  'session',
] as const;

/** The first placeholder of `run` that no call will know; `known` is what may stand there. */
export function unknownPlaceholder(
  run: readonly string[],
): { readonly index: number; readonly found: string; readonly known: string } | undefined {
  for (const [index, element] of run.entries()) {
    const names: readonly string[] = index === 0 ? PROGRAM_NAMES : NAMES;
    for (const [found, name] of element.matchAll(PLACEHOLDER)) {
      if (names.includes(name ?? '')) continue;
      return { index, found, known: names.map((one) => `{{${one}}}`).join(' ') };
    }
  }
  return undefined;
}

export function commandAdapter(name: string, options: CommandOptions): Adapter {
  const [program] = options.run;
  return {
    name,
    mode: 'process',
    writes_result_itself: true,
    ...(program === undefined || program.includes('{{') ? {} : { program }),
    resumable: options.run.some((element) => element.includes('{{session}}')),
    env_names: options.env ?? [],
    prepare: (call) => prepare(name, options.run, call),
    read,
  };
}

function prepare(name: string, run: readonly string[], call: AgentCall): Invocation {
  return { argv: fillRun(name, run, call), env: {}, stdin: 'null', files: {}, cwd: call.root };
}

/** The argv of a call; a Fault names what is wrong with the list. */
export function fillRun(name: string, run: readonly string[], call: AgentCall): readonly string[] {
  if (run.length === 0 || run[0] === '') {
    throw new Fault('adapter', `adapter ${name} has no program to run`, {
      fix: `Write adapters.${name}.run in config.yaml, for example [node, my-agent.mjs, "{{brief_file}}"]`,
    });
  }
  const values = valuesOf(call);
  return run.map((element, index) =>
    fill(name, element, index === 0 ? new Map([['root', call.root]]) : values),
  );
}

function valuesOf(call: AgentCall): ReadonlyMap<string, string> {
  const values = { ...call, attempt: attemptText(call.attempt) };
  return new Map(NAMES.map((name) => [name, values[name] ?? '']));
}

function fill(name: string, element: string, values: ReadonlyMap<string, string>): string {
  const filled = element.replace(PLACEHOLDER, (whole, key: string) => {
    const value = values.get(key);
    if (value !== undefined) return value;
    const known = [...values.keys()].map((one) => `{{${one}}}`).join(' ');
    const why = `adapter ${name} uses ${whole}, which is not known in "${element}"`;
    throw new Fault('adapter', why, { fix: `Use one of ${known} in adapters.${name}.run` });
  });
  if (filled.startsWith('-') && !element.startsWith('-')) {
    const why = `adapter ${name}: the value of "${element}" would be read as an option`;
    const fix = 'Change the name in the contract, or write the placeholder as --option={{name}}';
    throw new Fault('adapter', why, { fix });
  }
  if (filled.includes('\0')) {
    throw new Fault('adapter', `adapter ${name}: the value of "${element}" holds a NUL`, {
      fix: 'Remove the NUL from the contract or the configuration',
    });
  }
  return filled;
}

function read(line: string): readonly AgentProgress[] {
  return line === '' ? [] : [{ kind: 'line', text: line }];
}
