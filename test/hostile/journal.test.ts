/**
 * What commands and other runners write while an unconfined agent works is laid at nobody's door, and what the agent
 * itself forges beside it is noticed. Real processes.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contracts } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const CONFIG = `sandbox: none
adapter: agent
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
agents:
  narrow: { adapter: agent, write: [docs/**] }
`;
/** It waits until the test lets it go on; "forge" makes it write beside its permissions first. */
const AGENT = `touch docs/began.$CONTRACTS_TASK
until [ -e docs/go-on ]; do sleep 0.02; done
[ ! -e forge ] || sh ./forge
printf '# Result\\n\\n- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n\\n## Learnings\\n\\n- The build needs node 20 or newer, always\\n' > "$CONTRACTS_OUT/result.md"
`;
const contract = (id: string, more = ''): string =>
  `---\nv: 1\ntitle: ${id}\nagent: narrow\nverify: [{ run: "true" }]\n${more}---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] It is done\n`;

let root = '';
const put = (path: string, text: string): void => putFile(join(root, path), text);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const run = (...args: readonly string[]) => contracts(root, args);

beforeEach(() => {
  root = sealedFolder('journal');
  init(realDisk, root);
  put('.contracts/config.yaml', CONFIG);
  put('.contracts/agent.sh', AGENT);
  mkdirSync(join(root, 'docs'));
  put('active_tasks/ready/one/contract.md', contract('one'));
});

/** Does something while the agent of `one` works; the record of that attempt. */
async function meanwhile(act: () => Promise<void>, forge?: string): Promise<string> {
  if (forge !== undefined) put('forge', forge);
  const stepped = run('step', '--only', 'one');
  await until(() => existsSync(join(root, 'docs/began.one')));
  await act();
  writeFileSync(join(root, 'docs/go-on'), '');
  expect((await stepped).code).not.toBe(3);
  return ['review', 'done']
    .map((state) => `active_tasks/${state}/one/attempts/0001/outcome.md`)
    .filter((path) => existsSync(join(root, path)))
    .map(read)
    .join('');
}

const wordsOf = (typed: string): readonly string[] =>
  [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const DRAFT = 'active_tasks/draft/two/contract.md';
interface Row {
  readonly typed: string;
  readonly makes?: string;
  readonly setup?: () => void;
}
const VERBS: readonly Row[] = [
  { typed: 'pause one', makes: '.contracts/PAUSED' },
  { typed: 'import markdown todo.md', setup: () => put('todo.md', '# Todo\n\n- [ ] Buy milk\n') },
  {
    typed: 'memory add --type insight "Always use tabs here, never spaces"',
    makes: '.contracts/memory',
  },
  { typed: 'team start review "the change on this branch"' },
  { typed: 'status --write' },
  { typed: 'init --with vscode,schemas', makes: '.vscode' },
  { typed: 'squad new sq', makes: '.contracts/squads/sq' },
  { typed: 'new "Another" --run true' },
  {
    typed: 'confirm two',
    makes: 'active_tasks/ready/two',
    setup: () => put(DRAFT, contract('two')),
  },
  {
    typed: 'retry old --again',
    makes: 'active_tasks/ready/old',
    setup: () => put('active_tasks/done/old/contract.md', contract('old')),
  },
  { typed: 'note one "Look at this"' },
];

test.each(VERBS)('$typed: nobody is accused', async ({ typed, makes, setup }) => {
  setup?.();
  const record = await meanwhile(async () => {
    const { code, stdout, stderr } = await run(...wordsOf(typed));
    expect(code, stdout + stderr).toBeLessThan(2);
    if (makes !== undefined) expect(existsSync(join(root, makes))).toBe(true);
  });
  expect(record).toContain('outcome: complete');
  expect(record).not.toMatch(/^(?:noticed|violations):/m);
  const { stdout, stderr } = await run('list');
  expect(stdout + stderr).not.toContain('had no permission');
});

test.each(VERBS)('$typed: what an agent forges beside it is noticed', async ({ typed, setup }) => {
  setup?.();
  const forged = `mkdir -p .contracts/plans/p; echo forged > .contracts/plans/p/notepad.md
for one in .contracts/PAUSED .contracts/memory/insight/*.md .contracts/squads/sq/SQUAD.yaml; do
  [ ! -e "$one" ] || echo forged >> "$one"
done
`;
  const record = await meanwhile(async () => void (await run(...wordsOf(typed))), forged);
  expect(record).toContain('.contracts/plans/p/notepad.md');
  if (typed.startsWith('pause')) expect(record).toContain('.contracts/PAUSED');
  if (typed.startsWith('squad')) expect(record).toContain('.contracts/squads/sq/SQUAD.yaml');
});

test('a command that writes over what an agent forged does not clear it', async () => {
  const forged =
    'echo forged > .contracts/PAUSED; touch docs/forged; until [ -e docs/typed ]; do sleep 0.02; done\n';
  put('forge', forged);
  const stepped = run('step', '--only', 'one');
  writeFileSync(join(root, 'docs/go-on'), '');
  await until(() => existsSync(join(root, 'docs/forged')));
  expect((await run('pause', 'one')).code).toBe(0);
  expect(read('.contracts/PAUSED')).not.toBe('forged\n');
  writeFileSync(join(root, 'docs/typed'), '');
  await stepped;
  const outcome = ['review', 'done', 'in_progress', 'ready']
    .map((state) => join(root, `active_tasks/${state}/one/attempts/0001/outcome.md`))
    .find((path) => existsSync(path));
  expect(readFileSync(outcome ?? '', 'utf8')).toMatch(
    /^noticed:\n(?: .*\n)*? .*\.contracts\/PAUSED/m,
  );
});

test.each([
  ['a link', 'ln -s /etc/passwd .contracts/PAUSED'],
  ['a FIFO', 'mkfifo .contracts/PAUSED'],
  ['more than 1 MiB', 'head -c 1200000 /dev/zero > .contracts/PAUSED'],
])('%s where a command removed a file is noticed', async (_name, forged) => {
  const record = await meanwhile(async () => {
    expect((await run('pause', 'other')).code).toBe(0);
    expect((await run('pause', '--end')).code).toBe(0);
  }, `${forged}\n`);
  expect(record).toMatch(/^noticed:\n(?: .*\n)*? .*create \.contracts\/PAUSED/m);
});

const ASKED = 'active_tasks/questions/asked';
const ASKS = '## Question 1\n\nWhich?\n\n### Answer\n\n## Question 2\n\nWhat?\n\n### Answer\n';
test.each([
  ['one answer of two: nobody is accused', '', '', false],
  ['what an agent wrote there before it is noticed', 'echo forged >> $1', '', true],
  ['what an agent wrote there after it is noticed', '', 'echo forged >> $1', true],
])('%s', async (_name, before, after, isNoticed) => {
  put(`${ASKED}/contract.md`, contract('asked'));
  put(`${ASKED}/questions.md`, ASKS);
  mkdirSync(join(root, ASKED, 'attempts/0001'), { recursive: true });
  const edit = (script: string) =>
    execFileSync('sh', ['-c', script, 'sh', join(root, ASKED, 'questions.md')]);
  const record = await meanwhile(async () => {
    edit(before);
    expect((await run('answer', 'asked', 'red')).code).toBe(0);
    edit(after);
  });
  expect(read(`${ASKED}/questions.md`)).toContain('red');
  expect(record.includes(`write ${ASKED}/questions.md`)).toBe(isNoticed);
});

test('a draft that is made, edited and confirmed meanwhile: nobody is accused', async () => {
  const record = await meanwhile(async () => {
    expect((await run('new', 'Two', '--run', 'true', '--id', 'two')).code).toBe(0);
    put(DRAFT, read(DRAFT).replaceAll('Two', 'Three'));
    expect((await run('confirm', 'two')).code).toBe(0);
  });
  expect(record).toContain('outcome: complete');
  expect(record).not.toMatch(/^(?:noticed|violations):/m);
});

test('the record names the command, and counts nothing', async () => {
  const record = await meanwhile(async () => void (await run('squad', 'new', 'sq')));
  expect(record).toContain('`contracts squad` wrote .contracts/squads/sq/');
  const shown = await run('show', 'one');
  expect(shown.stdout).not.toContain('noticed');
});

test('a line of a log that was torn, or that names another digest, forgives nothing', async () => {
  const forged = 'mkdir -p .contracts/plans/p; echo forged > .contracts/plans/p/notepad.md\n';
  const record = await meanwhile(async () => {
    const state = join(process.env['HOME'] ?? '', '.local/state/contracts/trust');
    const logs = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /wrote-.*\.log$/.test(name),
    );
    expect(logs).not.toEqual([]);
    for (const log of logs.map((name) => join(state, name))) {
      appendFileSync(log, '\n["task:one/contract.md","-","');
      appendFileSync(
        log,
        `\n${JSON.stringify(['.contracts/plans/p/notepad.md', '-', '0'.repeat(64), ''])}`,
      );
    }
  }, forged);
  expect(record).toContain('.contracts/plans/p/notepad.md');
});

test('three runners that harvest the same learning: nobody is accused', async () => {
  const ids = Array.from({ length: 9 }, (_, i) => `task-${i}`);
  for (const id of ids) put(`active_tasks/ready/${id}/contract.md`, contract(id));
  writeFileSync(join(root, 'docs/go-on'), '');
  for (let round = 0; round < 12; round++)
    await Promise.all(
      [0, 1, 2].map((part) =>
        run('step', ...ids.filter((_, i) => i % 3 === part).flatMap((id) => ['--only', id])),
      ),
    );
  const records = ids.map((id) => read(`active_tasks/done/${id}/attempts/0001/outcome.md`));
  expect(records.filter((text) => /^(?:noticed|violations):/m.test(text))).toEqual([]);
});
