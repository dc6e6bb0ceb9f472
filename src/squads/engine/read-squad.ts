/**
 * Reads a squad: SQUAD.yaml and its agents. One agent, category or check that is wrong is left out and
 * reported. A squad whose own keys are wrong is left out, and a farther one of its name does not replace
 * it.
 */
import { squadOf, unknownSquadKeys, type ReportNote } from '../core/read-squad.ts';
import { entriesOf } from '../core/squad-entries.ts';
import { BUILT_IN_AGENTS } from '../../permissions/core/roles.ts';
import { isFields } from '../../task/core/base/json.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { Squad } from '../core/squad.ts';
import {
  categorySchema,
  squadLimits,
  squadOwnSchema,
  type SquadCategory,
} from '../core/squad-schema.ts';
import { checkName, type Check } from '../../task/core/model/contract.ts';
import { capabilityFor } from '../../workspace/tasks/capability.ts';
import { parseCheck } from '../../task/text/documents/contract.ts';
import { issueProblem } from '../../task/text/documents/contract-head.ts';
import type { Located } from '../../task/text/yaml/plain-yaml.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { skillsIn } from '../../agents/engine/skill-files.ts';
import { leftOut, notTaken } from '../../agents/engine/catalog.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { readMembers, type Member } from './read-members.ts';
import { noteProblem, placeIn, type Sources } from './problems.ts';
import { findSquad, type SquadPath } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface ReadSquad {
  /** undefined: it cannot be used; the first problem says why. */
  readonly squad: Squad | undefined;
  /** The readable part of it, for further checks. */
  readonly readable?: Squad;
  /** By the names that the squad uses. */
  readonly members: ReadonlyMap<string, Member>;
  readonly skills: ReadonlySet<string>;
  /** undefined where it cannot be read. */
  readonly source?: Sources;
  /** Keys that an extending squad inherits. */
  readonly head?: Located['head'];
  readonly problems: readonly Problem[];
}

type Members = ReadSquad['members'];

const NOTHING = { squad: undefined, members: new Map(), skills: new Set<string>() };

/** `extending`: folders of squads in the chain, to find a cycle. */
export function readSquad(
  ws: Workspace,
  at: SquadPath,
  extending: readonly string[] = [],
): ReadSquad {
  const { name, wrong } = at;
  if (wrong !== undefined) return { ...NOTHING, problems: [wrong] };
  if (BUILT_IN_AGENTS.some((agent) => agent.startsWith(`${name}/`))) {
    const message = 'this name belongs to roles of the package: the squad is left out';
    const fix = 'Rename its folder';
    return { ...NOTHING, problems: [notTaken(at.file, { code: 'bad_value', message, fix })] };
  }
  const file = `${at.file}/${at.yaml}`;
  const text = readText(ws.disk, `${at.path}/${at.yaml}`, file, { single_link: false });
  const yaml = text.ok ? readYaml(text.value, file) : text;
  if (!yaml.ok)
    return { ...NOTHING, problems: yaml.problems.map((one) => leftOut('squad', name, one)) };
  const { agents, categories, checks, ...rest } = yaml.value.head;
  const source: Sources = [{ file, located: yaml.value, under: '' }];
  const based = readBase(ws, at, rest['extends'], [...extending, at.path]);
  const read: Omit<ReadSquad, 'problems'> = typeof based === 'string' ? NOTHING : based;
  const { squad: base } = read;
  const { data, misfits } = readOwn({ ...read.head, ...rest }, yaml.value, file);
  if (typeof based === 'string') misfits.unshift(notExtended(source, based));
  const reported: Problem[] = [];
  const report: ReportNote = (note) => reported.push(noteProblem(source, note));
  for (const note of unknownSquadKeys(yaml.value.head)) report(note);
  const named = entriesOf(agents);
  for (const note of named.notes) report(note);
  const skills = new Set([...read.skills, ...skillsIn(ws, `${at.path}/skills`)]);
  const given = { limits: squadLimits().parse(data), skills, common: data.skills, source };
  const own = readMembers(ws, at, named.entries, given);
  const members = withInherited(own, read.members, base?.name === name);
  const parts = {
    name,
    source: at.source,
    file,
    folder: at.path,
    base,
    own: data,
    agents: [...members.values()].flatMap(({ agent }) => agent ?? []),
    listed: Array.isArray(agents),
    skills: data.skills.map((one) => (skills.has(one) ? `${name}/${one}` : one)),
    categories: new Map([...(base?.categories ?? []), ...readCategories(categories, report)]),
    checks: new Map([...(base?.checks ?? []), ...readChecks(ws, checks, file, report)]),
  };
  const squad = squadOf(parts, report);
  // Problems of agents that are left out come last.
  const ofMembers = [...own.values()].toSorted((x, y) => Number(!x.agent) - Number(!y.agent));
  const problems = [
    ...misfits.map((one) => leftOut('squad', name, one)),
    ...reported,
    ...ofMembers.flatMap((one) => one.problems),
  ];
  const { default_executor } = squad;
  const head = { ...read.head, ...rest, name: undefined, extends: undefined, default_executor };
  const all = { members, skills, problems, source, head };
  return misfits.length > 0 ? { ...all, squad: undefined, readable: squad } : { ...all, squad };
}

/** A squad of another name keeps its agents under its own name. */
function withInherited(own: Members, inherited: Members, isSame: boolean): Members {
  const theirs = [...inherited].map(([name, member]) => {
    const { definition: _, ...named } = member;
    return [name, isSame ? member : named] as const;
  });
  const described = [...own].filter(([name, { agent }]) => agent?.full !== name);
  return new Map([...own, ...theirs, ...described]);
}

/** A string says why it cannot be extended. */
function readBase(ws: Workspace, at: SquadPath, named: unknown, extending: readonly string[]) {
  if (typeof named !== 'string') return { ...NOTHING, problems: [] };
  const found = findSquad(ws, named, named === at.name ? at : undefined);
  if (found === undefined) return `there is no squad ${named} to extend`;
  if (extending.includes(found.path)) return 'squads extend each other';
  const read = readSquad(ws, found, extending);
  return read.squad === undefined ? (read.problems[0]?.message ?? named) : read;
}

function notExtended(source: Sources, why: string): Problem {
  const fix = 'Name another squad that contracts squad list shows, or take extends out';
  return problem({ code: 'bad_value', ...placeIn(source, 'extends'), message: why, fix });
}

/** Keys that do not fit are left out; each one leaves out the squad. */
function readOwn(head: Located['head'], located: Located, file: string) {
  const read = squadOwnSchema().safeParse(head);
  if (read.success) return { data: read.data, misfits: [] };
  const { issues } = read.error;
  const wrong = new Set(issues.map(({ path: [key] }) => key));
  const kept = Object.entries(head).filter(([key]) => !wrong.has(key));
  const data = squadOwnSchema().parse(Object.fromEntries(kept));
  return { data, misfits: issues.map((issue) => issueProblem(issue, located, file)) };
}

function readCategories(given: unknown, report: ReportNote): ReadonlyMap<string, SquadCategory> {
  const found = new Map<string, SquadCategory>();
  for (const [name, entry] of entriesIn('categories', given, report)) {
    const read = categorySchema().safeParse(entry ?? {});
    if (read.success) found.set(name, read.data);
    for (const misfit of read.error?.issues ?? []) {
      const key = ['categories', name, ...misfit.path].map(String).join('.');
      const message = `an invalid category is left out: ${misfit.message}`;
      report({ key, message, found: name, fix: CATEGORY });
    }
  }
  return found;
}

const CATEGORY = 'Write description, agent, reviewer, model or models below its name';
const CHECK = 'Write its entries as under verify: of a contract, for example run: npm test';

/** Entries are parsed as under `verify:`, so that a contract cannot fail on them. */
function readChecks(ws: Workspace, given: unknown, file: string, report: ReportNote) {
  const found = new Map<string, readonly string[]>();
  for (const [name, entry] of entriesIn('checks', given, report)) {
    const key = `checks.${name}`;
    const read = (Array.isArray(entry) ? entry : [entry]).map((one) => parseCheck(one, file, 1));
    const leave = (at: string, why: string): void => {
      const message = `an invalid check is left out: ${why}`;
      report({ key: at, message, found: name, fix: CHECK });
    };
    if (capabilityFor(ws, name) !== undefined) {
      leave(key, 'the runner has a check of this name');
      continue;
    }
    const entries: Check[] = [];
    for (const [i, one] of read.entries()) {
      if (!one.ok) leave(`${key}.${i}`, one.problems[0]?.message ?? 'it cannot be read');
      else if (one.value.kind === 'named' && capabilityFor(ws, one.value.name) === undefined)
        leave(`${key}.${i}`, 'it names a check');
      else entries.push(one.value);
    }
    if (read.length === 0) leave(key, 'it is empty');
    else if (entries.length === read.length) found.set(name, entries.map(checkName));
  }
  return found;
}

function entriesIn(key: string, given: unknown, report: ReportNote) {
  if (given === undefined || given === null) return [];
  if (isFields(given)) return Object.entries(given);
  const message = `${key} is not a map, so it is not used`;
  report({ key, message, fix: `Write name: … below ${key}` });
  return [];
}
