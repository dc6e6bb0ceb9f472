/**
 * Crash stories of plans: what the decisions of a checkpoint do to other tasks. The person decides by
 * how often they were asked, and a reviewer who is asked anew must have been told why.
 */
import { State } from './crash-tree.ts';
import type { Story, Tree } from './crash-tree.ts';
import { complete, CONFIG, contract, review, VERIFIED } from './crash-words.ts';

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
