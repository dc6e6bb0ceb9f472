/**
 * The squads of a workspace, each read when it is named. The nearest of a name counts as a whole; if it
 * cannot be read, no squad has that name.
 */
import { dirname } from 'node:path';
import { onceFor } from '../../task/core/base/memoize.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { memberName, type Squad } from '../core/squad.ts';
import { readSquad, type ReadSquad } from './read-squad.ts';
import { findSquad, findSquads } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { guardOf } from '../../engine/board/guards.ts';
import type { Member, MoreAgents } from '../../workspace/tasks/routes.ts';

export const squadsOf = /* @__PURE__ */ onceFor((ws: Workspace) => new SquadRegistry(ws));

class SquadRegistry implements MoreAgents {
  readonly several = {
    file: '.contracts/squads',
    message: 'several squads have an agent of this name',
  };
  readonly #ws: Workspace;
  readonly #read = new Map<string, ReadSquad | undefined>();
  #names: readonly string[] | undefined;

  constructor(ws: Workspace) {
    this.#ws = ws;
  }

  /** undefined: missing or unusable; see `problems`. */
  get(name: string): Squad | undefined {
    return this.#look(name)?.squad;
  }

  /** Includes its agents. */
  problems(name: string): readonly Problem[] {
    return this.#look(name)?.problems ?? [];
  }

  /** Nearest first, with those that cannot be used. */
  names(): readonly string[] {
    return (this.#names ??= findSquads(this.#ws).map(({ name }) => name));
  }

  /** Without those that cannot be used, and those that wait for the gate of the task that makes them. */
  all(): readonly Squad[] {
    const all = this.names().flatMap((name) => this.get(name) ?? []);
    return all.filter((one) => guardOfSquad(this.#ws, one) === undefined);
  }

  /** Squads of the package have none, as a test shows, and are not read. */
  allProblems(): readonly Problem[] {
    const own = findSquads(this.#ws).filter(({ source }) => source !== 'built-in');
    return own.flatMap(({ name }) => this.problems(name));
  }

  /** `full`: `<squad>/<name>`; undefined where no squad has that name. */
  member(full: string): Member | undefined {
    const [squad = '', name, more] = full.split('/');
    if (name === undefined || more !== undefined) return undefined;
    const read = this.#look(squad);
    if (read === undefined) return undefined;
    const missing = (): Problem =>
      problem({
        code: 'unknown_agent',
        file: '.contracts/config.yaml',
        message: `the squad ${squad} has no such agent`,
        found: full,
        fix: this.hiding(full) ?? `See who is in it: contracts squad show ${squad}`,
      });
    if (read.squad === undefined)
      return { definition: undefined, problems: read.problems, missing };
    const { agent, definition, problems = [] } = read.members.get(name) ?? {};
    if (definition !== undefined) return { definition, problems: [], missing };
    if (agent === undefined) return { definition, problems, missing };
    return { definition, meant: agent.full, problems: [], missing };
  }

  skillFolders(name: string): { readonly path: string; readonly file: string }[] {
    const folders = [];
    for (let squad = this.get(name); squad !== undefined; squad = squad.base) {
      folders.push({ path: `${squad.folder}/skills`, file: `${dirname(squad.file)}/skills` });
    }
    return folders;
  }

  /** How to use an agent whose squad is hidden by a nearer one. */
  hiding(called: string): string | undefined {
    const [agent, squad] = called.split('/').toReversed();
    return (squad === undefined ? this.names() : [squad]).flatMap((name) => {
      const at = findSquad(this.#ws, name);
      const behind = at && findSquad(this.#ws, name, at);
      const hidden = behind && readSquad(this.#ws, behind).squad;
      if (!at || !hidden?.agents.some((one) => one.name === agent)) return [];
      return `${at.file} hides the ${hidden.source} squad ${name}, which has ${agent}: rename the folder, or write extends: ${name} in its ${at.yaml}`;
    })[0];
  }

  /** Only agents that squads define. */
  memberNames(): readonly string[] {
    return this.names().flatMap((squad) =>
      [...this.#members(squad)]
        .filter(([, { agent, definition }]) => agent === undefined || definition !== undefined)
        .map(([name]) => `${squad}/${name}`),
    );
  }

  /** One full name for each squad that defines an agent of this name. */
  called(name: string): readonly string[] {
    return this.names()
      .filter((squad) => this.#members(squad).get(name)?.definition !== undefined)
      .map((squad) => `${squad}/${name}`);
  }

  nameIn(squad: string | undefined, agent: string): string {
    const found = squad === undefined ? undefined : this.get(squad);
    return found === undefined ? agent : memberName(found, agent);
  }

  /** The squad's own skills come first. */
  skillIn(squad: string, skill: string): string {
    return this.#look(squad)?.skills.has(skill) === true ? `${squad}/${skill}` : skill;
  }

  /** Empty for a squad that cannot be used. */
  #members(squad: string): ReadSquad['members'] {
    const read = this.#look(squad);
    return read?.squad === undefined ? new Map() : read.members;
  }

  #look(name: string): ReadSquad | undefined {
    if (!this.#read.has(name)) {
      const path = findSquad(this.#ws, name);
      this.#read.set(name, path === undefined ? undefined : readSquad(this.#ws, path));
    }
    return this.#read.get(name);
  }
}

/** The task whose gate has not approved it. `tasks`: the live ones, where they are known. */
export function guardOfSquad(
  ws: Workspace,
  { name, source, file }: Squad,
  tasks?: Parameters<typeof guardOf>[2],
) {
  if (source !== 'project') return undefined;
  const folder = dirname(file);
  return guardOf(ws, { file, folder, check: 'squad_valid', name, there: true }, tasks);
}
