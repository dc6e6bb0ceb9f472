/**
 * Reads a squad: SQUAD.yaml, and the agents beside it. A file that it names lies in the squad's own
 * folder. One agent, category or check that cannot be read is left out and told; a squad whose own keys
 * do not fit is left out as a whole, and nobody behind it is taken instead.
 */
import type { AgentDefinition } from '../catalog/agents.ts';
import { limitsOf, listOf, squadOf, unknownSquadKeys } from '../catalog/squad.ts';
import { isSkillName } from '../catalog/places.ts';
import { entriesOf } from '../catalog/squad-entries.ts';
import { BUILT_IN_AGENTS } from '../core/authority-roles.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { Squad, SquadCategory } from '../core/squad.ts';
import { categoryEntrySchema, squadOwnSchema, type SquadOwn } from '../core/squad-shape.ts';
import { checkName } from '../core/contract.ts';
import { listOrNothing } from '../store/tasks.ts';
import { parseCheck } from '../text/contract.ts';
import { issueProblem } from '../text/contract-head.ts';
import type { Located } from '../text/located.ts';
import { readYaml } from '../text/yaml-file.ts';
import { skillFileIn } from './agent-files.ts';
import { readText } from './read-text.ts';
import { readMembers, type Tell } from './squad-members.ts';
import { noteProblem, type Sources } from './squad-note.ts';
import type { SquadPath } from './squad-places.ts';
import type { Workspace } from './workspace.ts';

export interface ReadSquad {
  /** undefined: it cannot be used, and `problems` says why, first of all. */
  readonly squad: Squad | undefined;
  /** What of it can be read, for whoever looks for more that is wrong. */
  readonly readable?: Squad;
  /** Those that it describes, by the name that it calls them. */
  readonly members: ReadonlyMap<string, AgentDefinition>;
  /** Those that it describes and that cannot be used. */
  readonly broken: ReadonlyMap<string, readonly Problem[]>;
  /** Those for whom nobody wrote instructions. */
  readonly wordless: ReadonlySet<string>;
  /** The names of its own skills. */
  readonly skills: ReadonlySet<string>;
  /** Where its own keys stand; undefined where it cannot be read. */
  readonly source?: Sources;
  /** Where the keys of an agent stand, by name. */
  readonly sources: ReadonlyMap<string, Sources>;
  /** Warnings, those of its agents among them. */
  readonly problems: readonly Problem[];
}

const NOTHING = {
  squad: undefined,
  members: new Map(),
  broken: new Map(),
  wordless: new Set<string>(),
  skills: new Set<string>(),
  sources: new Map(),
};

export function readSquad(ws: Workspace, at: SquadPath): ReadSquad {
  const { name, wrong } = at;
  if (wrong !== undefined) return { ...NOTHING, problems: [wrong] };
  if (BUILT_IN_AGENTS.some((agent) => agent.startsWith(`${name}/`))) {
    const message = 'roles of the package have this name before theirs: the squad is left out';
    const fix = 'Rename its folder';
    const wrong = { code: 'bad_value', severity: 'warning', file: at.file, message, fix } as const;
    return { ...NOTHING, problems: [problem(wrong)] };
  }
  const file = `${at.file}/${at.yaml}`;
  const text = readText(ws.disk, `${at.path}/${at.yaml}`, file, { single_link: false });
  const yaml = text.ok ? readYaml(text.value, file) : text;
  if (!yaml.ok) return { ...NOTHING, problems: yaml.problems.map((one) => leftOut(name, one)) };
  const { agents, categories, checks, ...rest } = yaml.value.head;
  const { data, misfits } = readOwn(rest, yaml.value, file);
  const source: Sources = [{ file, located: yaml.value, under: '' }];
  const told: Problem[] = [];
  const tell: Tell = (note) => told.push(noteProblem(source, note));
  for (const note of unknownSquadKeys(yaml.value.head)) tell(note);
  const named = entriesOf(agents);
  for (const note of named.notes) tell(note);
  const skills = ownSkills(ws, at);
  const given = { limits: limitsOf(data), skills, common: listOf(data.skills), source };
  const members = readMembers(ws, at, named.entries, given);
  const { squad, notes } = squadOf({
    name,
    source: at.source,
    file,
    folder: at.path,
    own: data,
    agents: members.agents,
    listed: Array.isArray(agents),
    skills: given.common.map((one) => (skills.has(one) ? `${name}/${one}` : one)),
    categories: readCategories(categories, tell),
    checks: readChecks(checks, file, tell),
  });
  for (const note of notes) tell(note);
  const { definitions, broken, wordless, sources } = members;
  const found = [...told, ...members.problems, ...[...broken.values()].flat()];
  const problems = [...misfits.map((one) => leftOut(name, one)), ...found];
  if (misfits.length > 0) return { ...NOTHING, readable: squad, problems, source, sources };
  return { squad, members: definitions, broken, wordless, skills, problems, source, sources };
}

/** Its own keys; without those that do not fit, which leave out the squad. */
function readOwn(
  head: Located['head'],
  located: Located,
  file: string,
): { readonly data: SquadOwn; readonly misfits: readonly Problem[] } {
  const read = squadOwnSchema().safeParse(head);
  if (read.success) return { data: read.data, misfits: [] };
  const { issues } = read.error;
  const wrong = new Set(issues.map(({ path: [key] }) => key));
  const kept = Object.entries(head).filter(([key]) => !wrong.has(key));
  const data = squadOwnSchema().parse(Object.fromEntries(kept));
  return { data, misfits: issues.map((issue) => issueProblem(issue, located, file)) };
}

/** Files, and folders with SKILL.md, in the squad's `skills/`. */
function ownSkills(ws: Workspace, { path }: SquadPath): ReadonlySet<string> {
  const folder = `${path}/skills`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return new Set();
  const names = listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    if (kind === 'folder') return skillFileIn(ws, `${folder}/${name}`) === undefined ? [] : [name];
    return kind === 'file' && name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : [];
  });
  return new Set(names.filter(isSkillName));
}

function leftOut(name: string, one: Problem): Problem {
  return { ...one, severity: 'warning', message: `squad ${name} is left out: ${one.message}` };
}

function readCategories(given: unknown, tell: Tell): ReadonlyMap<string, SquadCategory> {
  const found = new Map<string, SquadCategory>();
  for (const [name, entry] of entriesIn('categories', given, tell)) {
    const key = `categories.${name}`;
    const read = categoryEntrySchema().safeParse(entry ?? {});
    if (!read.success) {
      for (const said of read.error.issues) {
        const message = `a category that does not fit is left out: ${said.message}`;
        tell({
          key: [key, ...said.path].map(String).join('.'),
          message,
          found: name,
          fix: CATEGORY,
        });
      }
      continue;
    }
    const { description, agent, reviewer, model, models, fallback } = read.data;
    const chain = models ?? (fallback === undefined ? undefined : listOf(fallback));
    found.set(name, {
      ...(description === undefined ? {} : { description }),
      ...(agent === undefined ? {} : { agent: agent.replace(/^@/, '') }),
      ...(reviewer === undefined ? {} : { reviewer: reviewer.replace(/^@/, '') }),
      ...(model === undefined ? {} : { model }),
      ...(chain === undefined ? {} : { models: chain }),
    });
  }
  return found;
}

const CATEGORY = 'Write description, agent, reviewer, model or models below its name';
const CHECK = 'Write its entries as under verify: of a contract, for example run: npm test';

/** Each list is read as under `verify:`, so that a contract that names it cannot fail on it. */
function readChecks(
  given: unknown,
  file: string,
  tell: Tell,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [name, entry] of entriesIn('checks', given, tell)) {
    const key = `checks.${name}`;
    const read = (Array.isArray(entry) ? entry : [entry]).map((one) => parseCheck(one, file, 1));
    const leave = (at: string, why: string): void => {
      const message = `a check that cannot be made is left out: ${why}`;
      tell({ key: at, message, found: name, fix: CHECK });
    };
    if (read.length === 0) leave(key, 'it says nothing');
    let fits = read.length > 0;
    for (const [i, one] of read.entries()) {
      const why = one.ok
        ? one.value.kind === 'named' && 'it names a check'
        : (one.problems[0]?.message ?? 'it cannot be read');
      if (why === false) continue;
      leave(`${key}.${i}`, why);
      fits = false;
    }
    const entries = read.flatMap((one) => (one.ok ? [one.value] : []));
    if (fits) found.set(name, entries.map(checkName));
  }
  return found;
}

function entriesIn(
  key: string,
  given: unknown,
  tell: Tell,
): readonly (readonly [string, unknown])[] {
  if (given === undefined || given === null) return [];
  if (typeof given === 'object' && !Array.isArray(given)) return Object.entries(given);
  tell({
    key,
    message: `${key} is no map, and nothing of it is used`,
    fix: `Write name: … below ${key}`,
  });
  return [];
}
