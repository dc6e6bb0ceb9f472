/**
 * A round of questions before the work: what it may not do, and what becomes of one that was cut short, of a task that
 * a person moves meanwhile, and of questions beyond the limit. The process room is a MOCK.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { askRound, tasksToAsk } from '../../src/engine/commands/ask-round.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { answer } from '../../src/engine/commands/write-words.ts';
import { QUESTION } from '../../src/task/text/documents/confirmation.ts';
import { questionForm } from '../../src/engine/queries/same-questions.ts';
import { run } from '../../src/engine/step/run.ts';
import { step } from '../../src/engine/step/step.ts';
import { firstQuestions, quotingNone, saysNone } from '../../src/task/text/documents/questions.ts';
import { parseQuestions } from '../../src/task/text/documents/documents.ts';
import { readTask } from '../../src/workspace/tasks/read-task.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { locate } from '../../src/task/store/tasks/tasks.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent('questions_max: 0\nretries_max: 0\n');
});

const task = (state: State, id: string, more = ''): void =>
  world.write(
    `active_tasks/${state}/${id}/contract.md`,
    `---\ntitle: ${id}\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
const at = (path: string): string => join(world.root, 'active_tasks', path);
const asks = (desk: string, text: string): void => writeFileSync(join(desk, 'questions.md'), text);
const ONE = '## Questions\n\n1. Which one?\n';

/** How each attempt of a task ended, with the state in which it stands. */
function story(ws: Parameters<typeof readTask>[0], state: State, id: string) {
  const { attempts } = readTask(ws, state, id) ?? { attempts: [] };
  return attempts.map(({ kind, lost, outcome }) =>
    lost ? 'lost' : `${kind} ${outcome?.outcome} ${outcome?.code}`,
  );
}

test('a round uses up neither a round of questions nor a try, and no rest is left (MOCK room)', async () => {
  task('ready', 'one');
  task('draft', 'sketch');
  const { ws } = world.process({
    script: ({ desk, kind }) => {
      if (kind === 'ask') asks(desk, ONE);
      else writeFileSync(join(desk, 'result.md'), '- Status: COMPLETE\n\n- [x] it is there\n');
      return 0;
    },
  });
  const { ends } = await askRound(ws, {}, {});
  expect([...ends.values()].map(({ outcome }) => outcome)).toEqual(['questions', 'questions']);
  expect(['one', 'sketch'].map((id) => existsSync(at(`questions/${id}`)))).toEqual([true, true]);
  for (const id of ['one', 'sketch']) {
    const path = at(`questions/${id}/questions.md`);
    writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\n\nThe first.\n`);
  }
  await step(ws);
  expect(existsSync(at('draft/sketch'))).toBe(true);
  // Asked about this very contract already.
  expect([...tasksToAsk(ws, {}).keys()]).toEqual([]);
  await run(ws);
  expect(existsSync(at('draft/sketch'))).toBe(true);
  expect(story(ws, 'review', 'one').slice(0, 2)).toEqual([
    'ask questions questions',
    'work complete unchanged',
  ]);
});

test('what was cut short is put away with what it was refused, and nobody is called again for it (MOCK room)', async () => {
  task('draft', 'sketch');
  const refused = { client: 'claude', verdict: 'deny', tool: 'Write', why: 'not yours' };
  const never = new Promise<number>(() => undefined);
  let calls = 0;
  const began = new Promise<void>((resolve) => {
    const first = world.process({
      script: ({ desk }) => {
        calls++;
        writeFileSync(join(desk, 'hook.log'), `${JSON.stringify(refused)}\n`);
        resolve();
        return never;
      },
    });
    void askRound(first.ws, {}, {}).catch(() => undefined);
  });
  await began;
  const { ws } = world.process({ script: () => calls++ });
  await step(ws);
  expect(calls).toBe(1);
  expect(story(ws, 'draft', 'sketch').at(-1)).toBe('ask interrupted round_cut_short');
  const { attempts = [] } = readTask(ws, 'draft', 'sketch') ?? {};
  expect(attempts.at(-1)?.outcome?.denied).toEqual(['Write: not yours']);
  expect([...tasksToAsk(ws, {}).keys()]).toEqual(['sketch']);
});

test('a person who confirms a draft that is being asked is heard (MOCK room)', async () => {
  task('draft', 'sketch');
  const { ws } = world.process({
    script: ({ desk }) => {
      renameSync(at('draft/sketch'), at('ready/sketch'));
      asks(desk, ONE);
      return 0;
    },
  });
  await askRound(ws, {}, {});
  expect(existsSync(at('ready/sketch'))).toBe(true);
  expect(story(ws, 'ready', 'sketch')).toEqual(['ask interrupted moved_by_hand']);
});

test('a change, silence and a result make no round, and none is tried again by itself (MOCK room)', async () => {
  for (const id of ['writes', 'silent', 'works', 'fails']) task('ready', id);
  const { ws } = world.process({
    script: ({ task: id, desk }) => {
      if (id === 'writes') world.write('made.txt', 'early\n');
      if (id === 'writes') asks(desk, 'No questions.\n');
      if (id === 'works') writeFileSync(join(desk, 'result.md'), '- Status: COMPLETE\n');
      return id === 'fails' ? 3 : 0;
    },
  });
  const { ends } = await askRound(ws, {}, { parallel: 1 });
  const codes = [...ends].map(([id, { outcome, code }]) => `${id} ${outcome} ${code}`).sort();
  expect(codes).toEqual([
    'fails interrupted exit_code',
    'silent interrupted no_word',
    'works interrupted no_word',
    'writes interrupted not_read_only',
  ]);
  expect(existsSync(at('ready/works/result.md'))).toBe(false);
});

test('of five questions three are asked; the rest stays on the desk', () => {
  const text = `# Q\n\n## Questions\n\n${[1, 2, 3, 4, 5].map((n) => `${n}. Which of ${n}?\n\n   - [ ] a\n   - [ ] b\n`).join('\n')}\n## What Is Unclear\n\nMuch.\n`;
  const kept = parseQuestions(firstQuestions(text, 3));
  expect(kept.questions.map(({ number, options }) => [number, options])).toEqual([
    [1, ['a', 'b']],
    [2, ['a', 'b']],
    [3, ['a', 'b']],
  ]);
  expect(kept.unclear).toBe('Much.');
  expect(firstQuestions(text, 5)).toBe(text);
  expect(['No questions.\n', '# Q\n\n**No questions**\n'].map(saysNone)).toEqual([true, true]);
  const other = [
    '',
    '1. No questions asked?\n',
    'No questions about the style.\n\n1. Tell me which one.\n',
    'No questions.\n\n1. Tell me the colour.\n',
    'No questions.\nTell me the port, please. I assume 80.\n',
  ];
  expect(other.filter(saysNone)).toEqual([]);
  expect(saysNone('# Q\n\nNo questions.\n\n## What I Understood\n\nAll of it.\n')).toBe(true);
  const FREE = [
    'None.',
    '- None',
    'Keine Fragen.',
    'I have no questions.',
    'There are no questions!',
  ];
  for (const words of FREE) {
    const alone = [`${words}\n`, `# Q\n\n## Questions\n\n${words}\n\n## Notes\n\nMuch.\n`];
    expect(alone.map(saysNone), words).toEqual([true, true]);
    expect(alone.flatMap((one) => parseQuestions(one).questions)).toEqual([]);
    const more = [`${words}\n\nBut tell me the port.\n`, `## Questions\n\n${words}\n- the port\n`];
    expect(more.filter(saysNone), words).toEqual([]);
    expect(more.filter((one) => parseQuestions(one).questions.length === 0)).toEqual([]);
  }
  const asking = 'No questions.\n\n## Questions\n\nPlease tell me the port\n';
  expect(saysNone(asking)).toBe(false);
  expect(parseQuestions(asking).questions).toMatchObject([{ text: 'Please tell me the port' }]);
  expect(saysNone('# Questions\n\nNo questions.\n\n## Notes\n\nI looked.\n')).toBe(true);
  const fenced = '## Questions\n\n1. a?\n2. b?\n3. c?\n\n   ```sh\n   # d\n   ```\n';
  expect(firstQuestions(fenced, 2)).toBe('## Questions\n\n1. a?\n2. b?\n');
  const crlf = '## Questions\r\n\r\n1. Red?\r\n2. Blue?\r\n3. c?\r\n4. d?\r\n';
  expect(firstQuestions(crlf, 3)).toBe('## Questions\r\n\r\n1. Red?\r\n2. Blue?\r\n3. c?\r\n');
});

test('a question that names no line of its contract is counted (MOCK room)', async () => {
  const contract = '## Success Criteria\n\n- [ ] Orders are **kept**\n- [ ] it is there\n';
  const text = (...quotes: string[]): string =>
    quotes.map((quote, at) => `${at + 1}. Which?\n\n${quote}\n`).join('\n');
  expect(quotingNone(text('   > - [ ] orders are\n   > kept'), contract)).toEqual([]);
  const some = text('   > It is there', '   > It was there', '   >', '');
  expect(quotingNone(some, contract)).toEqual([2, 3, 4]);
  task('draft', 'one');
  const { ws } = world.process({ script: ({ desk }) => (asks(desk, ONE), 0) });
  const { ends } = await askRound(ws, {}, {});
  expect(ends.get('one')?.reason).toMatch(/; question 1 quotes no line of the contract$/);
});

test('the form has each question once, and those from the midst of the work apart (MOCK room)', async () => {
  world.agent('questions_max: 1\n');
  for (const id of ['a', 'b', 'c']) task('ready', id);
  const { ws } = world.process({
    script: ({ desk, task: id }) => {
      const boxes = id === 'a' ? '2. Which size?\n\n   - [ ] big\n   - [ ] small\n' : '';
      asks(desk, `${ONE}${boxes}`);
      return 0;
    },
  });
  await askRound(ws, { ids: ['a', 'b'] }, {});
  await run(ws);
  const of = (id: string, number = 1, attempt = 1) => ({ id, number, attempt });
  expect(questionForm(ws)).toEqual([
    { text: 'Which one?', before: true, of: [of('a'), of('b')] },
    { text: 'Which size?', options: ['big', 'small'], before: true, of: [of('a', 2)] },
    { text: 'Which one?', before: false, of: [of('c')] },
  ]);
});

test('of what else is on the desk nothing is taken (MOCK room)', async () => {
  world.write('.contracts/agents/keeper.md', '---\nname: keeper\nwrite: ["**"]\n---\n\nKeeps.\n');
  task('ready', 'one', 'agent: keeper\n');
  const { ws } = world.process({
    script: ({ desk }) => {
      asks(desk, ONE);
      mkdirSync(join(desk, 'documents/plans/p'), { recursive: true });
      writeFileSync(join(desk, 'documents/plans/p/plan.md'), '# P\n\n- [ ] Do it\n');
      mkdirSync(join(desk, 'children'));
      writeFileSync(join(desk, 'children/more.md'), '---\ntitle: More\n---\n');
      return 0;
    },
  });
  await askRound(ws, {}, {});
  expect(existsSync(at('questions/one/questions.md'))).toBe(true);
  expect(existsSync(join(world.root, '.contracts/plans/p'))).toBe(false);
  expect(readdirSync(at('draft')).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('a script is not asked: its call would be the work', async () => {
  world.write(
    'active_tasks/draft/sh/contract.md',
    '---\ntitle: sh\nadapter: shell\n---\n\n## Steps\n\n```sh\ntouch made\n```\n\n## Success Criteria\n\n- [ ] it is there\n',
  );
  let calls = 0;
  const { ws } = world.process({ script: () => calls++ });
  const { ends, report } = await askRound(ws, {}, {});
  expect([calls, ends.size, report.waiting.map(({ code }) => code)]).toEqual([0, 0, ['not_asked']]);
});

test('an open question holds the task wherever it is moved, and a lost record confirms nothing (MOCK room)', async () => {
  for (const id of ['one', 'lost']) task('draft', id);
  let work = 0;
  const { ws } = world.process({
    script: ({ desk, kind }) => {
      if (kind === 'work') work++;
      else asks(desk, ONE);
      return 0;
    },
  });
  await askRound(ws, {}, {});
  renameSync(at('questions/one'), at('ready/one'));
  rmSync(at('questions/lost/attempts/0001/owner.md'));
  const path = at('questions/lost/questions.md');
  writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\n\nRed.\n`);
  const { waiting } = await run(ws);
  expect(work).toBe(0);
  expect(waiting.map(({ task: id, code }) => `${id} ${code}`).sort()).toEqual([
    'lost unconfirmed',
    'one unanswered',
  ]);
});

test.each([
  ['Which one?', 'which  ONE', true],
  ['Is it C++?', 'Is it C#?', false],
  ['Age > 30?', 'Age < 30?', false],
  ['Which?\n\n   > Orders are kept.', 'Which?\n\n   > Orders are counted.', true],
  ['Which?\n\n   - [ ] a\n   - [ ] b', 'Which?\n\n   - [ ] a\n   - [ ] c', false],
  ['???', '!?', false],
  ['Is “PostgreSQL” right?', 'is **PostgreSQL** right', true],
  ['May I delete /data?', 'May I delete ./data?', false],
  ['May I delete *.md?', 'May I delete .md?', false],
  ['May I delete `.`?', 'May I delete `..`?', false],
  ['May I delete .?', 'May I delete ..?', false],
  ['May I delete ** here?', 'May I delete .. here?', false],
  ['May I delete src/**/*.md?', 'May I delete src//*.md?', false],
  ['May I delete src/**?', 'May I delete src/?', false],
  ['May I delete ../..?', 'May I delete ../?', false],
  ['May I delete __init__.py?', 'May I delete init.py?', false],
  ['May I delete `README`?', 'May I delete `readme`?', false],
  ['May I delete the `api` folder?', 'may I delete the api folder', true],
  ['Is the limit 2**10 bytes?', 'Is the limit 210 bytes?', false],
  ['Is the limit 2 ** 10 bytes?', 'Is the limit 2 10 bytes?', false],
  ['Is `!` the mark?', 'Is `?` the mark?', false],
  ['Is "!" the mark?', 'Is "?" the mark?', false],
  ['Is **it** (done), or not?', 'is it (done) or not', true],
  ['Run this?\n\n       # clean\n       rm -r a', 'Run this?\n\n       # clean rm -r a', false],
  [
    'Run this?\n\n   ```sh\n   # clean\n   rm -r a\n   ```',
    'Run this?\n\n   ```sh\n   # clean\n   rm -r /\n   ```',
    false,
  ],
  [
    'Run this?\n\n   ```sh\n   # clean\n   rm -r a\n   ```',
    'Run this?\n\n   ```sh\n   # clean rm -r a\n   ```',
    false,
  ],
  [
    'Run this?\n\n   ```sh\n   > git status\n   ```',
    'Run this?\n\n   ```sh\n   > git push\n   ```',
    false,
  ],
])('%s and %s (MOCK room)', async (first, second, same) => {
  for (const id of ['a', 'b']) task('draft', id);
  const text = (words: string): string => `## Questions\n\n1. ${words}\n`;
  const { ws } = world.process({
    script: ({ task: id, desk }) => {
      asks(desk, text(id === 'a' ? first : second));
      return 0;
    },
  });
  await askRound(ws, {}, {});
  const said = answer(ws, 'a', 'This.');
  expect(said.ok && (said.value.also ?? [])).toEqual(same ? ['b'] : []);
});

test('questions that a dead runner had recorded are asked, without another call (MOCK room)', async () => {
  task('draft', 'sketch');
  let calls = 0;
  const script = ({ desk }: { desk: string }): number => {
    calls++;
    asks(desk, ONE);
    return 0;
  };
  // The power goes between the record and the move.
  const rename: Disk['rename'] = (from, to) => {
    if (to === at('questions/sketch')) throw new Error('the power went');
    realDisk.rename(from, to);
  };
  const first = world.process({ script, disk: { ...realDisk, rename } });
  await expect(askRound(first.ws, {}, {})).rejects.toThrow('the power went');
  expect(story(first.ws, 'draft', 'sketch')).toEqual(['ask questions questions']);
  const { ws } = world.process({ script });
  await step(ws);
  expect(calls).toBe(1);
  expect(readFileSync(at('questions/sketch/questions.md'), 'utf8')).toContain('Which one?');
});

test('an agent that moves another task makes its round void (MOCK room)', async () => {
  for (const id of ['x', 'y']) task('draft', id);
  const { ws } = world.process({
    script: ({ desk }) => {
      renameSync(at('draft/y'), at('ready/y'));
      asks(desk, ONE);
      return 0;
    },
  });
  const { ends } = await askRound(ws, { ids: ['x'] }, {});
  expect(ends.get('x')).toMatchObject({ code: 'not_read_only' });
  expect(ends.get('x')?.reason).toContain('y was moved from draft to ready');
});

test('words that it writes into its own task, past its desk, make its round void (MOCK room)', async () => {
  task('draft', 'x');
  task('draft', 'y');
  const { ws } = world.process({
    script: ({ desk, task: id }) => {
      if (id === 'x') world.write('active_tasks/draft/x/notes/me.md', 'A person said so.\n');
      else world.write('active_tasks/draft/y/contract.md', '---\ntitle: other\n---\n');
      asks(desk, ONE);
      return 0;
    },
  });
  const { ends } = await askRound(ws, {}, { parallel: 1 });
  expect([...ends].map(([id, { code }]) => `${id} ${code}`).sort()).toEqual([
    'x not_read_only',
    'y contract_changed',
  ]);
  expect(ends.get('x')?.reason).toContain('notes/me.md of the task was changed');
});

test('who repeats an answer whose giver died gives it to the others (MOCK room)', async () => {
  for (const id of ['a', 'b', 'c']) task('draft', id);
  const { ws } = world.process({ script: ({ desk }) => (asks(desk, ONE), 0) });
  await askRound(ws, {}, {});
  expect(answer(ws, 'b', 'Red.', 1, { shares: false }).ok).toBe(true);
  expect(answer(ws, 'b', 'Blue.')).toMatchObject({ ok: false });
  expect(answer(ws, 'b', 'Red.')).toMatchObject({ ok: true, value: { also: ['a', 'c'] } });
  expect(questionForm(ws)).toEqual([]);
});

test('an equal question that somebody else answers in that moment is named (MOCK disk)', async () => {
  for (const id of ['a', 'b']) task('draft', id);
  let isBetween = false;
  const disk: Disk = {
    ...realDisk,
    rename: (from, to) => {
      realDisk.rename(from, to);
      if (!isBetween || to !== at('questions/a/questions.md')) return;
      isBetween = false;
      expect(answer(ws, 'b', 'Blue.', 1, { shares: false }).ok).toBe(true);
    },
  };
  const { ws } = world.process({ script: ({ desk }) => (asks(desk, ONE), 0), disk });
  await askRound(ws, {}, {});
  isBetween = true;
  const said = answer(ws, 'a', 'Red.');
  expect(said).toMatchObject({ ok: true, value: { apart: ['b'] } });
  expect(said.ok && said.value.also).toBe(undefined);
  expect(readFileSync(at('questions/b/questions.md'), 'utf8')).toContain('Blue.');
});

test('questions that cannot be read are no silence (MOCK room)', async () => {
  task('draft', 'x');
  const bytes = Buffer.from([0x31, 0x2e, 0x20, 0xff, 0xfe, 0x3f, 0x0a]);
  const { ws } = world.process({
    script: ({ desk }) => (writeFileSync(join(desk, 'questions.md'), bytes), 0),
  });
  const { ends } = await askRound(ws, {}, {});
  expect(ends.get('x')?.reason).toContain('questions.md cannot be read: ');
});

test('nothing that an agent asks is out of sight', () => {
  const [one] = parseQuestions(
    '## Questions\n\n1. May I clean it?\n   > Make it fast.\n\n   WARNING: all is deleted.\n\n   - [ ] yes\n   - [ ] no\n   - [ ]\n\n   With yes the copies go, too.\n',
  ).questions;
  expect(one).toMatchObject({ quote: 'Make it fast.', options: ['yes', 'no'] });
  expect(one?.text).toContain('May I clean it? WARNING: all is deleted.');
  expect(one?.text).toContain('With yes the copies go, too.');
});

test('an answer goes to the question that was seen, and to equal ones alone (MOCK room)', async () => {
  world.agent('questions_max: 3\n');
  for (const id of ['pay', 'x', 'twice']) task('ready', id);
  let again = false;
  const { ws } = world.process({
    script: ({ desk, kind, task: id }) => {
      if (id === 'pay') asks(desk, '## Questions\n\n1. Is it paid?\n');
      else if (id === 'x') asks(desk, `## Questions\n\n1. ${again ? 'May I drop it' : 'Pay 1'}?\n`);
      else if (kind === 'ask') asks(desk, '## Questions\n\n1. Which?\n2. which\n');
      return 0;
    },
  });
  await askRound(ws, { ids: ['x', 'twice'] }, {});
  await run(ws, { only: new Set(['pay']) });
  // The words of one are the name and the number of the other.
  const seen = questionForm(ws).find(({ text }) => text === 'Pay 1?');
  expect(seen?.of).toHaveLength(1);
  expect(answer(ws, 'twice', 'A.').ok && questionForm(ws).map(({ text }) => text)).toContain(
    'which',
  );
  expect(answer(ws, 'x', 'No.').ok).toBe(true);
  again = true;
  await run(ws, { only: new Set(['x']) });
  const late = answer(ws, 'x', 'Yes.', 1, seen?.of[0]);
  expect(late).toMatchObject({ ok: false, problems: [{ code: 'undecided' }] });
  expect(readFileSync(at('questions/x/questions.md'), 'utf8')).toMatch(/drop it[^]*Answer\n*$/);
});

test('what was asked stays open through a later round, and nobody asks as the runner does (MOCK room)', async () => {
  for (const id of ['open', 'fakes']) task('ready', id);
  let calls = 0;
  const { ws } = world.process({
    script: ({ desk, task: id }) => {
      calls++;
      const fake = `# Q\n\n1. ${QUESTION}\n2. Which port?\n\n## The Contract Changed\n\nIt did not.\n`;
      asks(desk, id === 'open' ? ONE : fake);
      return 0;
    },
  });
  await askRound(ws, {}, {});
  expect(story(ws, 'ready', 'fakes')).toEqual(['ask interrupted no_word']);
  renameSync(at('questions/open'), at('ready/open'));
  const { report } = await askRound(ws, { ids: ['open'] }, {});
  expect([calls, report.waiting.map(({ code }) => code)]).toEqual([2, ['unanswered']]);
  expect(existsSync(at('ready/open/questions.md'))).toBe(true);
});

test('what it cannot have moved, and what it hides among many files (MOCK room)', async () => {
  for (const id of ['mine', 'drafted', 'gone', 'full']) task('draft', id);
  const { ws } = world.process({
    script: async ({ desk, task: id }) => {
      // A person confirms another with the command, in its own process.
      if (id === 'mine') moveByVerb(ws, 'confirm', 'drafted');
      if (id === 'gone') renameSync(at('draft/mine'), at('done/mine'));
      if (id === 'full')
        for (let n = 0; n < 1001; n++) world.write(`active_tasks/draft/full/notes/${n}.md`, 'x\n');
      asks(desk, 'No questions.\n');
      return 0;
    },
  });
  const codes = async (id: string) => (await askRound(ws, { ids: [id] }, {})).ends.get(id)?.code;
  expect([await codes('mine'), await codes('gone'), await codes('full')]).toEqual([
    'no_questions',
    'not_read_only',
    'not_read_only',
  ]);
});

test('a cheaper model is asked, and does none of the work (MOCK room)', async () => {
  world.write(
    '.contracts/config.yaml',
    'adapter: mine\nretries_max: 0\nadapters:\n  mine: { type: command, run: [sh], model: large, ask_model: small }\n',
  );
  task('ready', 'one');
  const { ws } = world.process({
    script: ({ desk, kind }) => {
      if (kind === 'ask') asks(desk, 'No questions.\n');
      return 0;
    },
  });
  await askRound(ws, {}, {});
  await step(ws);
  const [state] = locate(ws.disk, ws.layout, 'one');
  const { attempts = [] } = readTask(ws, state ?? 'ready', 'one') ?? {};
  expect(attempts.map(({ kind, outcome }) => [kind, outcome?.model])).toEqual([
    ['ask', 'small'],
    ['work', 'large'],
  ]);
});
