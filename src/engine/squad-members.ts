/**
 * The agents of one squad, from SQUAD.yaml and the files in its `agents/`: an entry wins over its file,
 * key by key. Whoever is merely named, with no file there, is that role or agent itself.
 */
import type { AgentDefinition } from '../catalog/agents.ts';
import type { HeadNote } from '../catalog/agent-head.ts';
import { memberOf } from '../catalog/squad-agent.ts';
import type { SquadEntry } from '../catalog/squad-entries.ts';
import { BUILT_IN_AGENTS, ROLES } from '../core/authority-roles.ts';
import type { Problem } from '../core/problem.ts';
import type { SquadAgent, SquadLimits } from '../core/squad.ts';
import { readBuiltIn } from './agent-files.ts';
import { memberFiles, readMemberFile, readPrompt, type MemberFile } from './squad-member-files.ts';
import { noteProblem, type Source, type Sources } from './squad-note.ts';
import type { SquadPath } from './squad-places.ts';
import type { Workspace } from './workspace.ts';

export interface Members {
  /** In the order of SQUAD.yaml, then those of files alone. */
  readonly agents: readonly SquadAgent[];
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  readonly broken: ReadonlyMap<string, readonly Problem[]>;
  /** Those for whom nobody wrote instructions. */
  readonly wordless: ReadonlySet<string>;
  /** Where their keys stand. */
  readonly sources: ReadonlyMap<string, Sources>;
  readonly problems: readonly Problem[];
}

/** A note about what stands under a key of SQUAD.yaml. */
export type Tell = (note: HeadNote) => void;

/** What the squad gives to all of them. */
interface Given {
  readonly limits: SquadLimits;
  /** Its own skills, and the names of those that all have. */
  readonly skills: ReadonlySet<string>;
  readonly common: readonly string[];
  /** SQUAD.yaml. */
  readonly source: Sources;
}

export function readMembers(
  ws: Workspace,
  at: SquadPath,
  entries: readonly SquadEntry[],
  given: Given,
): Members {
  const files = memberFiles(ws, at);
  const listed = new Set(entries.map(({ name }) => name));
  const alone = [...files.keys()].filter((name) => !listed.has(name));
  const all = [...entries, ...alone.map((name) => ({ name, head: undefined, key: 'agents' }))];
  const made: Made = {
    agents: [],
    definitions: new Map(),
    broken: new Map(),
    wordless: new Set(),
    sources: new Map(),
    problems: [],
  };
  for (const entry of all) {
    const others = all.filter((one) => one !== entry).map((one) => nameOf(at, files, one));
    readMember(ws, at, { entry, file: files.get(entry.name), given, others }, made);
  }
  return made;
}

interface Made {
  readonly agents: SquadAgent[];
  readonly definitions: Map<string, AgentDefinition>;
  readonly broken: Map<string, readonly Problem[]>;
  readonly wordless: Set<string>;
  readonly sources: Map<string, Sources>;
  readonly problems: Problem[];
}

interface One {
  readonly entry: SquadEntry;
  readonly file: string | undefined;
  readonly given: Given;
  readonly others: readonly string[];
}

function nameOf(
  at: SquadPath,
  files: ReadonlyMap<string, string>,
  { head, name }: SquadEntry,
): string {
  return head === undefined && !files.has(name) ? name : `${at.name}/${name}`;
}

function readMember(ws: Workspace, at: SquadPath, one: One, made: Made): void {
  const { entry, given, others } = one;
  const { name } = entry;
  const [yaml] = given.source;
  made.sources.set(name, [{ ...yaml, under: entry.key }]);
  if (entry.head === undefined && one.file === undefined) {
    made.agents.push({ name, full: name, is_chief: false });
    return;
  }
  const full = `${at.name}/${name}`;
  const read = readOwn(ws, at, one);
  if ('problems' in read) {
    made.broken.set(
      name,
      read.problems.map((wrong) => leftOut(full, wrong)),
    );
    return;
  }
  const { file, head, text, sources } = read;
  made.sources.set(name, sources);
  const row = BUILT_IN_AGENTS.includes(name) ? ROLES.get(name) : undefined;
  const role = row && { authority: row.authority, definition: readBuiltIn(ws, name) };
  const member = memberOf({
    squad: at.name,
    name,
    source: at.source,
    file: file?.file ?? yamlOf(at),
    client: at.client,
    head,
    text,
    ...(role === undefined ? {} : { role }),
    limits: given.limits,
    others,
  });
  if (!member.ok) {
    made.broken.set(
      name,
      member.notes.map((note) => leftOut(full, noteProblem(sources, note))),
    );
    return;
  }
  made.problems.push(...member.notes.map((note) => noteProblem(sources, note)));
  if (member.wordless) made.wordless.add(name);
  const { description } = member.definition;
  made.definitions.set(name, { ...member.definition, ...skillsOf(at, given, member.definition) });
  made.agents.push({
    name,
    full,
    is_chief: member.is_chief,
    ...(description === undefined ? {} : { description }),
  });
}

/** Those of the squad by their full names. */
function skillsOf(
  at: SquadPath,
  { skills, common }: Given,
  definition: AgentDefinition,
): Pick<AgentDefinition, 'skills'> {
  const names = [...new Set([...common, ...(definition.skills ?? [])])];
  if (names.length === 0) return {};
  return { skills: names.map((one) => (skills.has(one) ? `${at.name}/${one}` : one)) };
}

type Own =
  | {
      readonly file: MemberFile | undefined;
      readonly head: MemberFile['head'];
      readonly text: string;
      readonly sources: Sources;
    }
  | { readonly problems: readonly Problem[] };

function readOwn(ws: Workspace, at: SquadPath, { entry, file: path, given }: One): Own {
  const file = path === undefined ? undefined : readMemberFile(ws, at, path);
  if (file !== undefined && !('body' in file)) return { problems: file };
  const head = { ...file?.head, ...entry.head };
  const [yaml] = given.source;
  const listed: Source = { ...yaml, under: entry.key };
  const sources: Sources =
    file === undefined ? [listed] : [listed, { ...file, under: '' } satisfies Source];
  const inline = head['prompt'];
  const own = { file, head, sources };
  if (typeof inline === 'string' && inline.trim() !== '') return { ...own, text: inline };
  const named = head['prompt_file'];
  if (named === undefined || named === null) return { ...own, text: file?.body ?? '' };
  const prompt = readPrompt(ws, at, named, sources);
  return typeof prompt === 'string' ? { ...own, text: prompt } : { problems: [prompt] };
}

/** As people are shown it. */
function yamlOf({ file, yaml }: SquadPath): string {
  return `${file}/${yaml}`;
}

function leftOut(name: string, one: Problem): Problem {
  return { ...one, severity: 'warning', message: `agent ${name} is left out: ${one.message}` };
}
