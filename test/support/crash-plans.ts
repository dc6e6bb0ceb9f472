/**
 * Crash stories of plans and squads: what the decisions of a checkpoint do to other tasks, and what
 * becomes of the children of a chief. The person decides by how often they were asked, and a reviewer
 * who is asked anew must have been told why.
 */
import { State } from './crash-tree.ts';
import type { Story, Tree } from './crash-tree.ts';
import { complete, CONFIG, contract, review, told, VERIFIED, CHILD_IDS } from './crash-words.ts';

function checkpoint(needs: string): string {
  return contract('cp', ['type: checkpoint', `depends_on: [${needs}]`]);
}

/** Ticks a box in a form that nobody has ticked yet; `notes` go to its end, where Notes are. */
function tickDecision(tree: Tree, decision: string, notes = ''): void {
  tree.edit('questions', 'cp', 'questions.md', (text) => {
    if (text.includes('- [x]')) return text;
    return `${text.replace(`- [ ] ${decision}`, `- [x] ${decision}`).trimEnd()}\n\n${notes}\n`;
  });
}

export const checkpointReviews: Story = {
  name: 'a checkpoint that says REVIEW, then GO',
  config: CONFIG,
  tasks: {
    one: contract('one', [...VERIFIED, 'quality_gate: [janitor]']),
    cp: checkpoint('one'),
  },
  agent: (turn) => {
    if (turn.kind === 'work') return complete(turn);
    const known = turn.nth === 1 || turn.brief.includes('the links, said the person');
    turn.write('review.md', review(turn, known ? 'APPROVED' : 'REJECT'));
    return 0;
  },
  people: (tree) => {
    const asked = tree.edits('questions.md');
    if (asked === 0) tickDecision(tree, 'REVIEW', 'the links, said the person');
    else tickDecision(tree, 'GO');
  },
  ends: { one: State.done, cp: State.done },
};

const BOSS = `${CONFIG}agents:\n  boss: { write: [], delegates_to: [hand] }\n  hand: {}\n`;

/** What it decided before is kept, and counts no more when it is asked anew. */
export const agentReviews: Story = {
  name: 'an agent that decides REVIEW, then GO',
  config: BOSS,
  tasks: {
    one: contract('one', VERIFIED),
    cp: contract('cp', ['type: checkpoint', 'agent: boss', 'depends_on: [one]']),
  },
  agent: (turn) => {
    if (turn.task !== 'cp') return complete(turn);
    const decision = turn.nth === 1 ? 'REVIEW' : 'GO';
    turn.write('questions.md', `# cp\n\n## Decision\n\n- [x] ${decision}: turn ${turn.nth}\n`);
    return 0;
  },
  ends: { one: State.done, cp: State.done },
};

export const checkpointAborts: Story = {
  name: 'a checkpoint that says ABORT',
  config: CONFIG,
  tasks: {
    one: contract('one', VERIFIED),
    cp: checkpoint('one'),
    two: contract('two', [...VERIFIED, 'depends_on: [cp]']),
    tri: contract('tri', [...VERIFIED, 'depends_on: [two]']),
  },
  agent: complete,
  people: (tree) => tickDecision(tree, 'ABORT'),
  ends: { one: State.done, cp: State.aborted, two: State.aborted, tri: State.aborted },
};

/** The person gives up the whole while the first part is worked on, and nobody is called after that. */
export const abortedMeanwhile: Story = {
  name: 'a parent that is given up while the agent of a child runs',
  config: BOSS,
  tasks: { one: contract('one', ['agent: boss', ...VERIFIED]) },
  agent: (turn) => {
    if (turn.task === 'one') {
      turn.write('children/a.md', contract('a', ['agent: hand', ...VERIFIED]));
      turn.write('children/b.md', contract('b', ['agent: hand', 'depends_on: [a]', ...VERIFIED]));
      return 0;
    }
    complete(turn);
    turn.tree.abort('one');
    return 0;
  },
  ends: {
    one: State.aborted,
    [CHILD_IDS.a]: State.aborted,
    [CHILD_IDS.b]: State.aborted,
  },
  unmade: CHILD_IDS.b,
};

const SQUAD = `name: team
description: Makes things
default_executor: hand
agents:
  boss: { description: Leads, is_chief: true }
  hand: { description: Works }
`;

/** Its children are for its own people, and somebody beside the squad reviews each. */
export const squadsChief: Story = {
  name: 'the chief of a squad',
  config: CONFIG,
  files: { '.contracts/squads/team/SQUAD.yaml': SQUAD },
  tasks: { one: contract('one', ['squad: team', 'agent: boss', ...VERIFIED]) },
  agent: (turn) => {
    if (turn.kind === 'review') {
      turn.write('review.md', review(turn, 'APPROVED'));
      return 0;
    }
    if (turn.task !== 'one') return complete(turn);
    if (turn.nth > 1) return told(turn, `Child \`${CHILD_IDS.a}\``);
    turn.write('children/a.md', contract('a', ['agent: hand', ...VERIFIED]));
    return 0;
  },
  ends: { one: State.done, [CHILD_IDS.a]: State.done },
};
