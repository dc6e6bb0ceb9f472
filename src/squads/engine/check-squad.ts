/** Checks a whole squad, for `squad check` and `squad_valid`: reads more than its use needs. */
import { basename, join } from 'node:path';
import { isPerson, type Contract } from '../../task/core/model/contract.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { errorsIn, problem, type Problem } from '../../task/core/model/problem.ts';
import { DEFAULT_REVIEWER, memberName, SQUAD_NAME, type Squad } from '../core/squad.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { readSkill, skillNames } from '../../agents/engine/skill-files.ts';
import { readSquad, type ReadSquad } from './read-squad.ts';
import { placeIn, type Sources } from './problems.ts';
import { findSquad, squadFileIn, type SquadPath } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const SQUAD_FILE = /(?:^|\/)(?:SQUAD|squad)\.ya?ml$/;

/** Problems of the nearest squad of that name; undefined where there is none. */
export function squadProblems(ws: Workspace, name: string): readonly Problem[] | undefined {
  const at = findSquad(ws, name);
  return at === undefined ? undefined : wholeProblems(ws, at);
}

/** Why the squad is not valid, or undefined. */
export function invalidSquad(
  ws: Workspace,
  root: string,
  contract: Contract,
  name: string | undefined,
): string | undefined {
  const named = name ?? contract.head.deliverables.find((path) => SQUAD_FILE.test(path));
  if (named === undefined) {
    return 'it names no squad, and no deliverable is a SQUAD.yaml: write squad_valid: <name>';
  }
  // Everything is read again there, since the work may have changed it.
  const there: Workspace = { ...ws, layout: { ...ws.layout, root } };
  const at = squadAt(there, named);
  if (at === undefined) return `there is no squad ${named}`;
  return errorsIn(wholeProblems(there, at));
}

/** By a name, the path of its folder or of its SQUAD.yaml; a link is not followed. */
function squadAt(ws: Workspace, named: string): SquadPath | undefined {
  if (!named.includes('/')) return findSquad(ws, named);
  const file = named.replace(SQUAD_FILE, '').replace(/\/$/, '');
  const name = basename(file);
  const path = join(ws.layout.root, file);
  const parts = file.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'));
  const real = parts.every((part) => ws.disk.stat(join(ws.layout.root, part))?.kind === 'folder');
  const yaml = squadFileIn(ws, path);
  if (!real || yaml === undefined || !SQUAD_NAME.test(name)) return undefined;
  return { name, path, file, yaml, source: 'project' };
}

/** Errors leave out the squad or an agent, name an unknown agent or let one review itself; the rest are warnings. */
function wholeProblems(ws: Workspace, at: SquadPath): readonly Problem[] {
  const read = readSquad(ws, at);
  const left = [...read.members.values()].filter(({ agent }) => agent === undefined);
  const broken = new Set(left.flatMap(({ problems }) => problems));
  return problemsIn(ws, at, read).map((one) =>
    read.squad === undefined || broken.has(one) || one.code === 'unknown_agent'
      ? { ...one, severity: 'error' }
      : one,
  );
}

function problemsIn(ws: Workspace, at: SquadPath, read: ReadSquad): readonly Problem[] {
  const squad = read.squad ?? read.readable;
  if (squad === undefined || read.source === undefined) return read.problems;
  const checking = { ws, at, squad, read, own: read.source };
  const found = [
    ...read.problems,
    ...missingWords(checking),
    ...strangers(checking),
    ...reviewsItself(checking),
    ...withoutWords(checking),
    ...missingSkills(checking),
  ];
  // SQUAD.yaml first, and each file from top to bottom.
  const fileOf = ({ file }: Problem): string => (file === squad.file ? '' : file);
  return found.toSorted((a, b) =>
    fileOf(a) === fileOf(b) ? a.line - b.line || a.col - b.col : fileOf(a) < fileOf(b) ? -1 : 1,
  );
}

interface Checking {
  readonly ws: Workspace;
  readonly at: SquadPath;
  readonly squad: Squad;
  readonly read: ReadSquad;
  readonly own: Sources;
}

type Words = Pick<Problem, 'code' | 'message' | 'found' | 'fix'>;

function warned(sources: Sources, key: string, words: Words, value?: string): Problem {
  return problem({ severity: 'warning', ...placeIn(sources, key, value), ...words });
}

function missingWords({ squad, own }: Checking): Problem[] {
  const wanted = [
    ['description', 'bad_value', 'Write description: …'],
    ['agents', 'unknown_agent', 'Name an agent under agents:'],
  ] as const;
  const missing = wanted.filter(([key]) => squad[key].length === 0);
  return missing.map(([key, code, fix]) =>
    warned(own, key, { code, message: `it has no ${key}`, found: 'nothing', fix }),
  );
}

/** Names of agents that do not exist. */
function strangers({ ws, squad, read, own }: Checking): Problem[] {
  const { agents, chief, default_executor, default_reviewer, categories } = squad;
  const isKnown = (name: string): boolean => agentsOf(ws).has(memberName(squad, name));
  const described = [...read.members]
    .filter(([name, { agent }]) => agent?.full !== name || isKnown(name))
    .map(([name]) => name);
  const known = new Set(described);
  const report = (where: string, name: string, sources: Sources, key: string): Problem[] => {
    if (known.has(name) || isKnown(name)) return [];
    const near = didYouMean(name, [...described, ...agentsOf(ws).offered()]);
    const fix = `${near}Write agents/${name}.md in its folder, or name another one`;
    const message = `${where} names an unknown agent`;
    return [warned(sources, key, { code: 'unknown_agent', message, found: name, fix })];
  };
  const named: readonly (readonly [key: string, name: string | undefined])[] = [
    ['chief', chief],
    ['default_executor', default_executor],
    ['default_reviewer', default_reviewer],
    ...[...categories].flatMap(([name, { agent, reviewer }]) => [
      [`categories.${name}.agent`, agent] as const,
      [`categories.${name}.reviewer`, reviewer] as const,
    ]),
  ];
  return [
    ...agents.flatMap(({ name }) =>
      report('agents', name, read.members.get(name)?.sources ?? own, ''),
    ),
    ...named.flatMap(([key, name]) =>
      name === undefined || isPerson(name) ? [] : report(key, name, own, key),
    ),
  ];
}

function reviewsItself({ squad, own }: Checking): Problem[] {
  const { default_executor, default_reviewer = DEFAULT_REVIEWER, categories } = squad;
  const nameOf = (name: string | undefined) => name && memberName(squad, name);
  const found = (key: string, worker: string | undefined, gate: string): Problem[] => {
    if (!squad.quality_gates || worker === undefined || isPerson(worker)) return [];
    if (nameOf(worker) !== nameOf(gate)) return [];
    // Where the default would review its own work a person does, so that this is no error.
    const isSure = !key.endsWith('.agent');
    const message = isSure
      ? `${key} would review its own work`
      : `${key} is the default reviewer too, so a person reviews its work`;
    const fix = 'Name another agent, or person';
    const words = { code: 'gate_is_executor', message, found: worker, fix } as const;
    return [{ ...warned(own, key, words), severity: isSure ? 'error' : 'warning' }];
  };
  const parts = [...categories].flatMap(([name, { agent, reviewer }]) => {
    const key = `categories.${name}`;
    return reviewer === undefined
      ? found(`${key}.agent`, agent, default_reviewer)
      : found(`${key}.reviewer`, agent ?? default_executor, reviewer);
  });
  return [...found('default_reviewer', default_executor, default_reviewer), ...parts];
}

function withoutWords({ read }: Checking): Problem[] {
  return described(read).flatMap(({ name, definition: { description }, wordless, sources }) => {
    const wanted = [
      [description === undefined, 'a description', 'Write description: what it is for'],
      [wordless, 'instructions', `Write them in agents/${name}.md, or as prompt:`],
    ] as const;
    const missing = wanted.filter(([is]) => is);
    return missing.map(([, what, fix]) => {
      const message = `an agent without ${what}`;
      return warned(sources, '', { code: 'bad_value', message, found: name, fix });
    });
  });
}

function described({ squad, members }: ReadSquad) {
  const all = squad === undefined ? [] : [...members];
  return all.flatMap(([name, { definition, ...one }]) =>
    definition === undefined ? [] : [{ name, definition, ...one }],
  );
}

function missingSkills({ ws, at, squad, read, own }: Checking): Problem[] {
  const common = new Set(squad.skills);
  const given = described(read).flatMap(({ definition: { skills = [] }, sources }) =>
    skills.filter((one) => !common.has(one)).map((one) => [one, sources] as const),
  );
  const all = new Map([...given.toReversed(), ...squad.skills.map((one) => [one, own] as const)]);
  return [...all].flatMap(([name, sources = own]) => {
    if (isSkill(ws, at, read, name)) return [];
    const near = didYouMean(name, [...read.skills, ...skillNames(ws)]);
    const fix = `${near}Write skills/${name}.md in its folder`;
    const message = 'it names a skill that does not exist';
    const words = { code: 'unknown_skill', message, found: name, fix } as const;
    return [warned(sources, 'skills', words, name)];
  });
}

function isSkill(ws: Workspace, at: SquadPath, { skills }: ReadSquad, name: string): boolean {
  const own = name.startsWith(`${at.name}/`) && skills.has(name.slice(at.name.length + 1));
  return own || readSkill(ws, name).ok;
}
