/**
 * Short stories of tasks for the crash tests: what the agents and people of each do. Agents are MOCK
 * (functions called when the gate opens); they and the people decide by what they find and by how
 * often they were asked, so that a repeated call or a lost answer changes the end of the story.
 */
import { State } from './crash-tree.ts';
import type { Story, Turn } from './crash-tree.ts';
import {
  complete,
  CONFIG,
  contract,
  result,
  review,
  told,
  VERIFIED,
  CHILD_IDS,
} from './crash-words.ts';
import {
  abortedMeanwhile,
  agentReviews,
  checkpointAborts,
  checkpointReviews,
  squadsChief,
} from './crash-plans.ts';

const shell: Story = {
  name: 'shell task to done',
  config: CONFIG,
  tasks: {
    one: contract(
      'one',
      ['adapter: shell', 'deliverables: [out.txt]', 'verify:', '  - run: test -s out.txt'],
      '- [ ] `test -s out.txt` passes\n\n## Steps\n\n```sh\necho made > out.txt\n```\n',
    ).replace('- [ ] it is there\n', ''),
  },
  agent: (turn) => {
    turn.deliver('out.txt', 'made\n');
    return 0;
  },
  ends: { one: State.done },
};

const QUESTIONS =
  '# Questions: one\n\n## Questions\n\n1. Which colour?\n2. Which size?\n\n## What I Understood\n\nLittle.\n';

const questions: Story = {
  name: 'questions, answered in two sittings, done',
  config: CONFIG,
  tasks: { one: contract('one', VERIFIED) },
  agent: (turn) => {
    if (turn.nth > 1) return told(turn, 'azure, said the person');
    turn.write('questions.md', QUESTIONS);
    return 0;
  },
  people: (tree) => {
    tree.edit('questions', 'one', 'questions.md', (text) => {
      const slots = text.split('### Answer\n').length - 1;
      if (slots < 2) return text;
      if (!text.includes('azure')) {
        return text.replace('### Answer\n', '### Answer\n\nazure, said the person\n');
      }
      if (text.includes('huge')) return text;
      const last = text.lastIndexOf('### Answer\n') + '### Answer\n'.length;
      return `${text.slice(0, last)}\nhuge, said the person\n${text.slice(last)}`;
    });
  },
  ends: { one: State.done },
};

const retry: Story = {
  name: 'failure, retry, done',
  config: CONFIG,
  tasks: { one: contract('one', VERIFIED) },
  agent: (turn) => {
    if (turn.nth > 1) return complete(turn);
    turn.write('result.md', result(turn, 'FAILED', ' '));
    return 1;
  },
  ends: { one: State.done },
};

const blocked: Story = {
  name: 'last failure, blocked, resolved, a failure again, done',
  config: CONFIG,
  tasks: { one: contract('one', VERIFIED) },
  agent: (turn) => {
    if (turn.nth === 4) return told(turn, 'do it the other way');
    turn.write('notes.txt', `half a thought of turn ${turn.nth}\n`);
    return 1;
  },
  people: (tree) => tree.append('blocked', 'one', 'blocked.md', '\ndo it the other way\n'),
  ends: { one: State.done },
};

const gate: Story = {
  name: 'review by an agent: NEEDS_WORK, then APPROVED',
  config: CONFIG,
  tasks: { one: contract('one', [...VERIFIED, 'quality_gate: [janitor]']) },
  agent: (turn) => {
    if (turn.kind === 'work')
      return turn.nth === 1 ? complete(turn) : told(turn, 'finding of turn 1');
    turn.write('review.md', review(turn, turn.nth === 1 ? 'NEEDS_WORK' : 'APPROVED'));
    return 0;
  },
  ends: { one: State.done },
};

function tick(text: string, verdict: string): string {
  return text.replace(`- [ ] ${verdict}`, `- [x] ${verdict}`);
}

const person: Story = {
  name: 'two gates: an agent, then a person who says NEEDS_WORK, then APPROVED',
  config: CONFIG,
  tasks: { one: contract('one', [...VERIFIED, 'quality_gate: [janitor, person]']) },
  agent: (turn) => {
    if (turn.kind === 'work') return turn.nth === 1 ? complete(turn) : told(turn, 'too loud');
    turn.write('review.md', review(turn, 'APPROVED'));
    return 0;
  },
  people: (tree) => {
    tree.edit('review', 'one', 'review.md', (text) => {
      if (!text.includes('- [ ] APPROVED') || /^- \[x\] [A-Z_]+$/m.test(text)) return text;
      const first = tree.edits('review.md') === 0;
      return first ? `${tick(text, 'NEEDS_WORK')}\n1. too loud\n` : tick(text, 'APPROVED');
    });
  },
  ends: { one: State.done },
};

const lapsed: Story = {
  name: 'a person approves, and a file changes before the next step',
  config: CONFIG,
  tasks: { one: contract('one', [...VERIFIED, 'quality_gate: person']) },
  agent: (turn) => complete(turn),
  people: (tree) => {
    tree.edit('review', 'one', 'review.md', (text) =>
      /^- \[x\] [A-Z_]+$/m.test(text) ? text : tick(text, 'APPROVED'),
    );
    if (tree.edits('review.md') > 0)
      tree.append('review', 'one', 'result.md', '\nAnd what nobody approved.\n');
  },
  ends: { one: State.done },
};

const human: Story = {
  name: 'a human task, sent back once',
  config: CONFIG,
  tasks: { one: contract('one', ['adapter: human', ...VERIFIED]) },
  agent: () => 0,
  people: (tree) => {
    const nth = tree.edits('result.md') + 1;
    const turn = { task: 'one', nth, kind: 'work' } as Turn;
    const done = result(turn, 'COMPLETE', nth === 1 ? ' ' : 'x');
    if (!tree.holds('in_progress', 'one', 'result.md', 'Status: COMPLETE')) {
      tree.put('in_progress', 'one', 'result.md', done);
    }
  },
  ends: { one: State.done },
};

const byHand: Story = {
  name: 'put into in_progress by a person, with the result of another time',
  config: CONFIG,
  tasks: { one: contract('one', ['adapter: human', ...VERIFIED]) },
  starts: { one: 'in_progress' },
  agent: () => 0,
  people: (tree) => {
    const turn = { task: 'one', nth: tree.edits('result.md') + 1, kind: 'work' } as Turn;
    if (turn.nth === 1) tree.put('in_progress', 'one', 'result.md', result(turn, 'COMPLETE', ' '));
    // They wait for the form, and fill in that one.
    else if (tree.holds('in_progress', 'one', 'result.md', '- Status: \n')) {
      tree.put('in_progress', 'one', 'result.md', result(turn));
    }
  },
  ends: { one: State.done },
};

const host: Story = {
  name: 'a host task, delegated and collected twice',
  config: CONFIG,
  tasks: { one: contract('one', ['adapter: host', ...VERIFIED]) },
  agent: () => 0,
  host: (turn) => {
    if (turn.nth > 1) complete(turn);
    else turn.write('result.md', result(turn, 'FAILED', ' '));
  },
  ends: { one: State.done },
};

const dependency: Story = {
  name: 'a dependency aborted, reopened; the dependent resolved',
  config: CONFIG,
  tasks: {
    one: contract('one', VERIFIED),
    two: contract('two', [...VERIFIED, 'depends_on: [one]']),
  },
  starts: { one: 'aborted' },
  agent: complete,
  people: (tree) => {
    if (!tree.has('blocked', 'two', 'blocked.md')) return;
    if (tree.has('aborted', 'one', 'contract.md')) tree.move('one', 'aborted', 'ready');
    tree.append('blocked', 'two', 'blocked.md', '\nit is wanted again\n');
  },
  ends: { one: State.done, two: State.done },
};

const stale: Story = {
  name: 'contract edited during the attempt and during the review',
  config: CONFIG,
  tasks: { one: contract('one', [...VERIFIED, 'quality_gate: [janitor]']) },
  agent: (turn) => {
    if (turn.kind === 'work') {
      if (turn.nth === 1) turn.tree.append('in_progress', 'one', 'contract.md', '\nmore wanted\n');
      return complete(turn);
    }
    if (turn.nth === 1) turn.tree.append('review', 'one', 'contract.md', '\nstill more wanted\n');
    turn.write('review.md', review(turn, 'APPROVED'));
    return 0;
  },
  people: (tree) => tree.append('questions', 'one', 'questions.md', '\ntake\n'),
  ends: { one: State.done },
};

const two: Story = {
  name: 'two tasks at once, one fails first',
  config: CONFIG,
  tasks: { one: contract('one', VERIFIED), two: contract('two', VERIFIED) },
  agent: (turn) => (turn.task === 'two' && turn.nth === 1 ? 1 : complete(turn)),
  ends: { one: State.done, two: State.done },
};

const unverified: Story = {
  name: 'a check fails twice, then blocked, resolved, done',
  config: `${CONFIG}reviews_max: 1\n`,
  tasks: { one: contract('one', [...VERIFIED, '  - run: sh second.sh']) },
  agent: complete,
  // Before the work it fails in another way, else one send-back would be spared.
  check: (works) => (works === 0 ? 3 : works <= 2 ? 1 : 0),
  people: (tree) => tree.append('blocked', 'one', 'blocked.md', '\nthe check was wrong\n'),
  ends: { one: State.done },
};

const reject: Story = {
  name: 'a gate that says REJECT',
  config: CONFIG,
  tasks: { one: contract('one', [...VERIFIED, 'quality_gate: [janitor]']) },
  agent: (turn) => {
    if (turn.kind === 'work') return complete(turn);
    turn.write('review.md', review(turn, 'REJECT'));
    return 0;
  },
  ends: { one: State.aborted },
};

function child(name: string, more: readonly string[] = []): string {
  return contract(name, ['agent: hand', ...VERIFIED, ...more]);
}

/** Whoever dies: three children are made, each once, and the chief hears of all of them. */
const chief: Story = {
  name: 'a chief with three children, one behind another',
  config: `${CONFIG}agents:\n  boss: { write: [], delegates_to: [hand] }\n  hand: {}\n`,
  tasks: { one: contract('one', ['agent: boss', ...VERIFIED]) },
  agent: (turn) => {
    if (turn.task !== 'one') return complete(turn);
    if (turn.nth > 1) return told(turn, `Child \`${CHILD_IDS.c}\` (\`children/c.md\`, done)`);
    turn.write('children/a.md', child('a'));
    turn.write('children/b.md', child('b'));
    turn.write('children/c.md', child('c', ['depends_on: [b]']));
    return 0;
  },
  ends: {
    one: State.done,
    [CHILD_IDS.a]: State.done,
    [CHILD_IDS.b]: State.done,
    [CHILD_IDS.c]: State.done,
  },
};

export const STORIES: readonly Story[] = [
  shell,
  questions,
  retry,
  blocked,
  gate,
  person,
  lapsed,
  human,
  host,
  dependency,
  stale,
  two,
  unverified,
  reject,
  byHand,
  chief,
  checkpointReviews,
  checkpointAborts,
  abortedMeanwhile,
  squadsChief,
  agentReviews,
];
