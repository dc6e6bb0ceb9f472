/**
 * Agents as data: who can be named in a contract, with what instructions and limits. Pure: whoever
 * reads the files hands over their front matter. Nearest wins: configuration, project files, the
 * built-in roles. A malformed file is one warning; the rest load.
 */
import {
  agentConfigSchema,
  agentHeadSchema,
  type AgentConfig,
  type Config,
} from '../core/policy.ts';
import { problem, type Problem } from '../core/problem.ts';

export interface AgentDefinition extends AgentConfig {
  readonly name: string;
  readonly source: 'built-in' | 'file' | 'config';
}

export interface AgentFile {
  readonly name: string;
  /** Relative to the workspace root, for problems. */
  readonly file: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [
    'oracle',
    'You orchestrate. You gather what is needed, write contracts and judge results. You never write code.',
  ],
  [
    'builder',
    'You build what the contract asks for, no more, and show the evidence for each criterion.',
  ],
  [
    'janitor',
    'You review. Read what was delivered, run what can be run, and give one verdict with its reasons.',
  ],
  [
    'designer',
    'You design interfaces and write down the decisions that others need to build them.',
  ],
  ['scout', 'You research. You report sources, what they say, and how sure you are.'],
  ['librarian', 'You keep the project’s knowledge in order: documents, notes, decisions.'],
]);

export interface Agents {
  readonly byName: ReadonlyMap<string, AgentDefinition>;
  readonly problems: readonly Problem[];
}

export function collectAgents(files: readonly AgentFile[], config: Config): Agents {
  const byName = new Map<string, AgentDefinition>();
  const problems: Problem[] = [];
  for (const [name, instructions] of BUILT_IN) {
    byName.set(name, { name, source: 'built-in', instructions });
  }
  for (const file of files) {
    const read = agentHeadSchema().safeParse(file.head);
    if (!read.success) {
      problems.push(malformed(file, read.error.issues[0]?.message ?? 'it does not fit'));
      continue;
    }
    const base = byName.get(file.name);
    const instructions = file.body.trim() === '' ? base?.instructions : file.body.trim();
    byName.set(file.name, {
      ...base,
      ...known(read.data),
      ...(instructions === undefined ? {} : { instructions }),
      name: file.name,
      source: 'file',
    });
  }
  for (const [name, entry] of Object.entries(config.agents)) {
    byName.set(name, { ...byName.get(name), ...entry, name, source: 'config' });
  }
  return { byName, problems };
}

/** Files of other tools carry keys of theirs; only ours are taken. */
function known(data: Readonly<Record<string, unknown>>): AgentConfig {
  const keys = Object.keys(agentConfigSchema().shape);
  const picked = Object.fromEntries(
    keys.filter((key) => key in data).map((key) => [key, data[key]]),
  );
  return agentConfigSchema().parse(picked);
}

function malformed(file: AgentFile, message: string): Problem {
  return problem({
    code: 'bad_value',
    severity: 'warning',
    file: file.file,
    message: `agent ${file.name} is left out: ${message}`,
    fix: 'Correct the front matter of this file',
  });
}
