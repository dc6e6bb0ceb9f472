/**
 * The agents of a squad, from SQUAD.yaml over the files in `agents/`. A name without a file means that role
 * or agent itself. Files lie in the squad's folder, and links are not followed.
 */
import type { AgentDefinition } from '../../agents/core/agents.ts';
import { NO_AGENTS } from '../../agents/core/places.ts';
import { memberOf } from '../core/squad-agent.ts';
import { isMember, MEMBERS_MAX, type SquadEntry } from '../core/squad-entries.ts';
import { BUILT_IN_AGENTS, ROLES } from '../../permissions/core/roles.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { SquadAgent } from '../core/squad.ts';
import type { SquadLimits } from '../core/squad-schema.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import { readBuiltIn } from '../../agents/engine/agent-files.ts';
import { leftOut, namesIn, readDescribed } from '../../agents/engine/catalog.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import { noteProblem, placeIn, type Source, type Sources } from './problems.ts';
import type { SquadPath } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Member {
  /** undefined: it cannot be used; see `problems`. */
  readonly agent: SquadAgent | undefined;
  /** undefined where it cannot be used, or is only a name. */
  readonly definition?: AgentDefinition;
  /** True if it has no instructions. */
  readonly wordless?: boolean;
  /** Lines of its keys. */
  readonly sources: Sources;
  readonly problems: readonly Problem[];
}

interface Given {
  readonly limits: SquadLimits;
  /** `skills`: its own; `common`: names that all agents get. */
  readonly skills: ReadonlySet<string>;
  readonly common: readonly string[];
  /** SQUAD.yaml. */
  readonly source: Sources;
}

const FOLDER = 'agents';

/** Keys are the squad's names, in the order of SQUAD.yaml, then of files. */
export function readMembers(
  ws: Workspace,
  at: SquadPath,
  entries: readonly SquadEntry[],
  given: Given,
): ReadonlyMap<string, Member> {
  const files = memberFiles(ws, at);
  const listed = new Set(entries.map(({ name }) => name));
  const alone = [...files].filter((name) => !listed.has(name));
  const all = [...entries, ...alone.map((name) => ({ name, head: undefined, key: 'agents' }))];
  const names = all.map(({ head, name }) =>
    head === undefined && !files.has(name) ? name : `${at.name}/${name}`,
  );
  return new Map(
    all.map((entry, i) => {
      const others = names.filter((_, j) => j !== i);
      return [entry.name, readMember(ws, at, { entry, files, given, others })];
    }),
  );
}

function memberFiles(ws: Workspace, at: SquadPath): ReadonlySet<string> {
  const names = namesIn(ws, `${at.path}/${FOLDER}`)
    .filter(({ kind, name }) => kind !== 'folder' && !NO_AGENTS.has(`${name}.md`) && isMember(name))
    .map(({ name }) => name);
  return new Set(names.toSorted().slice(0, MEMBERS_MAX));
}

interface One {
  readonly entry: SquadEntry;
  readonly files: ReadonlySet<string>;
  readonly given: Given;
  /** Names of the other agents, for a chief. */
  readonly others: readonly string[];
}

function readMember(ws: Workspace, at: SquadPath, { entry, files, given, others }: One): Member {
  const { name } = entry;
  const listed: Source = { ...given.source[0], under: entry.key };
  const hasFile = files.has(name);
  if (entry.head === undefined && !hasFile) {
    return { agent: { name, full: name, is_chief: false }, sources: [listed], problems: [] };
  }
  const full = `${at.name}/${name}`;
  const broken = (problems: readonly Problem[], sources: Sources): Member => {
    const reported = problems.map((one) => leftOut('agent', full, one));
    return { agent: undefined, sources, problems: reported };
  };
  const path = `${FOLDER}/${name}.md`;
  const read = hasFile ? readDescribed(ws, `${at.path}/${path}`, `${at.file}/${path}`) : undefined;
  if (read?.ok === false) return broken(read.problems, [listed]);
  const file = read?.value;
  const sources: Sources = file === undefined ? [listed] : [listed, { ...file, under: '' }];
  const head = { ...file?.head, ...entry.head };
  const text = textOf(ws, at, head, sources) ?? file?.body ?? '';
  if (typeof text !== 'string') return broken([text], [listed]);
  const row = BUILT_IN_AGENTS.includes(name) ? ROLES.get(name) : undefined;
  const role = row && { permissions: row.permissions, definition: readBuiltIn(ws, name) };
  const own = { name, head, text, role, others, file: file?.file ?? `${at.file}/${at.yaml}` };
  const { name: squad, source, client } = at;
  const member = memberOf({ ...own, squad, source, client, limits: given.limits });
  const problems = member.notes.map((note) => noteProblem(sources, note));
  if (!member.ok) return broken(problems, sources);
  const { definition, is_chief, wordless } = member.value;
  const { description } = definition;
  return {
    agent: { name, full, is_chief, description },
    definition: { ...definition, ...skillsOf(at, given, definition) },
    wordless,
    sources,
    problems,
  };
}

/** undefined: they are in its own file. */
function textOf(
  ws: Workspace,
  at: SquadPath,
  { prompt, prompt_file: named }: Readonly<Record<string, unknown>>,
  sources: Sources,
): string | Problem | undefined {
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt;
  return named === undefined || named === null ? undefined : readPrompt(ws, at, named, sources);
}

/** The file must lie in the squad's folder; links are not followed. */
function readPrompt(ws: Workspace, at: SquadPath, named: unknown, sources: Sources) {
  const refused = (message: string): Problem =>
    problem({
      code: 'bad_path',
      ...placeIn(sources, 'prompt_file'),
      message: `its prompt_file cannot be used: ${message}`,
      found: typeof named === 'string' ? named : JSON.stringify(named),
      expected: 'a file in the folder of the squad',
      fix: `Write it below ${at.file}/, and name it from there`,
    });
  if (typeof named !== 'string') return refused('it is not a path');
  const path = named.replace(/^\.\//, '');
  const wrong = checkPath(path);
  if (wrong !== undefined) return refused(wrong);
  const found = inside(ws.disk, at.path, path);
  if (!found.ok) return refused(found.why);
  const text = readProse(ws.disk, found.path, `${at.file}/${path}`, { single_link: false });
  if (!text.ok) return text.problems[0] ?? refused('it cannot be read');
  const front = readFrontMatter(text.value, `${at.file}/${path}`);
  return front.ok ? front.value.body : text.value;
}

/** The squad's own skills get full names. */
function skillsOf(at: SquadPath, { skills, common }: Given, definition: AgentDefinition) {
  const names = [...new Set([...common, ...(definition.skills ?? [])])];
  if (names.length === 0) return {};
  return { skills: names.map((one) => (skills.has(one) ? `${at.name}/${one}` : one)) };
}
