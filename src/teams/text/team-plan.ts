/** A team as a plan: its members, who work apart or discuss in rounds, and the synthesis. Pure. */
import { dumpFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { ADVOCATE, SECTIONS, SYNTHESIS, type Member, type Team } from '../core/teams.ts';

export const ROUNDS_MAX = 3;
/** Tasks of one team, as many as a person can still look through. */
export const TASKS_MAX = 200;

export interface WantedTeam {
  readonly team: Team;
  readonly task: string;
  /** In place of its members. */
  readonly agents?: readonly string[] | undefined;
  /** Rounds of a discussion; undefined: each works alone. */
  readonly rounds?: number | undefined;
  readonly timeout?: string | undefined;
}

/** With the devil's advocate, last. */
export function membersOf({
  team,
  agents,
}: Pick<WantedTeam, 'team' | 'agents'>): readonly Member[] {
  const names = agents?.map((one) => one.replace(/^@/, '').trim());
  const own = [...new Set(names)].filter((one) => one !== '' && one !== ADVOCATE.agent);
  const members = own.map((agent) => ({
    id: agent.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    agent,
    duty: 'Answer from your own side.',
    sections: SECTIONS,
  }));
  return [...(names === undefined ? team.members : members), ADVOCATE];
}

/** Its tasks, the synthesis included. */
export function sizeOf(wanted: WantedTeam): number {
  return membersOf(wanted).length * (wanted.rounds ?? 1) + 1;
}

/** The text of its plan.md. The task is an input of it, so that no word of it is read as a box or a key. */
export function teamPlan(wanted: WantedTeam): string {
  const { team, task, rounds, timeout } = wanted;
  const members = membersOf(wanted);
  const keys = `questions_max: 0, retries_max: 1${timeout === undefined ? '' : `, timeout: ${timeout}`}`;
  const idsIn = (round: number): string[] =>
    members.map(({ id }) => (rounds === undefined ? id : `round-${round}-${id}`));
  const parts = Array.from({ length: rounds ?? 1 }, (_, at) => {
    const [ids, earlier] = [idsIn(at + 1), at === 0 ? [] : idsIn(at)];
    const name = rounds === undefined ? 'Members' : `Round ${at + 1}`;
    const items = members.map((one, i) => {
      // Apart, only the devil's advocate is given what the others found.
      const isGiven = rounds !== undefined || one === ADVOCATE;
      const results = isGiven ? [...ids.slice(0, i), ...earlier] : [];
      return itemOf(
        one,
        ids[i] ?? one.id,
        results,
        rounds === undefined ? '' : ` in round ${at + 1}`,
      );
    });
    const phase = name.toLowerCase().replace(' ', '-');
    return `## ${name} (phase: ${phase}, ${keys})\n\n${items.join('\n')}\n`;
  });
  return `${dumpFrontMatter({ workflow: `team-${team.name}`, checkpoint: 'auto', inputs: { request: task } })}
# Team ${team.name}: {{request}}

The task of the team:

{{request}}

Each member writes its answer into its result, under the headings that its check names; "none" is an answer. No person answers questions during this work: what you would ask, write as an assumption.

${parts.join('\n')}
## Synthesis (phase: synthesis)

${itemOf(SYNTHESIS, SYNTHESIS.id, idsIn(rounds ?? 1), '')}
`;
}

function itemOf(member: Member, id: string, results: readonly string[], when: string): string {
  const { agent, duty, sections } = member;
  const title = member.id.replace('-s-', "'s ").replaceAll('-', ' ');
  const joined = results.length === 0 ? '' : `, results: ${results.join(', ')}`;
  return `- [ ] **${title[0]?.toUpperCase()}${title.slice(1)}${when}** (id: ${id}, executor: @${agent}, verify: \`result: ${sections}\`${joined})
  ${duty}`;
}
