/**
 * The squads that can be named here, looked up when one is named: a folder is read only when its squad
 * is asked for, and nothing is where nobody names one. The nearest of a name wins as a whole; one that
 * cannot be read leaves that name without a squad.
 */
import { dirname } from 'node:path';
import { onceFor } from '../../task/core/base/memoize.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { memberName, type Squad } from '../core/squad.ts';
import { readSquad, type ReadSquad } from './read-squad.ts';
import { findSquad, findSquads } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Member, MoreAgents } from '../../workspace/tasks/routes.ts';

/** The book of a workspace as it was opened. */
export const squadsOf = /* @__PURE__ */ onceFor((ws: Workspace) => new SquadBook(ws));

class SquadBook implements MoreAgents {
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

  /** undefined: there is none, or it cannot be used; then `problems` says why. */
  get(name: string): Squad | undefined {
    return this.#look(name)?.squad;
  }

  /** What is wrong with this squad and its agents. */
  problems(name: string): readonly Problem[] {
    return this.#look(name)?.problems ?? [];
  }

  /** Nearest first; also of those that cannot be used. */
  names(): readonly string[] {
    this.#names ??= findSquads(this.#ws).map((path) => {
      if (!this.#read.has(path.name)) this.#read.set(path.name, readSquad(this.#ws, path));
      return path.name;
    });
    return this.#names;
  }

  /** Those that can be used. */
  all(): readonly Squad[] {
    return this.names().flatMap((name) => this.get(name) ?? []);
  }

  allProblems(): readonly Problem[] {
    return this.names().flatMap((name) => this.problems(name));
  }

  /** By `<squad>/<name>`; undefined where no squad has the first part of it as its name. */
  member(full: string): Member | undefined {
    const [squad = '', name, more] = full.split('/');
    if (name === undefined || more !== undefined) return undefined;
    const read = this.#look(squad);
    if (read === undefined) return undefined;
    const missing = (): Problem => this.#noMember(squad, full);
    if (read.squad === undefined)
      return { definition: undefined, problems: read.problems, missing };
    const { agent, definition, problems = [] } = read.members.get(name) ?? {};
    if (definition !== undefined) return { definition, problems: [], missing };
    if (agent === undefined) return { definition, problems, missing };
    return { definition, meant: agent.full, problems: [], missing };
  }

  #noMember(squad: string, found: string): Problem {
    return problem({
      code: 'unknown_agent',
      file: '.contracts/config.yaml',
      message: `the squad ${squad} has no such agent`,
      found,
      fix: this.hiding(found) ?? `See who is in it: contracts squad show ${squad}`,
    });
  }

  skillFolders(name: string): { readonly path: string; readonly file: string }[] {
    const folders = [];
    for (let squad = this.get(name); squad !== undefined; squad = squad.base) {
      folders.push({ path: `${squad.folder}/skills`, file: `${dirname(squad.file)}/skills` });
    }
    return folders;
  }

  /** Of an agent of a squad that a nearer one of its name hides: how to have it. */
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

  /** The full names of those whom squads describe. */
  memberNames(): readonly string[] {
    return this.names().flatMap((squad) =>
      [...this.#members(squad)]
        .filter(([, { agent, definition }]) => agent === undefined || definition !== undefined)
        .map(([name]) => `${squad}/${name}`),
    );
  }

  /** Whom a name alone can mean: one of each squad that describes somebody of that name. */
  called(name: string): readonly string[] {
    return this.names()
      .filter((squad) => this.#members(squad).get(name)?.definition !== undefined)
      .map((squad) => `${squad}/${name}`);
  }

  /** The name by which an agent is called in the work of a squad. */
  nameIn(squad: string | undefined, agent: string): string {
    const found = squad === undefined ? undefined : this.get(squad);
    return found === undefined ? agent : memberName(found, agent);
  }

  /** The name by which a skill is found that the work of a squad names: its own ones come first. */
  skillIn(squad: string, skill: string): string {
    return this.#look(squad)?.skills.has(skill) === true ? `${squad}/${skill}` : skill;
  }

  /** Nobody is in one that cannot be used. */
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
