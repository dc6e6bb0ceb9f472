/**
 * Whether a squad is whole: everything that it names is there, everybody whom it describes has words to
 * work by. Reads more than its use needs, and changes nothing. `squad check` tells it, and the check
 * `squad_valid` asks it of a squad that lies in whatever folder an agent worked in.
 */
import { basename, join } from 'node:path';
import { PERSON, type Contract } from '../core/contract.ts';
import { nearestId } from '../core/nearest.ts';
import { formatProblem, problem, type Problem } from '../core/problem.ts';
import { memberName, SQUAD_NAME, type Squad } from '../core/squad.ts';
import { agentsOf } from './agent-book.ts';
import { readSkill, skillNames } from './skill-files.ts';
import { readSquad, type ReadSquad } from './squad-files.ts';
import { findSquad, type SquadPath } from './squad-places.ts';
import type { Workspace } from './workspace.ts';

const SQUAD_FILE = /(?:^|\/)SQUAD\.ya?ml$/;

/** Everything that is wrong with the nearest squad of that name; undefined where there is none. */
export function squadProblems(ws: Workspace, name: string): readonly Problem[] | undefined {
  const at = findSquad(ws, name);
  return at === undefined ? undefined : wholeProblems(ws, at);
}

/** The check `squad_valid`: why it does not hold, or nothing. */
export function invalidSquad(
  ws: Workspace,
  root: string,
  contract: Contract,
  said: string | undefined,
): string | undefined {
  const named = said ?? contract.head.deliverables.find((path) => SQUAD_FILE.test(path));
  if (named === undefined) {
    return 'it names no squad, and no deliverable is a SQUAD.yaml: write squad_valid: <name>';
  }
  // What lies there now, and not what was read before the work.
  const there: Workspace = { ...ws, layout: { ...ws.layout, root } };
  const at = squadAt(there, named);
  if (at === undefined) return `there is no squad ${named}`;
  const found = wholeProblems(there, at);
  return found.length === 0 ? undefined : found.map(formatProblem).join('; ');
}

/** A name, the path of a squad's folder, or that of its SQUAD.yaml; behind no link. */
function squadAt(ws: Workspace, named: string): SquadPath | undefined {
  if (!named.includes('/')) return findSquad(ws, named);
  const file = named.replace(SQUAD_FILE, '').replace(/\/$/, '');
  const name = basename(file);
  const path = join(ws.layout.root, file);
  const parts = file.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'));
  const real = parts.every((part) => ws.disk.stat(join(ws.layout.root, part))?.kind === 'folder');
  const yaml = ['SQUAD.yaml', 'SQUAD.yml'].find(
    (one) => ws.disk.stat(join(path, one)) !== undefined,
  );
  if (!real || yaml === undefined || !SQUAD_NAME.test(name)) return undefined;
  return { name, path, file, yaml, source: 'project' };
}

function wholeProblems(ws: Workspace, at: SquadPath): readonly Problem[] {
  const read = readSquad(ws, at);
  const { squad } = read;
  if (squad === undefined) return read.problems;
  const say = sayer(squad);
  return [
    ...read.problems,
    ...missingWords(squad, say),
    ...strangers(ws, squad, read, say),
    ...reviewsItself(squad, say),
    ...withoutWords(squad, read),
    ...missingSkills(ws, at, read, say),
  ];
}

type Say = (code: Problem['code'], message: string, found: string, fix: string) => Problem;

function sayer(squad: Squad): Say {
  return (code, message, found, fix) =>
    problem({ code, severity: 'warning', file: squad.file, message, found, fix });
}

function missingWords(squad: Squad, say: Say): Problem[] {
  const none = 'nothing';
  return [
    ...(squad.description === ''
      ? [say('bad_value', 'it does not say what it is for', none, 'Write description: …')]
      : []),
    ...(squad.agents.length === 0
      ? [say('unknown_agent', 'nobody is in it', none, 'Name somebody under agents:')]
      : []),
  ];
}

/** Whom it names and nobody knows. */
function strangers(ws: Workspace, squad: Squad, read: ReadSquad, say: Say): Problem[] {
  const { agents, chief, default_executor, default_reviewer, categories } = squad;
  const described = new Set([...read.members.keys(), ...read.broken.keys()]);
  const named: readonly (readonly [where: string, name: string | undefined])[] = [
    ...agents.map(({ name }) => ['agents', name] as const),
    ['chief', chief],
    ['default_executor', default_executor],
    ['default_reviewer', default_reviewer === PERSON ? undefined : default_reviewer],
    ...[...categories].flatMap(([name, { agent, reviewer }]) => [
      [`categories.${name}.agent`, agent] as const,
      [`categories.${name}.reviewer`, reviewer === PERSON ? undefined : reviewer] as const,
    ]),
  ];
  return named.flatMap(([where, name]) => {
    if (name === undefined || described.has(name)) return [];
    if (agentsOf(ws).has(memberName(squad, name))) return [];
    const near = nearestId(name, [...described, ...agentsOf(ws).offered()]);
    const fix = `Write agents/${name}.md in its folder, or name another one`;
    const meant = near === undefined ? fix : `Did you mean ${near}? ${fix}`;
    return [say('unknown_agent', `${where} names nobody whom anybody knows`, name, meant)];
  });
}

function reviewsItself(squad: Squad, say: Say): Problem[] {
  const { default_executor, default_reviewer, quality_gates } = squad;
  if (!quality_gates || default_executor === undefined) return [];
  if (default_executor !== default_reviewer) return [];
  const message = 'who does the work by default would also review it';
  return [say('gate_is_executor', message, default_executor, 'Name another default_reviewer')];
}

/** Those whom it describes, without instructions or without a word of what they are for. */
function withoutWords(squad: Squad, { members, wordless }: ReadSquad): Problem[] {
  return [...members].flatMap(([name, { description, file = squad.file }]) => {
    const say = (message: string, fix: string): Problem =>
      problem({ code: 'bad_value', severity: 'warning', file, message, found: name, fix });
    return [
      ...(description === undefined
        ? [say('an agent without a description', 'Write description: what it is for')]
        : []),
      ...(wordless.has(name)
        ? [say('an agent without instructions', `Write them in agents/${name}.md, or as prompt:`)]
        : []),
    ];
  });
}

function missingSkills(ws: Workspace, at: SquadPath, read: ReadSquad, say: Say): Problem[] {
  const given = [...read.members.values()].flatMap(({ skills = [] }) => skills);
  const all = new Set([...(read.squad?.skills ?? []), ...given]);
  return [...all].flatMap((name) => {
    const own = name.startsWith(`${at.name}/`) && read.skills.has(name.slice(at.name.length + 1));
    if (own || readSkill(ws, name).ok) return [];
    const near = nearestId(name, [...read.skills, ...skillNames(ws)]);
    const fix = `Write skills/${name}.md in its folder`;
    const meant = near === undefined ? fix : `Did you mean ${near}? ${fix}`;
    return [say('unknown_skill', 'a skill that it names is not there', name, meant)];
  });
}
