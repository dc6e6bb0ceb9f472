/** status as a person sees it, what it writes for the next one, and where there is nothing yet. */
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { overviewLines } from '../../src/cli/output/overview-text.ts';
import { bareText } from '../../src/cli/output/text-width.ts';
import type { Overview } from '../../src/engine/queries/overview.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';
import { until } from '../support/until.ts';

const ENV = { ...process.env, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };
let room: string;
beforeEach(() => void (room = sealedFolder('status')));

const contracts = (...argv: string[]) => saidHere(['-C', room, ...argv], { env: ENV });

function put(state: string, id: string, title: string, head = ''): void {
  const text = `---\ntitle: ${title}\nadapter: shell\nverify: ["run: true"]\n${head}---\n\n## Success Criteria\n\n- [ ] \`true\` passes\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`;
  putFile(join(room, 'active_tasks', state, id, 'contract.md'), text);
}

test('where no workspace is, it says what this is and how to begin', async () => {
  const { code, out, err } = await contracts('status');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(
    'contracts: work for agents as folders that anyone can read.\n' +
      'There is no workspace here or in a folder above.\n\n' +
      'Next\n  contracts init\n  contracts do "What you want"\n',
  );
  expect(checkedLines((await contracts('status', '--json')).out)).toEqual([
    {
      v: 1,
      event: 'overview',
      workspace: '',
      counts: [],
      running: [],
      needs_person: [],
      for_host: [],
      next: ['contracts init', 'contracts do "What you want"'],
      problems: [],
    },
  ]);
  expect(readdirSync(room)).toEqual([]);
});

test('in an empty workspace the next command makes a task', async () => {
  await contracts('init');
  const { out } = await contracts('status');
  expect(out).toContain('Tasks\n  none yet\n\nNothing needs you\n\nNext\n  contracts do ');
});

test('counts, at most five that need the person, and three commands', async () => {
  await contracts('init');
  for (let i = 0; i < 7; i++) put('draft', `draft-${i}`, `Draft ${i}`);
  put('review', 'judge', 'Judge', 'priority: high\n');
  put('questions', 'asks', 'Asks');
  put('ready', 'starts', 'Starts');
  put('done', 'over', 'Over');
  const { code, out } = await contracts('status');
  expect(code).toBe(0);
  const [tasks = '', needs = '', next = ''] = out.split('\n\n');
  expect(tasks).toBe('Tasks\n  7 draft, 1 ready, 1 questions, 1 review, 1 done');
  const lines = needs.split('\n');
  expect(lines[0]).toBe('Needs you (9)');
  expect(lines[1]).toMatch(/^ {2}! {2}review +Judge/);
  expect(lines[2]).toMatch(/^ {2}! {2}questions +Asks/);
  expect(lines).toHaveLength(7);
  expect(lines.at(-1)).toBe('  and 4 more: contracts list --waits-for me');
  expect(next).toBe('Next\n  contracts review\n  contracts run\n  contracts confirm draft-0\n');
  const [line] = checkedLines((await contracts('status', '--json')).out);
  expect(line).toMatchObject({ workspace: room, running: [] });
  expect(line).toMatchObject({ needs_person: { length: 9 } });
});

test('an agent that works is shown with its step', async () => {
  await contracts('init');
  put('ready', 'long', 'Long');
  const steps = [
    'printf -- "- Current step: counting sheep\\n" > "$CONTRACTS_OUT/status.md"',
    `until [ -e ${room}/go ]; do sleep 0.05; done`,
  ].join('\n');
  const file = join(room, 'active_tasks/ready/long/contract.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('sh\ntrue', `sh\n${steps}`));
  const running = contracts('run');
  // The run is in this process.
  const told = join(room, 'active_tasks/.desk/long.0001/status.md');
  await until(() => existsSync(told) && readFileSync(told, 'utf8').includes('counting sheep'));
  const { out } = await contracts('status');
  expect(out).toMatch(/At work\n {2}long {2}builder #1 {2}\d+s {2}counting sheep \(\d+s\)\n/);
  expect(out).toContain('Next\n  contracts logs long -f\n');
  const [line] = checkedLines((await contracts('status', '--json')).out);
  expect(line).toMatchObject({ running: [{ id: 'long', step: 'counting sheep' }] });
  const step = /counting sheep \(\d+s\)/;
  for (const verb of ['list', 'list --board', 'show long', 'doctor', 'doctor long']) {
    expect((await contracts(...verb.split(' '))).out, verb).toMatch(step);
  }
  // So long ago that it lags, for whatever complexity.
  const desk = join(room, 'active_tasks/.desk/long.0001/status.md');
  utimesSync(desk, new Date(), new Date(Date.now() - 600_000));
  for (const verb of ['list', 'list --board', 'show long', 'doctor', 'status']) {
    const argv = verb.split(' ');
    expect((await contracts(...argv)).out, verb).toMatch(/LAGGING 10m\d\ds {2}counting sheep/);
    const lines = (await contracts(...argv, '--json')).out;
    expect(JSON.stringify(checkedLines(lines)), verb).toMatch(
      /"step":"counting sheep".*"lagging":true|"lagging":true.*"step":"counting sheep"/,
    );
  }
  writeFileSync(join(room, 'go'), '');
  expect((await running).code).toBe(0);
});

test('a draft with an error names it and its file, and not the command that would be refused', async () => {
  await contracts('init');
  put('draft', 'odd', 'Odd one', 'agent: nobody\n');
  const { out } = await contracts('status');
  expect(out).toContain('active_tasks/draft/odd/contract.md:5:1: error: this agent does not exist');
  expect(out).not.toContain('contracts confirm odd');
});

test('after approve, and before the next step, the list has the verdict', async () => {
  await contracts('init');
  put('ready', 'sum', 'Add up', 'quality_gate: person\n');
  await contracts('run');
  expect((await contracts('list', '--json')).out).toContain('"code":"verdict"');
  await contracts('approve', 'sum');
  expect((await contracts('list')).out).toContain('next step: verify; your verdict is APPROVED');
  await contracts('run');
  expect((await contracts('list', '--all')).out).toContain('done, with receipts');
});

test('a pause is named once, with its reason and resume; what it holds back is not counted', async () => {
  await contracts('init');
  put('ready', 'one', 'One');
  put('draft', 'two', 'Two');
  await contracts('pause', 'lunch');
  const { out } = await contracts('status');
  expect(out).toMatch(/^Everything is paused: lunch\n/);
  expect(out).toContain('Needs you (1)\n  !  draft  Two');
  expect(out).toContain('Next\n  contracts pause --end\n  contracts confirm two\n');
  expect((await contracts('list')).out).toMatch(/^ *ready +one/m);
  expect((await contracts('list', '--waits-for', 'me')).out).not.toContain('One');
  await contracts('pause', '--end');
  expect((await contracts('status')).out).not.toContain('paused');
});

test('in 80 columns all counts and whole commands can be read', () => {
  const id = 'write-a-poem-about-the-sea-0abc';
  const task = { id, state: 'in_progress', title: 'Write a poem', code: 'in_hands' };
  const fix = `fill in active_tasks/in_progress/${id}/result.md`;
  const counts = STATES.map((state) => ({ state, tasks: 1234 }));
  const rest = { workspace: '', running: [], next: [], problems: [] };
  const found = {
    ...rest,
    counts,
    needs_person: [{ ...task, fix }],
    for_host: [],
  } as unknown as Overview;
  const text = overviewLines(found, 80).map(bareText).join('\n');
  expect(text.match(/1234\s+[a-z_]+/g)).toHaveLength(8);
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(text).toContain(`in_progress  Write a poem\n     ${fix}`);
  expect(text).not.toContain('…');
});
