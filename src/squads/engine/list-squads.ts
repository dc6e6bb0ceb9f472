/** Answers about squads: the list, one in detail, problems. Reads. */
import type { SquadData } from '../core/squad-lines.ts';
import { nearestId } from '../../task/core/base/nearest.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import { memberName } from '../core/squad.ts';
import { squadProblems } from './check-squad.ts';
import { squadsOf } from './registry.ts';
import { squadDocuments, workflowsOf } from './documents.ts';
import { findSquad } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export type SquadRow = SquadData<'squad'>;
export type SquadStory = SquadData<'squad_story'>;

/** Nearest first, with those that cannot be used. */
export function squadRows(ws: Workspace): readonly SquadRow[] {
  return squadsOf(ws)
    .names()
    .map((name) => rowOf(ws, name));
}

function rowOf(ws: Workspace, name: string): SquadRow {
  const registry = squadsOf(ws);
  const squad = registry.get(name);
  const [wrong] = registry.problems(name);
  const at = findSquad(ws, name);
  return {
    name,
    source: squad?.source ?? at?.source ?? 'project',
    file: squad?.file ?? wrong?.file ?? name,
    description: squad?.description ?? '',
    usable: squad !== undefined,
    why: wrong?.message.replace(/^squad \S+ is left out: /, '') ?? '',
    agents: squad?.agents.map(({ full }) => full) ?? [],
    chief: squad?.chief === undefined ? '' : memberName(squad, squad.chief),
  };
}

export function squadStory(ws: Workspace, name: string): Result<SquadStory> {
  const registry = squadsOf(ws);
  const squad = registry.get(name);
  if (squad === undefined) return missing(ws, name);
  const problems = squadProblems(ws, name) ?? [];
  const strange = problems.filter(
    ({ code }) => code === 'unknown_agent' || code === 'unknown_skill',
  );
  const { skills, version = '', tags, plan_template = '', categories, articles } = squad;
  const full = (one: string | undefined): string =>
    one === undefined ? '' : memberName(squad, one);
  return ok({
    ...rowOf(ws, name),
    folder: squad.folder,
    version,
    tags,
    default_executor: full(squad.default_executor),
    default_reviewer: full(squad.default_reviewer),
    contract_type: squad.contract_type,
    plan_type: squad.plan_type,
    checkpoint_mode: squad.checkpoint_mode,
    quality_gates: squad.quality_gates,
    story_driven: squad.story_driven,
    verification: squad.verification,
    categories: [...categories].map(([category, { description = '', model = '', ...who }]) => {
      const { agent, reviewer } = who;
      return { name: category, description, agent: full(agent), reviewer: full(reviewer), model };
    }),
    checks: [...squad.checks].map(([check, entries]) => ({ name: check, entries })),
    skills,
    articles: articles.map(({ number, title, strength }) => ({ number, title, strength })),
    documents: squadDocuments(ws, squad),
    workflows: workflowsOf(ws, squad).map(({ file, description }) => ({ file, description })),
    plan_template,
    unknown: [...new Set(strange.flatMap(({ found }) => found ?? []))],
    problems,
  });
}

export function checkSquads(ws: Workspace, name?: string): Result<SquadData<'squads_checked'>> {
  const squads = name === undefined ? squadsOf(ws).names() : [name];
  const found = squads.map((one) => squadProblems(ws, one));
  const none = squads.find((_, i) => found[i] === undefined);
  return none === undefined
    ? ok({ squads, problems: found.flatMap((problems) => problems ?? []) })
    : missing(ws, none);
}

function missing(ws: Workspace, name: string): Result<never> {
  const registry = squadsOf(ws);
  const [broken] = registry.problems(name);
  if (broken !== undefined) return refused([{ ...broken, severity: 'error' }]);
  const near = nearestId(name, registry.names());
  const list = 'See which there are: contracts squad list';
  return refused({
    code: 'unknown_squad',
    file: '.contracts/squads',
    message: 'there is no such squad',
    found: name,
    fix: near === undefined ? list : `Did you mean ${near}? contracts squad show ${near}`,
  });
}
