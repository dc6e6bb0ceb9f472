/**
 * The `command` adapter: any program, its argv filled from a configured list. Placeholders such as {{brief_file}} are
 * replaced once, inside their own argv element, and no shell sees the result. A value never becomes an option: one
 * that begins with `-` is refused unless the element begins with it, as `--model={{model}}` does. The program itself
 * may use only {{root}}, so that no contract chooses what runs. What a call does not have is the empty string.
 */
import { Fault } from '../../task/core/model/problem.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import type { Adapter, AgentCall } from '../../process/adapter.ts';

export interface CommandOptions {
  readonly run: readonly string[];
  /** Names of variables of the runner that the program may see. */
  readonly env?: readonly string[];
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const PROGRAM_NAMES = ['root'] as const;
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

/** The first unknown placeholder of `run`; `known`: those that it can use. */
export function unknownPlaceholder(run: readonly string[]) {
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
    prepare: (call) => {
      const argv = fillRun(name, options.run, call);
      return { argv, env: {}, stdin: 'null', files: {}, cwd: call.root };
    },
    read: (line) => (line === '' ? [] : [{ kind: 'line', text: line }]),
  };
}

/** The argv of a call; a Fault names what is wrong with the list. */
export function fillRun(name: string, run: readonly string[], call: AgentCall): readonly string[] {
  if (run.length === 0 || run[0] === '') {
    const fix = `Write adapters.${name}.run in config.yaml, for example [node, my-agent.mjs, "{{brief_file}}"]`;
    throw new Fault('adapter', `adapter ${name} has no program to run`, { fix });
  }
  const values = { ...call, attempt: attemptName(call.attempt) };
  return run.map((element, index) => {
    const known = index === 0 ? PROGRAM_NAMES : NAMES;
    return fill(name, element, new Map(known.map((one) => [one, values[one] ?? ''])));
  });
}

function fill(name: string, element: string, values: ReadonlyMap<string, string>): string {
  const fault = (why: string, fix: string) =>
    new Fault('adapter', `adapter ${name}${why}`, { fix });
  const filled = element.replace(PLACEHOLDER, (whole, key: string) => {
    const value = values.get(key);
    if (value !== undefined) return value;
    const known = [...values.keys()].map((one) => `{{${one}}}`).join(' ');
    const why = ` uses ${whole}, which is not known in "${element}"`;
    throw fault(why, `Use one of ${known} in adapters.${name}.run`);
  });
  if (filled.startsWith('-') && !element.startsWith('-')) {
    const fix = 'Change the name in the contract, or write the placeholder as --option={{name}}';
    throw fault(`: the value of "${element}" would be read as an option`, fix);
  }
  if (filled.includes('\0')) {
    const fix = 'Remove the NUL from the contract or the configuration';
    throw fault(`: the value of "${element}" contains a NUL`, fix);
  }
  return filled;
}
