/**
 * `delegate --interactive` in a real terminal (tmux): the client is opened there, Ctrl-C is its own,
 * and what it leaves is judged when it ends. Without tmux it says so and is left out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { contracts } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';

const missing = terminalMissing();
if (missing !== undefined) {
  console.log(`LEFT OUT: the tests of delegate --interactive, because ${missing}`);
}

const CLIENT = fileURLToPath(new URL('../support/talking-client.mjs', import.meta.url));
const INTERACTIVE = ['delegate', 'task', '--interactive'];

let root: string;
let at: Terminal | undefined;
beforeEach(async () => {
  root = sealedFolder('delegate');
  expect((await contracts(root, ['init'])).code).toBe(0);
  const run = JSON.stringify([process.execPath, CLIENT, '{{brief_file}}']);
  const acp = 'speaks: { type: acp, run: [no-matter] }';
  writeFileSync(
    join(root, '.contracts/config.yaml'),
    `adapters:\n  talks: { run: ${run} }\n  ${acp}\n`,
  );
  makeTask('talks');
});

function makeTask(adapter: string): void {
  putFile(
    join(root, 'active_tasks/ready/task/contract.md'),
    `---\ntitle: A task\nadapter: ${adapter}\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] It is there\n`,
  );
}

async function says(word: string): Promise<void> {
  at?.type(word);
  at?.press('Enter');
  await at?.shows(`heard ${word}`);
}

const stands = (state: string): boolean => existsSync(join(root, 'active_tasks', state, 'task'));

describe.runIf(missing === undefined)('at a terminal', () => {
  test('the client is opened there, Ctrl-C is its own, and its result is judged', async () => {
    at = runInTerminal(root, INTERACTIVE, { env: { SECRET_OF_MINE: 'abc' } });
    await at.shows('Attempt 1: opening', 'terminal true, task task, secret undefined');
    await at.shows('brief of some length');
    at.press('C-c');
    await at.shows('stopped what I did');
    await says('done');
    at.press('C-d');
    expect(await at.ended()).toBe(0);
    expect(at.screen()).toContain('review → done');
    expect(stands('done')).toBe(true);
  });

  test('a result that is sent back calls nobody: both ways on are said', async () => {
    const file = join(root, 'active_tasks/ready/task/contract.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('run: true', 'run: false'));
    at = runInTerminal(root, INTERACTIVE);
    await at.shows('brief of');
    await says('done');
    at.press('C-d');
    expect(await at.ended()).toBe(0);
    const screen = at.screen().replace(/\s+/g, ' ');
    expect(screen).toContain('contracts delegate task --interactive opens the client again');
    expect(screen).toContain('contracts run calls it without you');
    expect(stands('ready')).toBe(true);
    expect(existsSync(join(root, 'active_tasks/ready/task/attempts/0003'))).toBe(false);
  });

  test('its questions are taken as any others', async () => {
    at = runInTerminal(root, INTERACTIVE);
    await at.shows('brief of');
    await says('ask');
    at.press('C-d');
    await at.ended();
    expect(stands('questions')).toBe(true);
  });

  test('who leaves without a result comes back to the same attempt', async () => {
    at = runInTerminal(root, INTERACTIVE);
    await at.shows('brief of');
    at.type('bye');
    at.press('Enter');
    expect(await at.ended()).toBe(1);
    expect(at.screen()).toContain('ended with code 3');
    expect(at.screen()).toContain('nothing is on its desk');
    expect(stands('in_progress')).toBe(true);
    await at.close();
    at = runInTerminal(root, INTERACTIVE);
    await at.shows('Attempt 1: opening', 'brief of');
    await says('done');
    at.press('C-d');
    expect(await at.ended()).toBe(0);
    expect(stands('done')).toBe(true);
  });

  test('when the terminal was lost, collect judges what is there', async () => {
    at = runInTerminal(root, INTERACTIVE);
    await at.shows('brief of');
    await says('done');
    await at.close();
    const collected = await contracts(root, ['collect', 'task']);
    expect(collected.code, collected.stderr).toBe(0);
    expect(stands('done')).toBe(true);
  });

  test.each([
    ['claude', 'cce244e3-6673-483f-bfef-23a5acde9610', '--resume'],
    ['codex', '01a2032d-0bc4-7e42-a57d-756218247af2', 'resume'],
    ['gemini', 'e19b1736-649a-4006-8868-9720bd5624e9', '--resume'],
    ['opencode', 'ses_dfcd089cdffe3Ox264x4HTNkN4', '--session'],
  ])(
    'a stand-in of %s that left no result continues its session there',
    async (client, session, option) => {
      // Called by a runner it prints what the real one printed once, and leaves nothing on its desk.
      const printed = fileURLToPath(new URL(`lines/${client}.complete.txt`, import.meta.url));
      const file = join(root, '.contracts/client.sh');
      writeFileSync(
        file,
        `[ "$1" = --version ] && echo 99.0.0 && exit
[ -t 1 ] || { cat '${printed}'; exit; }
for word; do [ "$word" = ${session} ] && echo "continues by $before"; before=$word; done
read -r _
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is there: seen\\n' > "$CONTRACTS_OUT/result.md"
`,
      );
      const run = JSON.stringify(['sh', file]);
      writeFileSync(
        join(root, '.contracts/config.yaml'),
        `adapters:\n  ${client}: { run: ${run} }\n`,
      );
      makeTask(client);
      const env = { HOME: join(root, 'home') };
      const first = await contracts(root, ['step'], [], { ...process.env, ...env });
      expect(first.stdout).toContain('ended and wrote no result');
      expect(stands('ready')).toBe(true);
      at = runInTerminal(root, ['delegate', 'task', '-i'], { env });
      await at.shows('Attempt 2: opening sh', `continues by ${option}`);
      at.press('Enter');
      expect(await at.ended()).toBe(0);
      expect(stands('done')).toBe(true);
    },
  );

  test('an agent that nobody can talk to is refused before anything is claimed', async () => {
    makeTask('speaks');
    at = runInTerminal(root, INTERACTIVE);
    expect(await at.ended()).toBe(2);
    expect(at.screen()).toContain('nobody can talk to builder in a terminal');
    expect(stands('ready')).toBe(true);
  });
});

test('without a terminal it is refused, and nothing is claimed', async () => {
  const { code, stderr } = await contracts(root, INTERACTIVE);
  expect(code).toBe(2);
  expect(stderr).toContain('--interactive opens a client, and this is not a terminal');
  expect(stderr).toContain('contracts delegate task');
  expect(stands('ready')).toBe(true);
  expect((await contracts(root, [...INTERACTIVE, '--json'])).code).toBe(2);
});
