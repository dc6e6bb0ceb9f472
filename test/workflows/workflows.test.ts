/** Every workflow with real programs as agents: to its end, and with a step that fails, asks or is blocked. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const CONFIG = `adapter: agent
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
  approves: { type: command, run: [sh, .contracts/approves.sh] }
agents:
  qa: { adapter: agent }
`;
/** Reviews as a gate, and works as any other agent. */
const APPROVES = `if [ "$CONTRACTS_KIND" = review ]; then
  printf '# Review\\n\\n## Verdict\\n\\n- [x] APPROVED\\n- [ ] NEEDS_WORK\\n- [ ] REJECT\\n' > "$CONTRACTS_OUT/review.md"
  exit 0
fi
`;

/** The steps in their order, and those that a person does or approves. */
const WORKFLOWS = {
  build: ['requirements', 'architecture', 'implementation', 'validation', 'closure'],
  debug: ['reproduction', 'diagnosis', 'fix', 'verification'],
  review: ['scope', 'findings', 'report'],
  interview: ['interview', 'specification'],
  sdd: ['spec', 'plan', 'go', 'validation'],
} as const;
const ALL = Object.entries(WORKFLOWS).map(([name, steps]) => ({
  name,
  steps: [...steps] as string[],
}));

function roomOf() {
  const room = commandRoom(CONFIG);
  const agent = join(room.root, '.contracts/agent.sh');
  // The planner's deliverable is a plan, handed in as a document.
  const planner = `case "$CONTRACTS_TASK" in plan-*)
  mkdir -p "$CONTRACTS_OUT/documents/plans/p-work"
  printf '# Work\\n\\n- [ ] **Do it** (executor: @builder, files: it.txt)\\n' > "$CONTRACTS_OUT/documents/plans/p-work/plan.md"
esac
`;
  const text = readFileSync(agent, 'utf8').replace(
    'for file in $(sed',
    'for file in $(echo "$CONTRACTS_TASK" | grep -q "^plan-" || sed',
  );
  writeFileSync(agent, `${APPROVES}${planner}${text}`);
  return room;
}

type Room = ReturnType<typeof roomOf>;

async function begin(room: Room, name: string, roles = '') {
  room.write('.contracts/roles', roles);
  const made = await room.said(
    'plan',
    'new',
    '--workflow',
    name,
    'what',
    'is wanted',
    '--name',
    'p',
  );
  expect(made, made.err).toMatchObject({ code: 0, out: '.contracts/plans/p/plan.md\n' });
  const started = await room.said('plan', 'start', 'p');
  expect(started.code, started.err + started.out).toBe(0);
}

/** Steps until nothing moves; a person does what waits for one. */
async function runAll(room: Room, act: Readonly<Record<string, readonly string[]>>) {
  for (let tries = 0; tries < 6; tries++) {
    await room.said('run');
    const states = room.states();
    const next = Object.entries(act).find(([id]) =>
      ['review', 'questions', 'in_progress'].includes(states[id] ?? ''),
    );
    if (next === undefined) return states;
    const { code, err } = await room.said(...next[1]);
    expect(code, err).toBe(0);
  }
  return room.states();
}

test.for(ALL)('$name: to its end, each step with its phase', async ({ name, steps }) => {
  const room = roomOf();
  await begin(room, name);
  const person = { specification: ['approve', 'specification'] };
  const states = await runAll(room, person);
  if (name === 'sdd') {
    // The go-ahead is a person's: they do it by hand, and its plan is there.
    expect(states).toMatchObject({
      spec: 'done',
      plan: 'done',
      go: 'in_progress',
      validation: 'ready',
    });
    expect(readFileSync(join(room.root, '.contracts/plans/p-work/plan.md'), 'utf8')).toContain(
      'Do it',
    );
    expect((await room.said('plan', 'check', 'p-work')).out).toContain('p-work: 0 errors');
    expect((await room.said('plan', 'start', 'p-work')).code).toBe(0);
    await room.said('run');
    expect(room.states()).toMatchObject({ 'do-it': 'done', go: 'in_progress' });
    const at = readdirSync(join(room.root, 'active_tasks/in_progress')).find((id) =>
      id.startsWith('go-'),
    );
    room.write(
      `active_tasks/in_progress/${at}/result.md`,
      '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] the plan p-work is done\n',
    );
    await room.said('run');
    expect((await room.said('approve', 'go')).code).toBe(0);
    await room.said('run');
    expect(room.states()).toMatchObject({ go: 'done', validation: 'done' });
    return;
  }
  expect(states).toEqual(Object.fromEntries(steps.map((step) => [step, 'done'])));
  for (const step of steps) {
    expect(room.fileOf(step, 'contract.md')).toContain(`\nworkflow: ${name}\nphase: `);
  }
});

test.for(ALL)('$name: its first step fails, asks, or is blocked', async ({ name, steps }) => {
  const [first = '', second = ''] = steps;
  for (const [role, end, says] of [
    ['fails', 'blocked', 'Everything.'],
    ['asks', 'questions', 'asks a question'],
    ['blocks', 'blocked', 'A key.'],
  ] as const) {
    const room = roomOf();
    await begin(room, name, `${role} ${first}\n`);
    const { out, code } = await room.said('run');
    expect(code, out).toBe(1);
    // It is waited for, and who waits for it has not begun.
    expect(room.states()).toMatchObject({ [first]: end, [second]: 'ready' });
    expect(out).toContain(says);
    if (role !== 'asks') continue;
    room.write('.contracts/roles', '');
    const answered = await room.said('answer', first, 'The first one.');
    expect(answered.code, answered.err).toBe(0);
    await room.said('run');
    expect(['done', 'review']).toContain(room.states()[first]);
  }
});

test('sdd: the validator sends the plan back with the pivots that it needs, as often as the plan says', async () => {
  const room = roomOf();
  const agent = join(room.root, '.contracts/agent.sh');
  const needs = `if [ "$CONTRACTS_KIND" = review ]; then case "$CONTRACTS_TASK" in plan-*)
  printf '# Review\\n\\n## Verdict\\n\\n- [ ] APPROVED\\n- [x] NEEDS_WORK\\n- [ ] REJECT\\n\\n## Findings\\n\\n1. Requirement 2 has no item.\\n' > "$CONTRACTS_OUT/review.md"
  exit 0
esac; fi
`;
  writeFileSync(agent, needs + readFileSync(agent, 'utf8'));
  await begin(room, 'sdd');
  const { out } = await room.said('run');
  expect(room.states()).toMatchObject({
    spec: 'done',
    plan: 'blocked',
    go: 'ready',
    validation: 'ready',
  });
  expect(out.match(/plan {2}review → ready/g)).toHaveLength(5);
  expect(room.fileOf('plan', 'blocked.md')).toContain('Requirement 2 has no item.');
});
