/**
 * An agent that nothing confines rewrites what a person confirmed: its own contract or that of another
 * task, in every way that it may end. No text that a person did not see is worked by or verified with.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { inShell, makeHouse, type House } from './house.ts';

const CONFIG = `adapter: agent
parallel: 1
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
  reviewer: { type: command, run: [sh, .contracts/reviewer.sh] }
`;
const contract = (id: string, head = ''): string =>
  `---\nv: 1\ntitle: ${id}\nverify:\n  - run: test -e never.txt\n${head}---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] It is done\n`;
const DONE = `printf '# Result\\n\\n- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n' > "$CONTRACTS_OUT/result.md"`;
/** At its own, wherever it works. */
const REWRITE = `sed -i 's/^  - run: .*/  - run: "true"/' "$CONTRACTS_WORKSPACE"/active_tasks/*/a/contract.md`;

function house(agent: string, head = '', config = CONFIG): House {
  const made = makeHouse({ config, neighbour: false });
  const script = `CONTRACTS_WORKSPACE='${made.root}'\n${agent}\n`;
  made.write('.contracts/agent.sh', script);
  made.write('.contracts/reviewer.sh', script);
  made.task('a', contract('a', head));
  return made;
}

/** `never.txt` is never there, so a task that is done was verified by another contract. */
async function comesToQuestions({ run, read, where }: House): Promise<string> {
  for (let steps = 0; steps < 4; steps++) await run('step');
  expect(where('a')).toEqual(['questions']);
  const questions = read('active_tasks/questions/a/questions.md');
  expect(questions).toContain('\n-  - run: test -e never.txt\n+  - run: "true"\n');
  expect(read('active_tasks/questions/a/confirmed.md')).toContain('never.txt');
  return questions;
}

const first = (command: string): string =>
  `if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then ${command}; fi`;

describe('its own contract, and it ends with', () => {
  test.each([
    [
      'a result in the next attempt',
      `${first(REWRITE)}; [ "$CONTRACTS_ATTEMPT" = 0001 ] || ${DONE}`,
    ],
    ['a result in the same one', `${first(REWRITE)}; ${DONE}`],
    [
      'a question',
      `${first(`${REWRITE}; printf '## Questions\\n\\n1. Why?\\n' > "$CONTRACTS_OUT/questions.md"`)}; ${DONE}`,
    ],
    ['a failure', `${first(`${REWRITE}; exit 3`)}; ${DONE}`],
    [
      'a write outside its permissions',
      `${first(`${REWRITE}; echo x > active_tasks/ready/b.md`)}; ${DONE}`,
    ],
    [
      'its own copies rewritten too',
      `${first(`${REWRITE}; cp active_tasks/*/a/contract.md "$CONTRACTS_OUT/contract.md"`)}; ${DONE}`,
    ],
    [
      'a confirmed.md of its own',
      `${first(`${REWRITE}; cp active_tasks/*/a/contract.md active_tasks/in_progress/a/confirmed.md`)}; ${DONE}`,
    ],
    [
      'the answer beside it',
      `${first(`${REWRITE}; printf '## Questions\\n\\n1. Which contract holds: take the change, or restore the confirmed one?\\n\\n### Answer\\n\\ntake\\n' > active_tasks/in_progress/a/questions.md`)}; ${DONE}`,
    ],
    [
      'the question left open beside it',
      `${first(`${REWRITE}; printf '## Questions\\n\\n1. Which contract holds: take the change, or restore the confirmed one?\\n\\n### Answer\\n' > active_tasks/in_progress/a/questions.md`)}; ${DONE}`,
    ],
    [
      'the answer on its desk',
      `${first(`${REWRITE}; printf '## Questions\\n\\n1. Which contract holds: take the change, or restore the confirmed one?\\n\\n### Answer\\n\\ntake\\n' > "$CONTRACTS_OUT/questions.md"`)}; ${DONE}`,
    ],
    [
      'its task moved to ready',
      `${first(`${REWRITE}; mv active_tasks/in_progress/a active_tasks/ready/a`)}; ${DONE}`,
    ],
  ])('%s', async (_how, agent) => {
    await comesToQuestions(house(agent));
  });

  test('in a worktree', async () => {
    const made = house(`${first(REWRITE)}; ${DONE}`, 'isolation: worktree\n');
    const git = (...argv: string[]): string =>
      execFileSync('git', ['-C', made.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
        encoding: 'utf8',
      });
    git('init', '-q', '-b', 'main');
    git('add', '.contracts');
    git('commit', '-q', '-m', 'first');
    await comesToQuestions(made);
  });

  test('its runner and itself killed, so that nobody compared it', async () => {
    const made = house(`${first(`${REWRITE}; kill -9 $(cat runner); kill -9 $$`)}; ${DONE}`);
    inShell(made, 'sh -c "echo \\$\\$ > runner; exec $BIN step"; sleep 1');
    await comesToQuestions(made);
  });
});

test('a reviewer rewrites it, and a check does', async () => {
  const agent = `if [ "$CONTRACTS_KIND" = review ] || [ "$CONTRACTS_ATTEMPT" = 0002 ]; then ${REWRITE}; printf -- '- Verdict: APPROVED\\n' > "$CONTRACTS_OUT/review.md"; fi; echo x > never.txt; ${DONE}`;
  await comesToQuestions(house(agent, 'quality_gate: reviewer\n'));
  const made = house(`echo x > never.txt; ${DONE}`);
  made.write(
    'active_tasks/ready/a/contract.md',
    contract('a').replace('test -e never.txt', 'sh check.sh; test -e never.txt'),
  );
  made.write(
    'check.sh',
    `[ ! -d active_tasks/review/a ] || sed -i 's/^title:.*/title: other/' active_tasks/review/a/contract.md\n`,
  );
  for (let steps = 0; steps < 4; steps++) await made.run('step');
  expect(made.where('a')).toEqual(['questions']);
});

describe('the contract of another task', () => {
  const OTHER = REWRITE.replace('/a/', '/b/');

  test.each([['ready'], ['review'], ['questions'], ['blocked']])('in %s', async (state) => {
    const made = house(`${OTHER}; echo x > never.txt; ${DONE}`);
    made.task('b', contract('b'), state);
    await made.run('step', '--only', 'a');
    expect(made.read(`active_tasks/${state}/b/confirmed.md`)).toContain('never.txt');
    if (state === 'review') made.write('active_tasks/review/b/result.md', '- Status: COMPLETE\n');
    if (state === 'questions') {
      made.write(
        'active_tasks/questions/b/questions.md',
        '## Questions\n\n1. Why?\n\n### Answer\n\nSo.\n',
      );
    }
    if (state === 'blocked') {
      await made.run('step', '--only', 'b');
      await made.run('retry', 'b', 'Go on');
    }
    rmSync(made.path('never.txt'));
    for (let steps = 0; steps < 3; steps++) await made.run('step');
    expect(made.where('b')).toEqual(['questions']);
    expect(made.read('active_tasks/questions/b/questions.md')).toContain('\n+  - run: "true"\n');
  });

  test('again, after the person has taken the first change and before it was begun', async () => {
    const made = house(
      `${OTHER.replaceAll("'", '"').replace('"true"', "'true $CONTRACTS_TASK'")}; ${DONE}`,
    );
    made.task('b', contract('b', 'depends_on: [c]\n'));
    made.task('c', contract('c'), 'draft');
    await made.run('step', '--only', 'a');
    made.write('active_tasks/done/c/contract.md', contract('c'));
    rmSync(made.path('active_tasks/draft/c'), { recursive: true });
    await made.run('step', '--only', 'b');
    await made.run('answer', 'b', 'take');
    made.task('d', contract('d'));
    await made.run('step', '--only', 'd');
    await made.run('step', '--only', 'b');
    const asked = made.read('active_tasks/questions/b/questions.md');
    expect(asked).toContain(`+  - run: 'true d'`);
    expect(asked).not.toContain('### Answer\n\ntake');
  });
});

test('what a person answers holds, and so do their own moves of files', async () => {
  const take = house(`${first(REWRITE)}; ${DONE}`);
  await comesToQuestions(take);
  expect((await take.run('answer', 'a', 'yes please')).err).toContain('take or restore');
  await take.run('answer', 'a', 'take it');
  await take.run('run');
  expect(take.where('a')).toEqual(['done']);
  const moved = house(`${first(REWRITE)}; ${DONE}`);
  await comesToQuestions(moved);
  execFileSync('mv', [moved.path('active_tasks/questions/a'), moved.path('active_tasks/ready/a')]);
  await moved.run('run');
  expect(moved.where('a')).toEqual(['done']);
  const restored = house(`${first(REWRITE)}; touch never.txt; ${DONE}`);
  const before = restored.read('active_tasks/ready/a/contract.md');
  await comesToQuestions(restored);
  appendFileSync(restored.path('active_tasks/questions/a/questions.md'), 'restore\n');
  await restored.run('run');
  expect(restored.where('a')).toEqual(['done']);
  expect(restored.read('active_tasks/done/a/contract.md')).toBe(before);
});

test('restore keeps what is in its place, also what is too large to be copied', async () => {
  const made = house(`${first(REWRITE)}; touch never.txt; ${DONE}`);
  await comesToQuestions(made);
  appendFileSync(
    made.path('active_tasks/questions/a/contract.md'),
    `${'x'.repeat(300_000)}\nMine.\n`,
  );
  appendFileSync(made.path('active_tasks/questions/a/questions.md'), 'restore\n');
  await made.run('run');
  expect(made.where('a')).toEqual(['done']);
  expect(made.read('active_tasks/done/a/contract.md')).toBe(contract('a'));
  const kept = 'active_tasks/done/a/attempts/0001/replaced-contract.md';
  expect(made.read(kept)).toContain('Mine.');
});

test('an edit while nobody runs is a person’s, and so is one in a task that a person does', async () => {
  const made = house(DONE);
  appendFileSync(made.path('active_tasks/ready/a/contract.md'), '\nMore.\n');
  await made.run('step');
  expect(made.exists('active_tasks/ready/a/confirmed.md')).toBe(false);
  const human = house(DONE, 'agent: human\n');
  await human.run('step');
  appendFileSync(human.path('active_tasks/in_progress/a/contract.md'), '\nMore.\n');
  human.write('active_tasks/in_progress/a/result.md', '- Status: COMPLETE\n\n- [x] It is done\n');
  await human.run('step');
  expect(human.where('a')).not.toEqual(['questions']);
});

const works = sandboxMachine(process.env['PATH'] ?? '').works;

test.runIf(works)(
  'where a sandbox keeps the agent out, an edit meanwhile is stale, and no question',
  async () => {
    const made = house(
      `${REWRITE}; echo begun > "$CONTRACTS_OUT/status.md"; until [ -e edited ]; do sleep 0.1; done; ${DONE}`,
      '',
      `sandbox: bwrap\n${CONFIG}`,
    );
    const ran = inShell(
      made,
      `$BIN step & until grep -qs begun active_tasks/.desk/a.0001/status.md; do sleep 0.1; done
echo more >> active_tasks/in_progress/a/contract.md; touch edited; wait; $BIN list`,
    );
    expect(ran.out).toContain('the contract was edited while the agent worked');
    expect(made.where('a')).toEqual(['ready']);
    expect(made.read('active_tasks/ready/a/contract.md')).toContain('never.txt');
    expect(made.exists('active_tasks/ready/a/confirmed.md')).toBe(false);
  },
);
