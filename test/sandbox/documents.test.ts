/**
 * Real programs in a real sandbox, in the shared tree and in a worktree: nothing below `.contracts/` can be
 * written, and what is handed in on the desk is put in place. Without bubblewrap it says so and is left out.
 */
import { expect, test, vi } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { BINARY } from '../support/binary.ts';
import { makeStand, scriptOf, type Stand } from '../support/confined.ts';
import { until } from '../support/until.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: documents in a sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

const PLAN = '.contracts/plans/spring';
let one: Stand;

function stand(config = ''): void {
  one = makeStand('bwrap', config);
  vi.stubEnv('HOME', one.home);
  one.write(`${PLAN}/notepad.md`, 'Kept.\n');
}

inSandbox.each(['shared', 'worktree'])(
  '%s: dev updates its story and the notepad',
  async (tree) => {
    stand();
    const desk = '"$CONTRACTS_OUT/documents/plans/spring"';
    const head = `type: story\nagent: dev\nadapter: shell\nplan: spring\nisolation: ${tree}`;
    const deeds = {
      direct: `echo x >> ${PLAN}/notepad.md`,
      absolute: `echo x >> ${one.root}/${PLAN}/notepad.md`,
      given: `rm "$CONTRACTS_OUT/../../in_progress/build/attempts/0001/documents/plans/spring/notepad.md"`,
      story: `sed -i "s/^## Dev Notes/&\\n\\nBy dev./" ${desk}/stories/build.md`,
      notepad: `echo "Ask once." >> ${desk}/notepad.md`,
      code: 'echo x > src/built.txt',
    };
    one.task('build', head, scriptOf(deeds));
    await one.step();
    expect(one.deeds('build')).toEqual({
      direct: false,
      absolute: false,
      given: false,
      story: true,
      notepad: true,
      code: true,
    });
    expect(one.read(`${PLAN}/notepad.md`)).toBe('Kept.\nAsk once.\n');
    expect(one.read(`${PLAN}/stories/build.md`)).toContain('\n\nBy dev.\n');
    const brief = one.read(`${one.attempt('build')}/desk/brief.md`);
    const given = 'documents/plans/spring';
    expect(brief).toContain(`- Story: \`${given}/stories/build.md\` on the desk`);
    expect(brief).toContain(`- Notepad of the plan: \`${given}/notepad.md\` on the desk`);
  },
);

const ROLES = 'plan pm sm po qa analyst architect build squad-creator librarian'.split(' ');

inSandbox.each(ROLES)('%s can write nothing below .contracts/', async (agent) => {
  stand();
  one.write(`${PLAN}/stories/other.md`, 'Other.\n');
  one.write('.contracts/squads/mine/SQUAD.yaml', 'description: Mine\n');
  const deeds = {
    notepad: `echo x >> ${PLAN}/notepad.md`,
    story: `echo x >> ${PLAN}/stories/other.md`,
    file: `touch ${PLAN}/new.md`,
    plan: 'mkdir .contracts/plans/other',
    squad: 'echo x >> .contracts/squads/mine/SQUAD.yaml',
    memory: 'mkdir -p .contracts/memory/x',
    settings: 'touch .contracts/new.yaml',
  };
  const allowed = { desk: 'echo x > "$CONTRACTS_OUT/note.txt"' };
  one.task(
    'try',
    `agent: ${agent}\nadapter: shell\nplan: spring`,
    scriptOf({ ...deeds, ...allowed }),
  );
  await one.step();
  const done = Object.entries(one.deeds('try')).filter(([, did]) => did);
  expect(done.map(([name]) => name)).toEqual(['desk']);
});

inSandbox('squad-creator hands in a squad, which a file in its contract proves', async () => {
  stand();
  const file = '.contracts/squads/legal/SQUAD.yaml';
  const head = `agent: squad-creator\nadapter: shell\ndeliverables: [${file}]\nverify: [{ file_exists: ${file} }]`;
  const desk = '"$CONTRACTS_OUT/documents/squads/legal"';
  one.task('squad', head, `mkdir -p ${desk} && echo "description: Law" > ${desk}/SQUAD.yaml`);
  const said = await one.step();
  expect(one.read(file)).toBe('description: Law\n');
  expect(said).toContain(`check passed: file_exists: ${file}`);
  expect(one.read(`${one.attempt('squad', '0002')}/outcome.md`)).toContain(
    'outcome: awaits_person',
  );
});

inSandbox('in a worktree a deliverable of the plan is found where it was put', async () => {
  stand();
  const file = `${PLAN}/research/market.md`;
  const head = `agent: analyst\nadapter: shell\nplan: spring\nisolation: worktree\ndeliverables: [${file}]\nverify: [{ file_exists: ${file} }]`;
  const desk = '"$CONTRACTS_OUT/documents/plans/spring/research"';
  one.task('look', head, `mkdir -p ${desk} && echo "Small." > ${desk}/market.md`);
  const said = await one.step();
  expect(one.read(file)).toBe('Small.\n');
  expect(said).toContain(`check passed: file_exists: ${file}`);
  expect(one.read(`${one.attempt('look', '0002')}/outcome.md`)).toContain('outcome: awaits_person');
});

const calls = (script: string): string =>
  `{ type: command, run: [sh, -c, '. "\${CONTRACTS_DIR:-.}/.contracts/${script}"'] }`;
const CLIENTS = `adapter: human
adapters:
  planner: ${calls('planner.sh')}
  judge: ${calls('judge.sh')}
agents:
  plan: { adapter: planner }
  plan-analyzer: { adapter: judge }
  plan-reviewer: { adapter: judge }
isolation: `;

inSandbox.each(['shared', 'worktree'])(
  '%s: a plan is asked for, checked on the desk, sent back, changed and started',
  async (isolation) => {
    stand(CLIENTS + isolation);
    const desk = '"$CONTRACTS_OUT/documents/plans/pens/plan.md"';
    const check = `"${process.execPath}" "${BINARY}" plan check`;
    const deeds = {
      given: `grep -q Ask ${desk}`,
      make: `mkdir -p "$CONTRACTS_OUT/documents/plans/pens"`,
      wrong: `echo "- [ ] Ask (executor: @copywriter, depends: no-item)" > ${desk}; ! ${check} ${desk}`,
      right: `echo "- [ ] Ask (executor: @copywriter, verify: report)" > ${desk}; ${check} ${desk}`,
    };
    const result = `{ printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n'; sed -n 's/^- [[] []]/- [x]/p' "$CONTRACTS_OUT/contract.md"; } > "$CONTRACTS_OUT/result.md"`;
    const more = `grep -q "^## REVIEWER FINDINGS" "$CONTRACTS_BRIEF" && echo "- [ ] Write (executor: @copywriter, verify: report)" >> ${desk}`;
    one.write('.contracts/planner.sh', `${scriptOf(deeds)}\n${more}\n${result}\n`);
    one.write(
      '.contracts/judge.sh',
      `verdict=NEEDS_WORK; grep -q Write ${desk} && verdict=APPROVED\nprintf -- "- Verdict: $verdict\\n\\n## Findings\\n\\nMore.\\n" > "$CONTRACTS_OUT/review.md"\n`,
    );
    await one.call('plan', 'new', 'Pens', '--name', 'pens', '--id', 'ask', '--squad', 'marketing');
    await one.call('confirm', 'ask');
    expect(await one.call('run')).toContain('1 task done: ask.');
    const done = { make: true, wrong: true, right: true };
    expect(one.deeds('ask', '0001')).toEqual({ given: false, ...done });
    expect(one.deeds('ask', '0003')).toEqual({ given: true, ...done });
    expect(one.read('.contracts/plans/pens/plan.md')).toMatch(/Ask.*\n.*Write/);
    const brief = one.read(`${one.attempt('ask')}/desk/brief.md`);
    expect(brief).toContain(
      `${one.root}/active_tasks/.desk/ask.0001/documents/plans/pens/plan.md\`, and nowhere else`,
    );
    expect(await one.call('plan', 'start', 'pens')).toContain('ready');
    expect(await one.call('merge')).toContain('merged');
  },
);

inSandbox(
  'in a worktree a plan that a person writes meanwhile stays, and the request waits',
  async () => {
    stand(`${CLIENTS}worktree`);
    const [desk, plan] = ['active_tasks/.desk/ask.0001', '.contracts/plans/pens/plan.md'];
    const own = '"$CONTRACTS_OUT/documents/plans/pens"';
    const result = '- Status: COMPLETE\\n\\n## Success Criteria\\n';
    one.write(
      '.contracts/planner.sh',
      `mkdir -p ${own}; echo "- [ ] Ask" > ${own}/plan.md; touch "$CONTRACTS_OUT/began"
until [ -e "$CONTRACTS_OUT/go" ]; do sleep 0.05; done; printf -- "${result}" > "$CONTRACTS_OUT/result.md"`,
    );
    await one.call('plan', 'new', 'Pens', '--name', 'pens', '--id', 'ask', '--squad', 'marketing');
    await one.call('confirm', 'ask');
    const run = one.call('run');
    await until(() => one.exists(`${desk}/began`));
    one.write(plan, '- [ ] Mine (verify: report)\n');
    one.write(`${desk}/go`, '');
    const said = await run;
    expect(said).toContain('It is kept in attempt 1 of ask, as desk/documents/plans/pens/plan.md');
    expect(said).toContain(`ask  ready: ${plan} is not what an agent handed in`);
    expect(one.read(plan)).toBe('- [ ] Mine (verify: report)\n');
    expect(one.read(`${one.attempt('ask')}/desk/documents/plans/pens/plan.md`)).toBe('- [ ] Ask\n');
  },
);
