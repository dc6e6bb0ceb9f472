/**
 * The real clients, asked by `contracts ask` before the work, against the scripted model: a client that writes into the
 * project is refused, which is counted, and its question is asked all the same. One that nothing holds has its round
 * made void. The model is the one that `ask_model` names. At night each client plays all of it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsMissing, homeFor, sandboxWorks, type ClientName } from '../support/clients.ts';
import { startModel, type Asked, type ModelServer } from '../support/model/server.ts';
import { MADE } from '../support/model/stories.ts';
import { USAGE } from '../support/model/turn.ts';
import { isInShare, share } from '../support/share.ts';
import { makeStage, TASK, type Line, type Stage, type StageOptions } from '../support/stage.ts';

interface Asking {
  /** Another model than the work's, as the client wants its name. */
  readonly ask_model: string;
  /** As its server gets that name. */
  readonly served: string;
  readonly tool: string;
  /** As a program that is configured by its owner, and may do whatever it likes. */
  readonly unheld: readonly string[];
}

const PROMPT =
  'The workspace is `{{root}}`. Your desk is `{{desk}}`. [story:asks-and-writes src/a.txt]';

const CLIENTS: Readonly<Record<ClientName, Asking>> = {
  claude: {
    ask_model: 'claude-haiku-4-5',
    served: 'claude-haiku-4-5',
    tool: 'Write',
    unheld: ['-p', PROMPT, '--model={{model}}', '--permission-mode', 'acceptEdits'],
  },
  codex: {
    ask_model: 'scripted-small',
    served: 'scripted-small',
    tool: 'Bash',
    unheld: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--model={{model}}',
      PROMPT,
    ],
  },
  gemini: {
    ask_model: 'gemini-2.5-flash-lite',
    served: 'gemini-2.5-flash-lite',
    tool: 'write_file',
    unheld: ['-p', PROMPT, '--model={{model}}', '--yolo'],
  },
  opencode: {
    ask_model: 'scripted/small',
    served: 'small',
    tool: 'write',
    unheld: ['run', '--model={{model}}', PROMPT],
  },
};

const NAMES = Object.keys(CLIENTS) as ClientName[];
const PLACES = [
  ...(sandboxWorks() ? [['in a sandbox', true] as const] : []),
  ['without a sandbox', false] as const,
];

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

describe.each(NAMES.map((client, at) => [client, at] as const))('%s', (client, at) => {
  const isHere = clientsMissing([client]).length === 0;
  /** Each client in one of the places, which the commit chooses; what all of them end alike, by one of them. */
  const isFirst = isHere && isInShare(at, NAMES.length);

  test.runIf(isHere).each(share(PLACES, PLACES.length, at))(
    '%s a write into the project is refused and counted, and its question asked',
    (_, sandbox) => refusedAndAsked(client, sandbox),
  );

  test.runIf(isFirst)('with nothing to ask it leaves the task where it is', async () => {
    const { served } = CLIENTS[client];
    const stage = stageOf(client, { story: 'asks-nothing' });
    const { code, ended, asked } = await round(stage);
    expect([code, stage.state()]).toEqual([0, 'ready']);
    expect(ended).toMatchObject({ outcome: 'asked', code: 'no_questions' });
    expect(ended).not.toHaveProperty('denied');
    expect(modelsOf(asked)).toEqual([served, served]);
  });

  test.runIf(isFirst)('a write that nothing refuses makes its round void', async () => {
    const { ask_model, unheld } = CLIENTS[client];
    const env = Object.keys(homeFor(client, '/', '').env);
    const own = { type: 'command', run: [client, ...unheld], env, ask_model };
    const config = withAdapter('mine', own);
    const stage = stageOf(client, { story: 'none', sandbox: false, config });
    const { code, ended } = await round(stage);
    expect([code, stage.state()]).toEqual([1, 'ready']);
    expect(ended).toMatchObject({ outcome: 'interrupted', code: 'not_read_only' });
    expect(ended['reason']).toContain('src/a.txt');
    expect(stage.outcome(1)).toMatchObject({ model: ask_model, changed: ['src/a.txt'] });
    expect(stage.taskFile('questions.md')).toBe('');
    expect(stage.there('src/a.txt')).toBe(true);
  });
});

async function refusedAndAsked(client: ClientName, sandbox: boolean): Promise<void> {
  const { ask_model, served, tool } = CLIENTS[client];
  const stage = stageOf(client, { story: 'asks-and-writes src/a.txt', sandbox });
  const { code, ended, asked } = await round(stage);
  expect([code, stage.state()]).toEqual([1, 'questions']);
  expect(stage.taskFile('questions.md')).toContain('1. Who is the guest?');
  // Not even its folder: the tool was refused before it did anything.
  expect(stage.there('src')).toBe(false);
  expect(saidBy(asked, 'tool').join('\n')).toContain('this is outside your permissions');
  const denied = [
    expect.stringMatching(`^${tool}: .*create src/a\\.txt: this agent may not create any file`),
  ];
  const outcome = stage.outcome(1);
  expect(outcome).toMatchObject({ kind: 'ask', outcome: 'questions', adapter: client, denied });
  const { changed, noticed, violations } = outcome;
  expect({ changed, noticed, violations }).toEqual({});
  const own = client === 'codex' ? ['client'] : [];
  expect(outcome['enforced']).toEqual(['brief', 'live', ...(sandbox ? ['sandbox'] : own)]);
  expect(ended).toMatchObject({ kind: 'ask', outcome: 'questions', denied });
  const shown = (await stage.contracts(['show', TASK])).stdout;
  expect(shown).toMatch(new RegExp(`denied ${tool}: .*create src/a\\.txt`));
  // The tool, the questions, the last words: each an answer of the cheaper model.
  expect(modelsOf(asked)).toEqual([served, served, served]);
  expect(outcome).toMatchObject({ model: ask_model, input_tokens: 3 * USAGE.input });
  await stage.allGone();
  if (!sandbox) await goesOn(stage, served);
}

/** With the answer the work is done: by its own model, in a session of its own. */
async function goesOn(stage: Stage, asked_by: string): Promise<void> {
  const before = model.asked.length;
  await stage.contracts(['answer', TASK, 'Ada']);
  const { code, stdout } = await stage.run();
  expect(code === 0 ? '' : stdout).toBe('');
  expect([stage.state(), stage.file(MADE)]).toEqual(['done', 'Hello, world\n']);
  const models = modelsOf(model.asked.slice(before));
  expect(models.length).toBeGreaterThan(0);
  expect(models).not.toContain(asked_by);
  const [first, second] = [stage.outcome(1), stage.outcome(2)];
  expect(second).toMatchObject({ kind: 'work', outcome: 'complete' });
  expect(second['session']).not.toBe(first['session']);
}

async function round(stage: Stage) {
  const before = model.asked.length;
  const { code, stdout } = await stage.contracts(['ask', '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const ended = lines.find(({ event }) => event === 'ended');
  if (ended === undefined) throw new Error(`no round ended: ${stdout}`);
  return { code, ended, asked: model.asked.slice(before) };
}

function stageOf(
  client: ClientName,
  more: Pick<StageOptions, 'story' | 'sandbox' | 'config'>,
): Stage {
  const { ask_model } = CLIENTS[client];
  return makeStage({ client, model, config: withAdapter(client, { ask_model }), ...more });
}

/** The configuration with that adapter. */
function withAdapter(name: string, adapter: object) {
  return (text: string): string =>
    `${text.replace(/^adapter: .*/m, `adapter: ${name}`)}adapters:\n  ${name}: ${JSON.stringify(adapter)}\n`;
}

const worked = (asked: readonly Asked[]) =>
  asked.flatMap(({ turn }) => (turn && turn.tools.length > 0 ? [turn] : []));

const modelsOf = (asked: readonly Asked[]): readonly string[] =>
  worked(asked).map(({ model: name }) => name);

const saidBy = (asked: readonly Asked[], by: string): readonly string[] =>
  worked(asked).flatMap(({ said }) => said.flatMap((one) => (one.by === by ? [one.text] : [])));
