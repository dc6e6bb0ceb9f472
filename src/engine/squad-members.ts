/**
 * The agents of one squad, from SQUAD.yaml and the files in its `agents/`: an entry wins over its file,
 * key by key. Whoever is merely named, with no file there, is that role or agent itself. A prompt file
 * lies in the squad's folder, behind no link, or its agent is left out.
 */
import { BUILT_IN_AGENTS } from '../catalog/built-in.ts';
import type { AgentDefinition } from '../catalog/agents.ts';
import type { HeadNote } from '../catalog/agent-head.ts';
import { NO_AGENTS } from '../catalog/places.ts';
import { memberOf } from '../catalog/squad-agent.ts';
import { isMember, MEMBERS_MAX, type SquadEntry } from '../catalog/squad-entries.ts';
import { ROLES } from '../core/authority-roles.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { SquadAgent, SquadLimits } from '../core/squad.ts';
import { inside, listOrNothing } from '../store/tasks.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import { readLooseHead } from '../text/loose-head.ts';
import { checkPath } from '../text/paths.ts';
import { readBuiltIn } from './agent-files.ts';
import { readText } from './read-text.ts';
import type { SquadPath } from './squad-places.ts';
import type { Workspace } from './workspace.ts';

export interface Members {
  /** In the order of SQUAD.yaml, then those of files alone. */
  readonly agents: readonly SquadAgent[];
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  readonly broken: ReadonlyMap<string, readonly Problem[]>;
  /** Those for whom nobody wrote instructions. */
  readonly wordless: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** A note about what stands under a key of SQUAD.yaml. */
export type Tell = (note: HeadNote) => void;

interface MemberFile {
  readonly file: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What the squad gives to all of them. */
interface Given {
  readonly limits: SquadLimits;
  /** Its own skills, and the names of those that all have. */
  readonly skills: ReadonlySet<string>;
  readonly common: readonly string[];
}

const FOLDER = 'agents';

export function readMembers(
  ws: Workspace,
  at: SquadPath,
  entries: readonly SquadEntry[],
  given: Given,
  tell: Tell,
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
    problems: [],
  };
  for (const entry of all) {
    const others = all.filter((one) => one !== entry).map((one) => nameOf(at, files, one));
    readMember(ws, at, { entry, file: files.get(entry.name), given, others, tell }, made);
  }
  return made;
}

interface Made {
  readonly agents: SquadAgent[];
  readonly definitions: Map<string, AgentDefinition>;
  readonly broken: Map<string, readonly Problem[]>;
  readonly wordless: Set<string>;
  readonly problems: Problem[];
}

interface One {
  readonly entry: SquadEntry;
  readonly file: string | undefined;
  readonly given: Given;
  readonly others: readonly string[];
  readonly tell: Tell;
}

function nameOf(
  at: SquadPath,
  files: ReadonlyMap<string, string>,
  { head, name }: SquadEntry,
): string {
  return head === undefined && !files.has(name) ? name : `${at.name}/${name}`;
}

function readMember(ws: Workspace, at: SquadPath, one: One, made: Made): void {
  const { entry, given, others, tell } = one;
  const { name } = entry;
  if (entry.head === undefined && one.file === undefined) {
    made.agents.push({ name, full: name, is_chief: false });
    return;
  }
  const full = `${at.name}/${name}`;
  const read = readOwn(ws, at, entry, one.file);
  if ('problems' in read) {
    made.broken.set(
      name,
      read.problems.map((wrong) => leftOut(full, wrong)),
    );
    return;
  }
  const { file, head, text } = read;
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
  const note = (said: HeadNote): void => {
    const [key = ''] = said.key.split('.');
    const here = file !== undefined && !(key in (entry.head ?? {}));
    if (!here) return tell({ ...said, key: `${entry.key}.${said.key}` });
    const { key: _, ...rest } = said;
    made.problems.push(
      problem({ code: 'bad_value', severity: 'warning', file: file.file, ...rest }),
    );
  };
  if (!member.ok) {
    const { key, ...said } = member.note;
    const wrong = problem({ code: 'bad_value', file: file?.file ?? yamlOf(at), ...said });
    made.broken.set(name, [leftOut(full, { ...wrong, message: said.message || key })]);
    return;
  }
  for (const said of member.notes) note(said);
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
    }
  | { readonly problems: readonly Problem[] };

function readOwn(ws: Workspace, at: SquadPath, entry: SquadEntry, path: string | undefined): Own {
  const file = path === undefined ? undefined : readMemberFile(ws, at, path);
  if (file !== undefined && !('body' in file)) return { problems: file };
  const head = { ...file?.head, ...entry.head };
  const inline = head['prompt'];
  if (typeof inline === 'string' && inline.trim() !== '') return { file, head, text: inline };
  const named = head['prompt_file'];
  if (named === undefined || named === null) return { file, head, text: file?.body ?? '' };
  const prompt = readPrompt(ws, at, named);
  return typeof prompt === 'string' ? { file, head, text: prompt } : { problems: [prompt] };
}

/** Below the squad's folder, by real folders, and no link. */
function readPrompt(ws: Workspace, at: SquadPath, named: unknown): string | Problem {
  const refused = (message: string): Problem =>
    problem({
      code: 'bad_path',
      file: yamlOf(at),
      message: `its prompt_file cannot be taken: ${message}`,
      found: typeof named === 'string' ? named : JSON.stringify(named),
      expected: 'a file in the folder of the squad',
      fix: `Write it below ${at.file}/, and name it from there`,
    });
  if (typeof named !== 'string') return refused('it is no path');
  const path = named.replace(/^\.\//, '');
  const wrong = checkPath(path);
  if (wrong !== undefined) return refused(wrong);
  const found = inside(ws.disk, at.path, path);
  if (!found.ok) return refused(found.why);
  const text = readText(ws.disk, found.path, `${at.file}/${path}`, { single_link: false });
  if (!text.ok) return text.problems[0] ?? refused('it cannot be read');
  const front = readFrontMatter(text.value, `${at.file}/${path}`);
  return front.ok ? front.value.body : text.value;
}

/** Names to paths of the files in `agents/`; a folder of that name behind a link has none. */
function memberFiles(ws: Workspace, at: SquadPath): ReadonlyMap<string, string> {
  const folder = `${at.path}/${FOLDER}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return new Map();
  const names = listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    const stem = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
    return kind === 'folder' || NO_AGENTS.has(name) || !isMember(stem) ? [] : [stem];
  });
  return new Map(
    names
      .toSorted()
      .slice(0, MEMBERS_MAX)
      .map((name) => [name, `${FOLDER}/${name}.md`]),
  );
}

function readMemberFile(
  ws: Workspace,
  at: SquadPath,
  path: string,
): MemberFile | readonly Problem[] {
  const file = `${at.file}/${path}`;
  const text = readText(ws.disk, `${at.path}/${path}`, file, { single_link: false });
  if (!text.ok) return text.problems;
  const front = readFrontMatter(text.value, file);
  if (front.ok) return { file, head: front.value.head, body: front.value.body };
  const loose = readLooseHead(text.value);
  return loose === undefined ? front.problems : { file, ...loose };
}

/** As people are shown it. */
function yamlOf({ file, yaml }: SquadPath): string {
  return `${file}/${yaml}`;
}

function leftOut(name: string, one: Problem): Problem {
  return { ...one, severity: 'warning', message: `agent ${name} is left out: ${one.message}` };
}
