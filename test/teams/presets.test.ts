/** Every preset with real programs as agents: three members fail in three ways, and the synthesis comes all the same. */
import { expect, test } from 'vitest';
import { BUILT_IN_AGENTS, rowOf } from '../../src/permissions/core/roles.ts';
import { ADVOCATE, SYNTHESIS } from '../../src/teams/core/teams.ts';
import { packageData } from '../../src/workspace/open/package-data.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Team } from '../../src/teams/core/teams.ts';
import { membersOf } from '../../src/teams/text/team-plan.ts';
import { commandRoom } from '../support/command-room.ts';

const disk = realDisk;
const TEAMS: readonly Team[] = Object.entries(
  packageData<Record<string, Omit<Team, 'name'>>>({ disk }, 'templates/teams/teams.yaml'),
).map(([name, team]) => ({ name, ...team }));

test.for(TEAMS)('$name: one fails, one asks, one is blocked', async (preset) => {
  const room = commandRoom();
  const [first, second, third] = preset.members;
  room.write('.contracts/roles', `fails ${first?.id}\nasks ${second?.id}\nblocks ${third?.id}\n`);
  const started = await room.said(
    'team',
    'start',
    preset.name,
    'the work of this team',
    '--name',
    'team',
  );
  expect(started.code, started.err).toBe(0);
  const { out, code } = await room.said('run');
  expect(code, out).toBe(1);
  const members = preset.members.map(({ id }) => id);
  expect(room.states()).toEqual({
    ...Object.fromEntries(members.map((id) => [id, 'blocked'])),
    [ADVOCATE.id]: 'done',
    [SYNTHESIS.id]: 'done',
  });
  const given = (id: string) =>
    room
      .fileOf(id, 'result.md')
      .split('\n')
      .filter(
        (line) => line.startsWith('- ') && !line.startsWith('- Status') && !line.startsWith('- ['),
      );
  const lost = members.map((id) => `- ${id}: blocked`);
  expect(given(ADVOCATE.id)).toEqual(lost);
  expect(given(SYNTHESIS.id)).toEqual([...lost, `- ${ADVOCATE.id}`]);
  // Whoever reads the synthesis sees what it did without.
  const { out: story } = await room.said('show', SYNTHESIS.id, '--json');
  const { without } = JSON.parse(story) as { without: readonly { id: string; state: string }[] };
  expect(without.map(({ id, state }) => `${id.replace(/-[0-9a-z]{4}$/, '')}: ${state}`)).toEqual(
    members.map((id) => `${id}: blocked`),
  );
});

/** Seed of the presets: their names, in every one a devil's advocate with four duties, then the synthesis. */
test('the presets, their members, agents and headings, in their order', () => {
  const rows = TEAMS.map((preset) => [
    preset.name,
    ...[...membersOf({ team: preset }), SYNTHESIS].map(
      ({ id, agent, sections }) => `${id} (${agent}): ${sections}`,
    ),
  ]);
  const all = [
    'devil-s-advocate (devil-s-advocate): Risks, Alternatives, Unverified Assumptions, Edge Cases',
    'synthesis (chief-of-staff/oracle): Disagreements, Agreements, Recommendation, Missing Results',
  ];
  expect(rows).toEqual([
    [
      'review',
      'correctness (janitor): Findings, Evidence',
      'tests (qa): Findings, Missing Tests',
      'structure (chief-of-staff/oracle): Findings, Suggestions',
      ...all,
    ],
    [
      'security',
      'attacker (janitor): Attacks, Evidence',
      'defender (qa): Protections, Gaps',
      'dependencies (explore): Findings, Evidence',
      ...all,
    ],
    [
      'debug',
      'reproduction (qa): Steps, Observed',
      'hypothesis-code (explore): Hypothesis, Evidence, Ruled Out',
      'hypothesis-environment (scout): Hypothesis, Evidence, Ruled Out',
      ...all,
    ],
    [
      'planning',
      'requirements (analyst): Requirements, Open Questions',
      'architecture (chief-of-staff/oracle): Approach, Rejected Approaches',
      'delivery (plan-reviewer): Steps, Risks',
      ...all,
    ],
    [
      'implementation',
      'design (chief-of-staff/oracle): Parts, Agreements',
      'code (dev): Changed Files, Evidence',
      'verification (qa): Cases, Findings',
      ...all,
    ],
    [
      'fullstack',
      'interface (ux-design-expert): Changed Files, Needs',
      'service (dev): Changed Files, Promises',
      'data (data-engineer): Changed Files, Migrations',
      ...all,
    ],
    [
      'research',
      'sources (scout): Answer, Sources',
      'analysis (analyst): Comparison, Conclusion',
      'existing (explore): Existing, Gaps',
      ...all,
    ],
    [
      'ai',
      'prompts (chief-of-staff/oracle): Findings, Suggestions',
      'data (data-engineer): Findings, Risks',
      'evaluation (qa): Measures, Findings',
      ...all,
    ],
  ]);
});

test('all members are roles of the package, and the devil’s advocate and the synthesis change nothing', () => {
  const agents = TEAMS.flatMap((preset) => membersOf({ team: preset })).map(({ agent }) => agent);
  expect(agents.filter((one) => !BUILT_IN_AGENTS.includes(one))).toEqual([]);
  for (const { agent } of [ADVOCATE, SYNTHESIS]) {
    const { permissions } = rowOf({ name: agent }) ?? {};
    expect([permissions?.write, permissions?.create, permissions?.delete]).toEqual([[], [], []]);
  }
});
