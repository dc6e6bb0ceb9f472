/**
 * The questions that the command asks a person, in a real terminal: tmux types and reads the screen.
 * Without tmux it says so and is left out. That nothing is asked without a terminal: also here.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { saidHere } from '../support/command-room.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contractsIn } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of questions, because ${missing}`);

let root: string;
beforeEach(() => {
  root = sealedFolder('prompts');
  init(realDisk, root);
});

/** Without a terminal. */
function contracts(...argv: string[]): { code: number; out: string; err: string } {
  const { CI: _, ...env } = process.env;
  const run = contractsIn(root, argv, { env });
  return { code: run.status ?? -1, out: run.stdout, err: run.stderr };
}

const inTerminal = (argv: readonly string[], env: Record<string, string> = {}): Terminal =>
  runInTerminal(root, argv, { env });

async function notNow(at: Terminal): Promise<void> {
  await at.shows('Run now?');
  at.type('n');
}

const write = (path: string, text: string): void => putFile(join(root, path), text);

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const inState = (state: string): string[] =>
  readdirSync(join(root, 'active_tasks', state)).filter((name) => name !== '.gitkeep');

/** Everything in the workspace, to be compared. */
function tree(): string {
  const all = execFileSync('find', ['.', '-type', 'f', '-exec', 'cksum', '{}', '+'], { cwd: root });
  const folders = execFileSync('find', ['.', '-type', 'd'], { cwd: root });
  return `${all.toString()}${folders.toString()}`.split('\n').toSorted().join('\n');
}

/** An editor that does to the file what a line of sh says; MOCK of a person's own. */
function editor(name: string, script: string): string {
  write(`tools/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'tools', name), 0o755);
  return join(root, 'tools', name);
}

const CONTRACT = (title: string, head = ''): string =>
  `---\ntitle: ${title}\nadapter: human\n${head}---\n\n## Success Criteria\n\n- [ ] it is good\n`;

function asks(id: string, questions: string): void {
  write(`active_tasks/questions/${id}/contract.md`, CONTRACT('Choose well'));
  write(
    `active_tasks/questions/${id}/questions.md`,
    `## Questions\n\n${questions.replaceAll('\n', '\n\n### Answer\n\n')}`,
  );
}

/** `stuck`, with the form that the runner writes. */
function blockedTask(): void {
  write('active_tasks/blocked/stuck/contract.md', CONTRACT('Stuck'));
  const form = '## Resolution\n\n<!-- Write below\nthis line. -->\n';
  write('active_tasks/blocked/stuck/blocked.md', `# Blocked\n\nNo key.\n\n${form}`);
}

/** Comes to review by the runner itself, so that its person is asked. */
function handedIn(...ids: string[]): void {
  for (const id of ids) {
    write(
      `active_tasks/ready/${id}/contract.md`,
      CONTRACT(`Work of ${id}`, 'quality_gate: person\n'),
    );
  }
  contracts('step');
  for (const id of ids) {
    write(
      `active_tasks/in_progress/${id}/result.md`,
      '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is good\n\n## Deliverables\n\n- `story.md`\n',
    );
  }
  contracts('run');
  expect(inState('review')).toEqual(ids);
}

describe.runIf(missing === undefined)('at a terminal', () => {
  test('new: a walk of questions to a contract that is saved', async () => {
    const at = inTerminal(['new']);
    await at.answer('What do you want, in one line?', 'Say hello, "quoted" & 世界');
    await at.choose('What must hold at the end?', 'a command passes');
    await at.answer('Which command?', 'test -s hello.txt');
    await at.choose('What else must hold at the end?', 'a sentence is true');
    await at.answer('What must be true?', 'the file greets the world');
    await at.choose('What else must hold at the end?', 'nothing more');
    await at.answer('Do you want to approve it at the end?', '');
    await at.choose('Who does it?', 'shell');
    await at.answer('Which commands?', 'echo hello > hello.txt');
    await at.shows('title: Say hello, "quoted" & 世界', 'echo hello > hello.txt', 'What now?');
    expect(inState('draft')).toEqual([]);
    await at.choose('What now?', 'save');
    expect(await at.ended()).toBe(0);
    const [id = ''] = inState('draft');
    expect(at.screen()).toContain(`active_tasks/draft/${id}/contract.md`);
    const text = read(`active_tasks/draft/${id}/contract.md`);
    expect(text).toContain('- [ ] the file greets the world\n- [ ] `test -s hello.txt` passes\n');
    expect(text).toContain('quality_gate:\n  - person\n');
    expect(contracts('confirm', id).code).toBe(0);
    // A script ticks only what names a check; the person who approves judges the rest.
    expect(at.screen()).not.toContain('warning:');
  });

  test('new: Ctrl-C at the last question keeps the answers as a draft', async () => {
    const at = inTerminal(['new', 'Write a haiku', '--id', 'haiku']);
    await at.choose('What must hold at the end?', 'a sentence is true');
    await at.answer('What must be true?', 'it has 17 syllables');
    await at.choose('What else must hold at the end?', 'nothing more');
    await at.choose('Who does it?', 'human');
    await at.shows('What now?');
    at.press('C-c');
    expect(await at.ended()).toBe(130);
    expect(at.screen()).toContain('active_tasks/draft/haiku/contract.md');
    expect(at.screen()).toContain('Next: contracts confirm haiku');
    expect(read('active_tasks/draft/haiku/contract.md')).toContain('- [ ] it has 17 syllables');
  });

  test('new: a title alone asks for the rest; Enter takes the check that is shown; answers again', async () => {
    write('package.json', '{ "scripts": { "test": "true" } }');
    const at = inTerminal(['new', 'Write a haiku', '--id', 'haiku']);
    await at.choose('What must hold at the end?', 'a command passes');
    await at.answer('Which command?');
    await at.choose('What else must hold at the end?', 'nothing more');
    await at.answer('Do you want to approve it at the end?');
    await at.choose('Who does it?', 'human');
    await at.choose('What now?', 'answer the questions again');
    await at.choose('What must hold at the end?', 'a command passes');
    await at.answer('Which command?');
    await at.choose('What else must hold at the end?', 'nothing more');
    await at.answer('Do you want to approve it at the end?');
    await at.choose('Who does it?', 'host');
    await at.choose('What now?', 'save');
    expect(await at.ended()).toBe(0);
    expect(inState('draft')).toEqual(['haiku']);
    const text = read('active_tasks/draft/haiku/contract.md');
    expect(text).toContain('title: Write a haiku');
    expect(text).toContain('run: npm test');
    expect(text).toContain('adapter: host');
  });

  test('new: the default of the workspace stands first, then an installed client; one that is missing last', async () => {
    write('bin/codex', '#!/bin/sh\n');
    chmodSync(join(root, 'bin/codex'), 0o755);
    const path = `${join(root, 'bin')}:/usr/bin:/bin`;
    const other = inTerminal(['new', 'x'], { PATH: path });
    await other.choose('What must hold at the end?', 'nothing that can be checked');
    const screen = await other.shows('Who does it?', 'claude: claude');
    const order = [...screen.matchAll(/[●○] ([a-z]+): /g)].map(([, name]) => name);
    expect(order.slice(0, 2)).toEqual(['shell', 'codex']);
    expect(order.indexOf('claude')).toBeGreaterThan(order.indexOf('human'));
    other.press('C-c');
    expect(await other.ended()).toBe(130);
  });

  test('new: what was given by flags is not asked, and it can be confirmed at once', async () => {
    const at = inTerminal(['new', '--run', 'true', '--adapter', 'human']);
    await at.answer('What do you want, in one line?', 'Quick');
    await at.choose('What now?', 'confirm');
    expect(await at.ended()).toBe(0);
    expect(inState('ready')).toHaveLength(1);
    expect(inState('draft')).toEqual([]);
  });

  test('new: what keeps it a draft is shown once, with what to do', async () => {
    write(
      '.contracts/config.yaml',
      'adapters:\n  lost: { type: command, run: [no-such-program] }\n',
    );
    const at = inTerminal(['new', '--id', 'quick', '--run', 'true', '--adapter', 'lost']);
    await at.answer('What do you want, in one line?', 'Quick');
    await at.choose('What now?', 'confirm');
    expect(await at.ended()).toBe(2);
    expect(inState('draft')).toEqual(['quick']);
    expect(at.screen().match(/which\s+runs\s+builder,\s+is\s+not\s+installed/g)).toHaveLength(1);
    expect(at.screen()).toContain('then contracts confirm quick');
  });

  test('new: an empty title is asked again; thrown away, nothing is written', async () => {
    const before = tree();
    const at = inTerminal(['new', '--adapter', 'human', '--criterion', 'good']);
    await at.shows('What do you want');
    at.press('Enter');
    await at.shows('Enter some text.');
    await at.answer('What do you want', 'A thing');
    await at.choose('What now?', 'throw it away');
    expect(await at.ended()).toBe(0);
    expect(tree()).toBe(before);
  });

  test('answer: two questions, one after the other; those answered before are left', async () => {
    asks('choose', '1. Which colour?\n2. Which size?\n3. Which shape?\n');
    expect(contracts('answer', 'choose', '-q', '2', 'huge').code).toBe(0);
    const at = inTerminal(['answer']);
    await at.choose('Which task do you answer?', 'choose');
    await at.shows('Question 1 of 3: Which colour?');
    await at.answer('Your answer', 'red');
    await at.shows('Question 3 of 3: Which shape?');
    await at.answer('Your answer', 'round');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(at.screen()).not.toContain('Which size?');
    const text = read('active_tasks/questions/choose/questions.md');
    expect(text.match(/### Answer\n\n(\w+)/g)?.map((one) => one.split('\n').at(-1))).toEqual([
      'red',
      'huge',
      'round',
    ]);
  });

  /** Two tasks ask the same before the work, and one of them something else. */
  function askedBefore(): void {
    const mine = '{ type: command, run: [sh, .contracts/asks.sh] }';
    write('.contracts/config.yaml', `adapter: mine\nadapters:\n  mine: ${mine}\n`);
    write(
      '.contracts/asks.sh',
      `printf '## Questions\\n\\n1. Which currency?\\n' > "$CONTRACTS_OUT/questions.md"
[ "$CONTRACTS_TASK" = order ] || printf '2. Which printer?\\n\\n   - [ ] laser\\n   - [ ] ink\\n' >> "$CONTRACTS_OUT/questions.md"
`,
    );
    for (const id of ['bill', 'order'])
      write(
        `active_tasks/draft/${id}/contract.md`,
        CONTRACT(`The ${id}`).replace('adapter: human\n', ''),
      );
    contracts('ask');
    expect(inState('questions')).toEqual(['bill', 'order']);
  }
  const questionsOf = (id: string): string => read(`active_tasks/questions/${id}/questions.md`);

  test('review: what several tasks asked before the work is one form, equal ones once', async () => {
    askedBefore();
    const at = inTerminal(['review']);
    await at.choose('What now?', 'answer');
    await at.shows('Question 1 of 2: Which currency?', 'asked for bill, order');
    await at.answer('Your answer', 'Euro');
    await at.shows('Question 2 of 2: Which printer?');
    await at.choose('Your answer to: Which printer?', 'ink');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(at.screen()).not.toContain('2 of 2 that wait for you');
    expect(questionsOf('order')).toContain('Euro');
    expect(questionsOf('bill')).toMatch(/Euro[^]*Answer\n\nink/);
  });

  test('answer: Esc between two questions says what is answered, and what still waits', async () => {
    askedBefore();
    const at = inTerminal(['answer', 'bill']);
    await at.answer('Your answer', 'Euro');
    await at.shows('Your answer to: Which printer?');
    at.press('Escape');
    expect(await at.ended()).toBe(130);
    expect(at.screen()).toContain('Cancelled; 1 answered, 1 still open: contracts answer bill.');
  });

  test('answer: what somebody else has settled meanwhile is said, and the form goes on', async () => {
    askedBefore();
    const at = inTerminal(['answer', 'bill']);
    await at.shows('Question 1 of 2: Which currency?');
    expect(contracts('answer', 'bill', '-q', '1', 'Yen').code).toBe(0);
    await at.answer('Your answer', 'Euro');
    await at.shows('question 1 is already answered', 'Question 2 of 2: Which printer?');
    await at.choose('Your answer to: Which printer?', 'laser');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(questionsOf('bill')).toMatch(/Yen[^]*laser/);
    expect(questionsOf('bill')).not.toContain('Euro');
  });

  test('answer: Esc leaves what other tasks asked before the work', async () => {
    askedBefore();
    const at = inTerminal(['answer', 'order']);
    await at.answer('Your answer', 'Euro');
    await at.shows('1 more question of other tasks, asked before the work. Esc: not now.');
    await at.shows('Your answer to: Which printer?');
    at.press('Escape');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(questionsOf('order')).toContain('Euro');
    expect(questionsOf('bill')).not.toContain('Answer\n\nink');
  });

  test('approve and needs-work: chosen among those that wait, findings asked for', async () => {
    handedIn('first', 'second');
    const good = inTerminal(['approve']);
    await good.choose('Which task do you judge?', 'second');
    await notNow(good);
    expect(await good.ended()).toBe(0);
    const bad = inTerminal(['needs-work', 'first']);
    await bad.answer('What is wrong with it?', 'too short');
    await notNow(bad);
    expect(await bad.ended()).toBe(0);
    expect(read('active_tasks/review/second/review.md')).toContain('- [x] APPROVED');
    expect(read('active_tasks/review/first/review.md')).toMatch(/- \[x\] NEEDS_WORK[^]*too short/);
  });

  test('retry: asks which task, and for words', async () => {
    blockedTask();
    const at = inTerminal(['retry']);
    await at.choose('Which task do you try again?', 'stuck');
    await at.answer('How can it continue?', 'use the other key');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(read('active_tasks/blocked/stuck/blocked.md')).toContain('use the other key');
  });

  test.each([
    ['confirm', 'plain', 'draft → ready'],
    ['abort', 'plain', 'draft → aborted'],
    ['show', 'stuck', 'contracts retry'],
    ['logs', 'stuck', 'has printed nothing'],
    ['edit', 'plain', 'plain'],
  ])('%s: asks which task is meant', async (verb, choice, shown) => {
    blockedTask();
    write('active_tasks/draft/plain/contract.md', CONTRACT('Plain'));
    const at = inTerminal([verb], { EDITOR: 'true' });
    await at.choose('Which task?', choice);
    await at.ended();
    expect(at.screen()).toContain(shown);
  });

  test('note: asks which task, and for the message', async () => {
    blockedTask();
    const at = inTerminal(['note']);
    await at.choose('Which task is it about?', 'stuck');
    await at.answer('What must the next attempt know?', 'the key is in the safe');
    expect(await at.ended()).toBe(0);
    const [note = ''] = readdirSync(join(root, 'active_tasks/blocked/stuck/notes'));
    expect(read(`active_tasks/blocked/stuck/notes/${note}`)).toBe('the key is in the safe\n');
  });

  test('review: approves one, sends one back, edits one, answers, retries and confirms', async () => {
    handedIn('good', 'poor');
    asks('choose', '1. Which \u001b[2Jcolour?\n');
    blockedTask();
    write('active_tasks/draft/plain/contract.md', CONTRACT('Plain'));
    const EDITOR = editor(
      'ed it',
      'sed -i "s/^# .*/&/; s/No key/A key is missing/" "$2"; test "$1" = "a b"',
    );
    const at = inTerminal(['review'], { EDITOR: `"${EDITOR}" 'a b'` });
    await at.shows('Task 1 of 5 that wait for you.', 'Which \\x1b[2Jcolour?');
    await at.choose('What now?', 'answer');
    await at.answer('Your answer', 'red');
    await at.shows('2 of 5 that wait for you.', '[x] it is good', 'delivered', 'story.md');
    await at.choose('What now?', 'approve');
    await at.answer('Any words?', 'well told');
    await at.choose('What now?', 'needs work');
    await at.answer('What is wrong with it?', 'no end');
    const blocked = await at.shows('4 of 5 that wait for you.', 'No key.');
    expect(blocked).not.toMatch(/Write below|this line|-->/);
    await at.choose('What now?', 'open blocked.md in the editor');
    await at.shows('blocked.md is in order', 'A key is missing.');
    await at.choose('What now?', 'retry with words');
    await at.answer('How can it continue?', 'here it is');
    await at.shows('5 of 5 that wait for you.');
    await at.choose('What now?', 'show all');
    await at.shows('Success criteria');
    await at.choose('What now?', 'confirm');
    await at.shows('That was all.');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(read('active_tasks/review/good/review.md')).toMatch(/- \[x\] APPROVED[^]*well told/);
    expect(read('active_tasks/review/poor/review.md')).toMatch(/- \[x\] NEEDS_WORK[^]*no end/);
    expect(read('active_tasks/questions/choose/questions.md')).toContain('red');
    expect(read('active_tasks/blocked/stuck/blocked.md')).toContain('A key is missing');
    expect(read('active_tasks/blocked/stuck/blocked.md')).toContain('here it is');
    expect(inState('ready')).toEqual(['plain']);
  });

  test.each(['Escape', 'skip'])(
    'do: %s at the card of its review says what is next',
    async (how) => {
      const words = ['--sh', 'echo hi > hi.txt', '--deliverable', 'hi.txt', '--gate', 'person'];
      const at = inTerminal(['do', 'Say hi', ...words]);
      await at.shows('What now?');
      if (how === 'Escape') at.press('Escape');
      else await at.choose('What now?', 'skip');
      await at.shows('It waits in review. Next: contracts review');
      expect(await at.ended()).toBe(1);
    },
  );

  test('review: Esc in a question comes back to the card, and the run at its end does what was said', async () => {
    handedIn('one');
    const at = inTerminal(['review']);
    await at.choose('What now?', 'approve');
    await at.shows('Any words?');
    at.press('Escape');
    await at.shows('What now? one, ');
    await at.choose('What now?', 'approve');
    await at.answer('Any words?');
    await at.shows('Run now?');
    at.press('Enter');
    await at.shows('1 task done: one.');
    expect(await at.ended()).toBe(0);
    expect(inState('done')).toEqual(['one']);
  });

  test('answer: several in one text, each behind its number; another form answers the first', () => {
    const asked = '## Questions\n\n1. Which currency?\n2. Which year?\n';
    for (const id of ['one', 'two']) {
      write(`active_tasks/questions/${id}/contract.md`, CONTRACT('Money'));
      write(`active_tasks/questions/${id}/questions.md`, asked);
    }
    const both = contracts('answer', 'two', '1. EUR\n2) In 2024.');
    expect([both.code, both.out]).toEqual([
      0,
      expect.stringContaining('took "In 2024." as the answer to 2'),
    ]);
    expect(read('active_tasks/questions/two/questions.md')).toMatch(
      /currency\?\s+### Answer\s+EUR\s+2\. Which year\?\s+### Answer\s+In 2024\./,
    );
    const first = contracts('answer', 'one', 'EUR');
    expect(first.out + first.err).toContain('1 still open, 2: Which year?');
  });

  test('approve: Esc at "Run now?" keeps the verdict, and says what is next', async () => {
    handedIn('one');
    const at = inTerminal(['approve', 'one']);
    await at.shows('Run now?');
    at.press('Escape');
    await at.shows('Next: contracts run');
    expect(await at.ended()).toBe(0);
    expect(read('active_tasks/review/one/review.md')).toContain('- [x] APPROVED');
  });

  test('approve: no call is announced for work that is approved, only for what a run calls', async () => {
    write(
      '.contracts/config.yaml',
      'adapter: claude\nadapters: { claude: { run: [sh, .contracts/agent.sh] } }\nagents: { other: { adapter: claude } }\n',
    );
    const say = (line: object): string => `printf '%s\\n' '${JSON.stringify(line)}'\n`;
    write(
      '.contracts/agent.sh',
      `printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is good\\n' > "$CONTRACTS_OUT/result.md"\n${say({ type: 'system', subtype: 'init', session_id: 's-1' })}${say({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', session_id: 's-1' })}`,
    );
    const head = 'agent: other\nquality_gate: person\n';
    for (const id of ['one', 'two']) {
      const text = CONTRACT(id, head).replace('adapter: human\n', '');
      write(`active_tasks/ready/${id}/contract.md`, text);
    }
    contracts('run', '--trust');
    expect(inState('review')).toEqual(['one', 'two']);
    const at = inTerminal(['approve', 'one']);
    await at.shows('Run now?');
    expect(at.screen()).not.toContain('works');
    at.press('Escape');
    await at.ended();
    contracts('needs-work', 'two', 'More.');
    const again = inTerminal(['approve', 'one']);
    await again.shows('other (claude) works', 'Run now?');
    expect(again.screen()).not.toContain('wait for others');
    again.press('Escape');
    await again.ended();
  });

  test('approve: calls that may follow are announced, too', async () => {
    write(
      '.contracts/config.yaml',
      'adapter: claude\nadapters: { claude: { run: [sh, -c, exit 1] } }\n',
    );
    handedIn('first');
    const later = CONTRACT('Later', 'depends_on: [first]\n').replace('adapter: human\n', '');
    write('active_tasks/ready/later/contract.md', later);
    const at = inTerminal(['approve', 'first']);
    await at.shows(
      'Of those that wait for others, once they may:',
      'builder (claude) works',
      'Run now?',
    );
    at.press('Escape');
    await at.ended();
  });

  test('review: a checkpoint that is blocked is decided where it stands', async () => {
    blockedTask();
    const head = 'type: checkpoint\nagent: po\n';
    write('active_tasks/blocked/stuck/contract.md', CONTRACT('Stuck', head));
    const at = inTerminal(['review']);
    await at.shows('One waits for you.', 'No key.');
    await at.choose('What now?', 'answer');
    await at.choose('How should the plan continue?', 'PAUSE');
    await at.shows('That was all.');
    await at.shows('Next: contracts status');
    expect(await at.ended()).toBe(0);
    expect(inState('blocked')).toEqual([]);
    expect(read('active_tasks/questions/stuck/questions.md')).toContain('- [x] PAUSE');
  });

  test('review: keys pressed before a card is shown, and one Enter too many, judge nothing', async () => {
    handedIn('one', 'two');
    const at = inTerminal(['review']);
    await at.shows('1 of 2 that wait for you.', 'What now?');
    at.press('Down', 'Enter', 'Down', 'Enter', 'Enter');
    await at.answer('Any words?');
    await at.shows('2 of 2 that wait for you.');
    await at.choose('What now?', 'skip');
    await at.shows('That was all. 1 still waits: contracts review.');
    await notNow(at);
    expect(await at.ended()).toBe(0);
    expect(read('active_tasks/review/one/review.md')).toContain('- [x] APPROVED');
    expect(read('active_tasks/review/two/review.md')).not.toMatch(/\[x\] [A-Z]{4}/);
  });

  test('review: the card has what the approval lets into later briefs, on one line each', async () => {
    handedIn('one');
    const result = read('active_tasks/review/one/result.md');
    const learnings = '## Learnings\n\n- [correction] Ask once\n- [insight] \u001b[2J Gone\n';
    write('active_tasks/review/one/result.md', `${result}\n${learnings}`);
    const at = inTerminal(['review']);
    await at.shows('teaches    [correction] Ask once', 'teaches    [insight] \\x1b[2J Gone');
    await at.choose('What now?', 'stop');
    await at.shows('Stopped. 1 still waits: contracts review.');
    expect(await at.ended()).toBe(0);
    expect(at.screen()).not.toContain('contracts run');
  });

  test('review: a letter shows the diff, takes a comment, runs the checks, opens folder and shell', async () => {
    execFileSync('git', ['init', '-q'], { cwd: root });
    write('story.txt', 'once\n');
    const verify = 'verify: ["run: grep -q twice story.txt && echo fine"]\nquality_gate: person\n';
    write('active_tasks/ready/told/contract.md', CONTRACT('Tell it', verify));
    contracts('step', '--trust');
    write('story.txt', 'once\ntwice\n');
    const done = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is good\n';
    write('active_tasks/in_progress/told/result.md', done);
    contracts('run', '--trust');
    const EDITOR = editor(
      'ed',
      'if [ -d "$1" ]; then echo "folder $1"; else printf "story.txt:2: once more\\nstory.txt:9: x\\n" >> "$1"; fi',
    );
    const pager = editor('pager', 'echo PAGED; cat');
    const at = inTerminal(['review'], { EDITOR, GIT_PAGER: pager, SHELL: editor('sh', 'pwd') });
    await at.shows('story.txt (+1 −0)', '● skip');
    await at.key('What now?', 'd');
    await at.shows('PAGED', '+twice');
    await at.key('What now?', 'v');
    await at.shows('v: run the checks again\npassed run: grep -q twice story.txt && echo fine');
    await at.key('What now?', 'e');
    await at.shows(`folder ${root}`);
    await at.key('What now?', 's');
    await at.shows(`A shell in ${root}`);
    await at.key('What now?', 'c');
    await at.shows(
      'review.md is in order',
      'story.txt has 2 lines; no line 9. Your words are kept',
    );
    await at.shows('1 comment at a line goes to the next attempt.');
    await at.key('What now?', 'd');
    await at.choose('What now?', 'stop');
    expect(await at.ended()).toBe(0);
    expect(read('active_tasks/review/told/review.md')).toContain('story.txt:2: once more');
    expect(read('active_tasks/review/told/review.md')).not.toContain('[x] APPROVED');
  });

  /** A script that a person judges, outside of a repository. */
  function made(id: string, ...script: string[]): void {
    const head = 'verify: ["run: true"]\nquality_gate: person\n';
    const text = CONTRACT('Make it', head).replace('adapter: human', 'adapter: shell');
    const steps = `\n## Steps\n\n~~~sh\n${script.join('\n')}\n~~~\n`;
    write(`active_tasks/ready/${id}/contract.md`, text + steps);
    contracts('run', '--trust');
  }

  test('review: outside of git the diff has new files as added lines, and says why others have none', async () => {
    write('old.txt', 'once\n');
    made(
      'told',
      "printf 'one\\n\\ntwo' > new.txt; printf 'a\\0b' > bytes.bin; : > empty.txt; mkdir -p d; ln -s ../new.txt d/link",
      'head -c 5000000 /dev/zero > large.bin; echo twice >> old.txt; touch .gone',
    );
    rmSync(join(root, '.gone'));
    const at = inTerminal(['review'], { GIT_PAGER: editor('pager', 'cat; echo PAGED') });
    await at.key('What now?', 'd');
    const screen = await at.shows('PAGED');
    const shown = screen.slice(screen.indexOf('.gone is new'), screen.indexOf('PAGED'));
    expect(shown.trimEnd().replace(/ +$/gm, '')).toBe(
      `.gone is new, and is not there any more.
bytes.bin is new, and binary.
d/link is new, and not a file.
diff --git a/empty.txt b/empty.txt
new file
large.bin is new, and too large to be shown.
diff --git a/new.txt b/new.txt
new file
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,3 @@
+one
+
+two
\\ No newline at end of file
old.txt was there before, and only a git repository keeps what was in it (git init, before the next attempt).`,
    );
    await at.choose('What now?', 'stop');
    expect(await at.ended()).toBe(0);
  });

  test('review: what an attempt made and a later one changed is still new', async () => {
    made('told', 'echo "$(ls new.txt 2>/dev/null)x" >> new.txt');
    contracts('needs-work', 'told', 'again');
    contracts('run', '--trust');
    const at = inTerminal(['review'], { GIT_PAGER: editor('pager', 'cat; echo PAGED') });
    await at.key('What now?', 'd');
    const screen = await at.shows('PAGED');
    expect(screen).toContain('@@ -0,0 +1,2 @@\n+x\n+new.txtx\nPAGED');
  });

  test('review: Esc after a short diff comes back to the card; the next one, or Ctrl-C, ends the walk', async () => {
    made('told', 'echo x > new.txt');
    const marks = (text: string): number => text.split('■  What now?').length - 1;
    const looked = async () => {
      const at = inTerminal(['review'], { GIT_PAGER: editor('pager', 'cat; echo PAGED') });
      await at.key('What now?', 'd');
      await at.shows('PAGED', '◆  What now?');
      return at;
    };
    const at = await looked();
    at.press('Escape');
    const again = await at.shows('■  What now?');
    expect(marks(again)).toBe(1);
    await at.choose('What now?', 'show all');
    await at.shows('Success criteria', '◆  What now?');
    at.press('Escape');
    await until('a second mark', () => (marks(at.screen()) === 2 ? true : undefined), at.screen);
    await at.shows('◆  What now?');
    at.press('Escape');
    expect(await at.ended()).toBe(130);
    const other = await looked();
    other.press('C-c');
    expect(await other.ended()).toBe(130);
  });

  test('review: skips, stops, and leaves what was not looked at', async () => {
    for (const id of ['a', 'b', 'c']) write(`active_tasks/draft/${id}/contract.md`, CONTRACT(id));
    const before = tree();
    const at = inTerminal(['review']);
    await at.choose('What now?', 'skip');
    await at.shows('2 of 3 that wait for you.');
    await at.choose('What now?', 'stop');
    expect(await at.ended()).toBe(0);
    expect(tree()).toBe(before);
  });

  test('review: an editor that fails, and none, are said, and the walk goes on', async () => {
    write('active_tasks/draft/one/contract.md', CONTRACT('One'));
    editor('vi', 'echo "vi opened $1"');
    const git = inTerminal(['review'], {
      PATH: join(root, 'tools'),
      EDITOR: 'false',
      GIT_EDITOR: 'vi',
    });
    await git.choose('What now?', 'open contract.md in the editor');
    await git.shows('vi opened');
    await git.choose('What now?', 'stop');
    const vi = inTerminal(['review'], { PATH: join(root, 'tools') });
    await vi.choose('What now?', 'open contract.md in the editor');
    await vi.shows('vi opened');
    await vi.choose('What now?', 'stop');
    const none = inTerminal(['review'], { PATH: '/nowhere' });
    await none.choose('What now?', 'open contract.md in the editor');
    await none.shows('no editor is set', 'VISUAL or EDITOR');
    await none.choose('What now?', 'stop');
    expect(await none.ended()).toBe(0);
    const fails = inTerminal(['review'], { EDITOR: 'false' });
    await fails.choose('What now?', 'open contract.md in the editor');
    await fails.shows('fault: the editor false ended with code 1.');
    await fails.choose('What now?', 'skip');
    expect(await fails.ended()).toBe(0);
  });

  test('edit: what was saved is checked, and opened again until it can be read', async () => {
    write('active_tasks/draft/one/contract.md', CONTRACT('One'));
    // Breaks the file the first time, mends it the second.
    const VISUAL = editor(
      'visual',
      'grep -q "^adapter: 5" "$1" && s=human || s=5; sed -i "s/^adapter: .*/adapter: $s/" "$1"',
    );
    const at = inTerminal(['edit', 'one'], { VISUAL, EDITOR: 'false' });
    await at.shows('active_tasks/draft/one/contract.md:3:', 'error:');
    await at.answer('Open it again?');
    await at.shows('contract.md is in order');
    expect(await at.ended()).toBe(0);
    const left = inTerminal(['edit', 'one'], { VISUAL });
    await left.shows('Open it again?');
    left.type('n');
    expect(await left.ended()).toBe(1);
  });

  test('Ctrl-C in a question changes nothing and ends with 130', async () => {
    handedIn('judge');
    asks('choose', '1. Which colour?\n');
    const before = tree();
    const ways: readonly (readonly [readonly string[], string])[] = [
      [['new'], 'What do you want'],
      [['answer', 'choose'], 'Your answer'],
      [['approve'], 'Which task do you judge?'],
      [['reject', 'judge'], 'What is wrong with it?'],
      [['review'], 'What now?'],
    ];
    const opened = ways.map(([argv, question]) => ({ at: inTerminal(argv), argv, question }));
    for (const { at, argv, question } of opened) {
      await at.shows(question);
      at.press('C-c');
      expect(await at.ended(), argv.join(' ')).toBe(130);
      expect(at.screen()).toContain('Cancelled; the command was not completed.');
      // No choice stands below the question as if it were taken.
      if (argv[0] === 'review') expect(at.screen()).toMatch(/^■ +What now\?.*\n│ *\n│ *\n/m);
    }
    const esc = inTerminal(['review']);
    await esc.shows('What now?');
    esc.press('Down', 'Escape');
    expect(await esc.ended()).toBe(130);
    expect(esc.screen()).toMatch(/^■ +What now\?.*\n│ *\n│ *\n/m);
    expect(tree()).toBe(before);
  });

  test('edit runs the editor without a shell, and says how it ended', async () => {
    write('active_tasks/draft/one/contract.md', CONTRACT('One'));
    const keep = editor('keep', 'printf "%s\\n" "$@" > args');
    const EDITOR = `${keep} '$(touch hacked)' ";" a\\ b`;
    expect(await inTerminal(['edit', 'one'], { EDITOR }).ended()).toBe(0);
    expect(read('args')).toBe(
      `$(touch hacked)\n;\na b\n${join(root, 'active_tasks/draft/one/contract.md')}\n`,
    );
    expect(existsSync(join(root, 'hacked'))).toBe(false);
    const ways: [string, number, string][] = [
      ['false', 3, 'fault: the editor false ended with code 1.'],
      ['no-such-editor-xyz', 3, 'the editor no-such-editor-xyz cannot be started'],
      ['vi "', 2, 'the command of the editor cannot be read'],
    ];
    for (const [other, code, words] of ways) {
      const at = inTerminal(['edit', 'one'], { EDITOR: other });
      await at.shows(words);
      expect(await at.ended()).toBe(code);
    }
    const breaks = inTerminal(['edit', 'one', 'contract.md'], {
      EDITOR: editor('breaks', 'echo "---" > "$1"'),
    });
    await breaks.shows('active_tasks/draft/one/contract.md:', 'Open it again?');
    breaks.press('C-c');
    await breaks.shows('Cancelled');
    expect(breaks.screen()).toMatch(/Open it again\?\n\s*\n│\n/);
    expect(await breaks.ended()).toBe(130);
  });

  test('in a CI, with --json or on a dumb terminal nothing is asked', async () => {
    const opened = [
      inTerminal(['new'], { CI: '1' }),
      inTerminal(['new', '--json']),
      inTerminal(['new'], { TERM: 'dumb' }),
    ];
    for (const at of opened) {
      expect(await at.ended()).toBe(2);
      expect(at.screen()).toContain('there is nothing to write');
    }
  });
});

describe('without a terminal', () => {
  test.each([
    [['new'], 'contracts new "What you want"'],
    [['answer'], 'contracts answer ID "Use PostgreSQL"'],
    [['answer', 'x'], 'contracts answer ID "Use PostgreSQL"'],
    [['approve'], 'contracts approve ID'],
    [['reject'], 'contracts reject ID "The tests are missing"'],
  ])('%j is refused with the whole command', async (argv, words) => {
    const { code, out, err } = await saidHere(['-C', root, ...argv]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });

  test('review lists what waits, each with its command, and ends with 1', () => {
    expect(contracts('review')).toEqual({ code: 0, out: 'Nothing waits for you.\n', err: '' });
    asks('choose', '1. Which \u001b[2Jcolour?\n');
    write('active_tasks/draft/plain/contract.md', CONTRACT('Plain'));
    const said = contracts('review');
    expect(said.code).toBe(1);
    expect(said.out).toMatch(
      /^questions {3}choose .*\n.*\\x1b\[2Jcolour\?.*→ contracts answer choose/,
    );
    expect(said.out).toMatch(/^draft .*plain .*\n.*→ contracts confirm plain$/m);
    expect(contracts('review', 'pl').out).not.toContain('choose');
  });

  test('edit opens nothing where no terminal is, and names the file', () => {
    write('active_tasks/draft/one/contract.md', CONTRACT('One'));
    process.env['EDITOR'] = editor('opened', 'touch opened');
    try {
      const said = contracts('edit', 'one');
      expect(said.code).toBe(2);
      expect(said.err).toContain('an editor needs a terminal, and this is none');
      expect(said.err).toContain('active_tasks/draft/one/contract.md; then contracts check one');
      expect(existsSync(join(root, 'opened'))).toBe(false);
      expect(contracts('edit', 'one', 'review').err).toContain('this task has no review.md');
      expect(contracts('edit', 'one', 'secrets').err).toContain('there is no file of this name');
    } finally {
      delete process.env['EDITOR'];
    }
  });
});
