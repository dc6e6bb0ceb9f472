/**
 * The agents that a contract can name. The nearest file of a name wins; a file that cannot be read leaves
 * that name without an agent, because the one behind it may be allowed more.
 */
import { adapterFor } from '../../clients/adapters/registry.ts';
import { defined, type AgentDefinition, type AgentPath } from '../core/agents.ts';
import { BUILT_IN_AGENTS } from '../../permissions/core/roles.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import type { AgentConfig } from '../../task/core/model/policy.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import {
  findAgents,
  findSkillAgents,
  readAgentFile,
  readBuiltIn,
  type Found,
} from './agent-files.ts';
import { moreAgents, type Member, type MoreAgents } from '../../workspace/tasks/routes.ts';
import { nearestIn } from './catalog.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

interface Known {
  readonly definition: AgentDefinition | undefined;
  /** Its file switches it off. */
  readonly off?: AgentDefinition;
  readonly problems: readonly Problem[];
}

const UNKNOWN: Known = { definition: undefined, problems: [] };
const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_AGENTS);

/** Each look at the tasks opens the workspace again, and so has a registry of its own. */
export const agentsOf = /* @__PURE__ */ onceFor((ws: Workspace) => new AgentRegistry(ws));

class AgentRegistry {
  readonly #ws: Workspace;
  /** Capabilities that describe more agents. */
  readonly #others: readonly MoreAgents[];
  readonly #known = new Map<string, Known>();
  #top: ReadonlyMap<string, AgentPath> | undefined;
  #all: ReadonlyMap<string, AgentPath> | undefined;
  #aliases: ReadonlyMap<string, readonly AgentPath[]> | undefined;
  #found: readonly Found[] = [];

  constructor(ws: Workspace) {
    this.#ws = ws;
    this.#others = moreAgents(ws);
  }

  /** undefined: there is no such agent, or it cannot be called; `problems` may say why. */
  get(name: string): AgentDefinition | undefined {
    return this.#look(name).definition;
  }

  /** As `get`, without reading what comes with the package. */
  has(name: string): boolean {
    return this.isPlain(name) || this.get(name) !== undefined;
  }

  switchedOff(name: string): AgentDefinition | undefined {
    return this.#look(name).off;
  }

  /** The file that describes this agent, also one that cannot be read, as shown to people. */
  fileOf(name: string): string | undefined {
    return this.#path(name)?.file;
  }

  problems(name: string): readonly Problem[] {
    return this.#look(name).problems;
  }

  /** True if it is as the package has it: no nearer file and no setting changes it. */
  isPlain(name: string): boolean {
    return BUILT_IN.has(name) && this.#config(name) === undefined && this.#path(name) === undefined;
  }

  /** The adapter that this agent asks for; an agent of the package asks for none, unread. */
  adapterOf(name: string): string | undefined {
    const own = this.#config(name)?.adapter;
    return own ?? (this.isPlain(name) ? undefined : this.get(name)?.adapter);
  }

  /** The client in whose folder it is described. */
  clientOf(name: string): string | undefined {
    return this.isPlain(name) ? undefined : this.get(name)?.client;
  }

  /** Every name, nearest first, also of agents that are hidden or cannot be read. */
  names(): readonly string[] {
    return [...new Set([...this.#ownNames(), ...this.#memberNames(), ...BUILT_IN_AGENTS])];
  }

  #ownNames(): readonly string[] {
    return [...Object.keys(this.#ws.config.agents), ...this.#paths().keys()];
  }

  /** The agents that are shown to people. */
  offered(): readonly string[] {
    return this.names().filter((name) => (this.get(name) ?? { hidden: true }).hidden !== true);
  }

  /** Agents of the package have none, as a test shows, and are not read. */
  allProblems(): readonly Problem[] {
    const names = [...new Set(this.#ownNames())];
    const theirs = new Set(names.some((name) => name.includes('/')) ? this.#memberNames() : []);
    const own = names.filter((name) => !theirs.has(name) || this.#path(name) !== undefined);
    return [
      ...own.flatMap((name) => this.problems(name)),
      ...this.#others.flatMap((one) => one.allProblems()),
      ...this.#found.flatMap(({ problems }) => problems),
    ];
  }

  /** How to get an agent of that name, where a nearer folder hides it. */
  hiding(name: string): string | undefined {
    return nearestIn(this.#others, (one) => one.hiding(name));
  }

  #memberNames(): readonly string[] {
    return this.#others.flatMap((one) => one.memberNames());
  }

  #config(name: string): AgentConfig | undefined {
    const { agents } = this.#ws.config;
    return Object.hasOwn(agents, name) ? agents[name] : undefined;
  }

  #look(name: string): Known {
    const known = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, known);
    return known;
  }

  #read(name: string): Known {
    const path = this.#path(name);
    const config = this.#config(name);
    const read = path === undefined ? undefined : readAgentFile(this.#ws, path);
    if (read?.ok === false) return { ...UNKNOWN, problems: read.problems };
    const own = read?.value.definition;
    const member = isMember(name) ? nearestIn(this.#others, (one) => one.member(name)) : undefined;
    if (member !== undefined && own === undefined) return this.#member(name, member, config);
    const behind = BUILT_IN.has(name) ? readBuiltIn(this.#ws, name) : member?.definition;
    const definition = defined(name, withPermissions(own, member), behind, config);
    return definition === undefined
      ? this.#byAlias(name)
      : settled(definition, read?.warnings ?? []);
  }

  /** Settings change an agent that is described elsewhere; they do not create one. */
  #member(name: string, member: Member, config: AgentConfig | undefined): Known {
    const meant = member.meant === undefined ? undefined : this.#look(member.meant);
    const found = meant?.definition ?? member.definition;
    if (found === undefined) {
      const problems = meant?.problems ?? member.problems;
      return { ...UNKNOWN, problems: problems.length > 0 ? problems : [member.missing()] };
    }
    const definition =
      meant === undefined ? defined(name, found, undefined, config) : { ...found, ...config };
    return settled(definition, member.problems);
  }

  /**
   * The name that a file gives counts only where no other agent has it; for an agent that is described
   * elsewhere the last part of its name is enough while no other has it.
   */
  #byAlias(name: string): Known {
    if (adapterFor(name, this.#ws.config) !== undefined) return UNKNOWN;
    this.#aliases ??= this.#readAliases();
    const files = this.#aliases.get(name) ?? [];
    const named = files.map((path) => path.name);
    const message = 'several files give their agent this name';
    const known = this.#oneOf(name, named, { file: files[0]?.file ?? '', message });
    if (known !== undefined || name.includes('/')) return known ?? UNKNOWN;
    const other = nearestIn(this.#others, (one) =>
      this.#oneOf(name, one.called(name), one.several),
    );
    return other ?? UNKNOWN;
  }

  #oneOf(found: string, names: readonly string[], several: MoreAgents['several']) {
    const [first, ...more] = names;
    if (first === undefined) return undefined;
    if (more.length === 0) return this.#look(first);
    const fix = `Write ${names.join(' or ')}`;
    const expected = names.join(', ');
    const one = problem({ code: 'unknown_agent', ...several, found, expected, fix });
    return { ...UNKNOWN, problems: [one] };
  }

  /** For each name the files of the nearest place, which comes last. */
  #readAliases(): ReadonlyMap<string, readonly AgentPath[]> {
    const aliases = new Map<string, AgentPath[]>();
    for (const path of this.#paths().values()) {
      const read = readAgentFile(this.#ws, path);
      const alias = read.ok ? read.value.alias : undefined;
      if (alias === undefined) continue;
      const near = aliases.get(alias)?.filter(({ place }) => place === path.place) ?? [];
      aliases.set(alias, [...near, path]);
    }
    return aliases;
  }

  /** In the folders of agents, else in those of skills. */
  #path(name: string): AgentPath | undefined {
    this.#top ??= this.#nearest(findAgents(this.#ws));
    const top = this.#top.get(name);
    // The chief of staff is a skill elsewhere, and that one is nearer.
    const isRole = BUILT_IN.has(name) && !/\/|^chief-of-staff$/.test(name);
    return top ?? (isRole ? undefined : this.#deep(name));
  }

  #deep(name: string): AgentPath | undefined {
    const all = this.#paths();
    const [first, second, third] = name.split('/');
    return all.get(name) ?? (first === second && third === undefined ? all.get(first!) : undefined);
  }

  #paths(): ReadonlyMap<string, AgentPath> {
    this.#top ??= this.#nearest(findAgents(this.#ws));
    this.#all ??= new Map([...this.#nearest(findSkillAgents(this.#ws)), ...this.#top]);
    return this.#all;
  }

  #nearest(found: Found): ReadonlyMap<string, AgentPath> {
    this.#found = [...this.#found, found];
    return new Map(found.paths.toReversed().map((path) => [path.name, path]));
  }
}

function settled(found: AgentDefinition | undefined, problems: readonly Problem[]): Known {
  if (found?.disabled !== true) return { definition: found, problems };
  return { definition: undefined, off: found, problems };
}

function isMember(name: string): boolean {
  return name.includes('/') && !BUILT_IN.has(name);
}

/** Permissions that its own file does not have are as they are described elsewhere. */
function withPermissions(found: AgentDefinition | undefined, member: Member | undefined) {
  if (found === undefined || member?.definition === undefined) return found;
  const { write, create, delete: remove, append, git } = member.definition;
  return { ...given({ write, create, delete: remove, append, git }), ...found };
}
