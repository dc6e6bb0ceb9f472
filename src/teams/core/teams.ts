/** A team as data: who looks at what, under which headings of their results, and which words point to it. */
import { heaviest, termsOf, type Wording } from '../../task/core/base/wording.ts';
import type { TeamData } from './team-lines.ts';

/** `duty`: one sentence. */
export type Member = TeamData<'team'>['members'][number];

/** After its members come the devil's advocate and the synthesis, which every team has. */
export interface Team extends TeamData<'team'> {
  /** Words that point to it: see task/core/base/wording.ts. */
  readonly words: string;
}

export const ADVOCATE: Member = {
  id: 'devil-s-advocate',
  agent: 'devil-s-advocate',
  duty: 'Criticise every analysis: name risks, alternatives, assumptions that nobody verified, and edge cases.',
  sections: 'Risks, Alternatives, Unverified Assumptions, Edge Cases',
};

export const SYNTHESIS: Member = {
  id: 'synthesis',
  agent: 'chief-of-staff/oracle',
  duty: 'Join the results. Begin with where they disagree and who is right; name each member whose result is missing.',
  sections: 'Disagreements, Agreements, Recommendation, Missing Results',
};

/** One ordinary word gives less, and decides nothing. A word that comes first has so many points, which is enough. */
export const SURE_MIN = 0.51;
export const FIRST_MIN = 6;

/** The one with most points, which may be none. */
export function nearestTeam(teams: readonly Pick<Team, 'name' | 'words'>[], wording: Wording) {
  const team = heaviest(new Map(teams.map((one) => [one.name, termsOf(one.words)])), wording);
  return { ...team, confidence: Math.max(team.confidence, team.score < FIRST_MIN ? 0 : SURE_MIN) };
}

/** Sections of a team that is named by its agents. */
export const SECTIONS = 'Findings, Evidence, Recommendation';
/** A team of the agents that are named, and of no other. */
export const NAMED: Team = { name: 'agents', description: '', members: [], words: '' };
/** For words that point to none. */
export const DEFAULT_TEAM = 'review';
