/** The teams of the package, and the one that words point to. */
import { wordingOf } from '../../task/core/base/wording.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { planNames, readPlan } from '../../plans/engine/start/find-plans.ts';
import { packageData } from '../../workspace/open/package-data.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { TeamData } from '../core/team-lines.ts';
import {
  ADVOCATE,
  DEFAULT_TEAM,
  NAMED,
  nearestTeam,
  SECTIONS,
  SURE_MIN,
  type Team,
} from '../core/teams.ts';

const TEXT_CHARS_MAX = 20_000;

export const teamsOf = /* @__PURE__ */ onceFor((ws: Workspace): readonly Team[] => {
  const all = packageData<Record<string, Omit<Team, 'name'>>>(ws, 'templates/teams/teams.yaml');
  return Object.entries(all).map(([name, team]) => ({ name, ...team }));
});

/** The team whose plan this is, with the members of its first round as they are written there; undefined of any other. */
export function teamOfPlan(ws: Workspace, plan: string): Team | undefined {
  const read = planNames(ws).includes(plan) ? readPlan(ws, plan) : undefined;
  const { workflow = '', items = [] } = read?.ok === true ? read.value.document : {};
  if (!workflow.startsWith('team-')) return undefined;
  const first = items.filter(({ keys }) => /^(?:members|round-1)$/.test(keys.phase ?? ''));
  const members = first.flatMap(({ key, executors, text, verify }) => {
    const [id, agent] = [key.replace(/^round-1-/, ''), executors[0]];
    const sections = verify.find((one) => one.startsWith('result: '))?.slice('result: '.length);
    if (agent === undefined || agent === ADVOCATE.agent) return [];
    return { id, agent, duty: text.trim(), sections: sections ?? SECTIONS };
  });
  return { ...NAMED, name: workflow.slice('team-'.length), members };
}

export function chooseTeam(
  ws: Workspace,
  text: string,
): Omit<TeamData<'team_choice'>, 'v' | 'event'> {
  const wording = wordingOf(text.slice(0, TEXT_CHARS_MAX));
  const { name, words, confidence } = nearestTeam(teamsOf(ws), wording);
  const why = words.slice(0, 5).join(', ');
  if (confidence >= SURE_MIN) return { name, how: 'inferred', confidence, why };
  const none = why === '' ? 'no word points to a team' : `${why}: not enough to decide`;
  return { name: DEFAULT_TEAM, how: 'default', confidence: 0, why: none };
}
