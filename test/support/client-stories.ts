/**
 * The stories that every real client plays: called by the built command, against the scripted model,
 * each on a stage of its own. A client's test file names the client and which of them it plays in
 * the default run; the nightly run plays all.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryUser, type OrdinaryUser } from './as-user.ts';
import { clientsMissing, sandboxWorks, type BridgeName, type ClientName } from './clients.ts';
import { RETRY_AFTER_S, startModel, type Asked, type ModelServer } from './model/server.ts';
import { MADE } from './model/stories.ts';
import { USAGE } from './model/turn.ts';
import { makeStage, type Played, type Stage, type StageOptions } from './stage.ts';

export interface Player {
  readonly client: ClientName;
  /** By which adapter, with the configuration of which example, where that is not the client's own. */
  readonly over?: {
    readonly example: string;
    readonly adapter: string;
    /** The program that is called, where that is not the client, and what it needs of the environment. */
    readonly bridge?: { readonly program: BridgeName; readonly env: string };
    /** As the bridge names its model. */
    readonly model_name?: string;
  };
  /** It says what it cost, in money. */
  readonly prices: boolean;
  /** Started, with a command of its own running, after so long at the latest. */
  readonly timeout_s: number;
  /** It reports when a limit of its model ends. */
  readonly tells_resets?: true;
  /** It asks nobody before it uses a tool: only its own sandbox and ours hold it. */
  readonly asks_nobody?: true;
  /** It reports what its last answer used, and not all of them. */
  readonly counts_last?: true;
  /** A session goes on with what was said in it before. */
  readonly resumes: boolean;
}

export type StoryName = keyof typeof STORIES;

type Where = Pick<StageOptions, 'folders' | 'sandbox'>;

/** Registers the tests; where the client is not installed they are counted as skipped. */
export function playStories(player: Player, names: readonly StoryName[]): void {
  play(player, names, { title: player.client, before: [], where: {} });
}

/**
 * The same as an ordinary user, in a project with committed folders of the clients; those of `off`
 * once more without a sandbox.
 */
export function playAsUser(
  player: Player,
  names: readonly StoryName[],
  off: readonly StoryName[],
): void {
  if (clientsMissing([programOf(player)]).length > 0) return playStories(player, names);
  const user = ordinaryUser(programOf(player));
  const title = `${programOf(player)}, as an ordinary user beside the clients' folders`;
  const where = { folders: true };
  play(player, names, { title, user, before: user.before, where });
  const bare = `${title}, without a sandbox`;
  play(player, off, {
    title: bare,
    user,
    before: user.before,
    where: { folders: true, sandbox: false },
  });
}

const programOf = ({ client, over }: Player): ClientName | BridgeName =>
  over?.bridge?.program ?? client;

interface Playing {
  readonly title: string;
  readonly user?: OrdinaryUser;
  readonly before: readonly string[];
  readonly where: Where;
}

function play(
  player: Player,
  names: readonly StoryName[],
  { title: whole, user, before, where }: Playing,
): void {
  describe.runIf(clientsMissing([programOf(player)]).length === 0)(whole, () => {
    let model: ModelServer;
    beforeAll(async () => {
      model = await startModel();
    });
    afterAll(() => model.close());
    const set: Setting = {
      player,
      sandboxed: where.sandbox !== false && sandboxWorks(before),
      model: () => model,
      stage: (options) => {
        const { example, adapter, bridge, model_name } = player.over ?? {};
        const line = bridge
          ? `  ${adapter}: { type: acp, run: [${bridge.program}], env: [${bridge.env}] }\n`
          : '';
        const config = (text: string): string =>
          adapter === undefined
            ? text
            : text.replace(/^adapter: .*/m, `adapter: ${adapter}`) + line;
        const all = {
          client: player.client,
          model,
          example,
          config,
          user,
          model_name,
          ...where,
          ...options,
        };
        return makeStage(all);
      },
    };
    for (const name of names) {
      const { title, play: tell } = STORIES[name];
      const may = name !== 'walled' || set.sandboxed;
      test.runIf(may)(title, () => tell(set));
    }
  });
}

interface Setting {
  readonly player: Player;
  readonly sandboxed: boolean;
  model(): ModelServer;
  stage(options: Omit<StageOptions, 'client' | 'model'>): Stage;
}

interface Told {
  readonly title: string;
  readonly play: (set: Setting) => Promise<void>;
}

const STORIES = {
  complete: { title: 'works, is checked, and is done', play: complete },
  reviewed: { title: 'works, is checked and reviewed, and is done', play: reviewed },
  told: { title: 'does what its brief orders, in four answers of its model', play: asTold },
  question: { title: 'asks, and goes on with the answer', play: question },
  denied: { title: 'a write outside its permissions is refused while it runs', play: denied },
  walled: { title: 'the sandbox refuses what a command of its writes elsewhere', play: walled },
  push: { title: 'a push in whatever way is refused while it runs', play: pushed },
  narrowed: { title: 'an agent whose file lists no shell is given none', play: narrowed },
  worktree: { title: 'works in a worktree of its own, and is done', play: inWorktree },
  noticed: { title: 'what a command of its writes beside its file is told', play: noticed },
  violated: { title: 'in a worktree of its own that is a violation', play: violated },
  error: { title: 'a model that refuses is told in its words', play: refused },
  limited: {
    title: 'a rate limit of its model is waited for, and is no try',
    play: (set) => outage(set, 429),
  },
  down: {
    title: 'a server that fails is waited for, and is no try',
    play: (set) => outage(set, 500),
  },
  retried: { title: 'while it calls its model again by itself, that is told', play: retried },
  forgotten: {
    title: 'a session that is gone is replaced at once, and is no try',
    play: forgotten,
  },
  gateway: { title: 'a key that is set and not handed out is named', play: gateway },
  timeout: { title: 'its time runs out, and all of it is ended', play: timedOut },
  cancel: { title: 'Ctrl-C ends it, and that is no failure', play: cancelled },
} satisfies Record<string, Told>;

async function complete(set: Setting): Promise<void> {
  await done(set, '');
}

/** The work, the form, the result, the end: no answer of the model is for the runner's own sake. */
async function asTold({ player, model, stage: make }: Setting): Promise<void> {
  const before = model().asked.length;
  const stage = make({ story: 'as-told' });
  expect(wrong(await stage.run())).toBe('');
  expect(stage.state()).toBe('done');
  const asked = model().asked.slice(before);
  const turns = asked.flatMap(({ turn }) => (turn && turn.tools.length > 0 ? [turn] : []));
  const bytes = turns.flatMap(({ said }) => said.map(({ text }) => Buffer.byteLength(text)));
  const served = bytes.reduce((sum, one) => sum + one, 0);
  console.log(`${player.client}: ${turns.length} answers, ${served} bytes of text served`);
  expect(turns.length).toBe(4);
}

async function reviewed(set: Setting): Promise<void> {
  const stage = await done(set, 'quality_gate: oracle\n');
  expect(stage.outcome(2)).toMatchObject({ kind: 'review', outcome: 'approved' });
  expect(stage.taskFile('review.md')).toContain('- [x] APPROVED');
}

async function done(set: Setting, head: string): Promise<Stage> {
  const { player, model, stage: make } = set;
  const before = model().asked.length;
  const stage = make({ story: 'complete', head });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.state()).toBe('done');
  expect(stage.file(MADE)).toBe('Hello, world\n');
  expect(stage.taskFile('result.md')).toContain(`- [x] \`${MADE}\` says Hello`);
  const { outcome, adapter, session, input_tokens, output_tokens, cost_usd } = stage.outcome(1);
  expect({ outcome, adapter }).toEqual({ outcome: 'complete', adapter: adapterOf(player) });
  expect(session).toMatch(/^[\w-]{8,}$/);
  // Its own sandbox counts only for agents that may not write everywhere.
  held(set, stage, false);
  const answers = answersIn(model().asked.slice(before));
  expect(answers).toBeGreaterThanOrEqual(3);
  const counted = player.counts_last === true ? 1 : answers;
  expect({ input_tokens, output_tokens }).toEqual({
    input_tokens: counted * USAGE.input,
    output_tokens: counted * USAGE.output,
  });
  if (player.prices) expect(cost_usd).toBeGreaterThan(0);
  expect(progress(played)).toContain('Wrote the greeting.');
  // A long path of the temporary folder is cut at its end.
  expect(progress(played)).toMatch(new RegExp(`\\b${dirname(MADE)}[/']`));
  await stage.allGone();
  record(player, 'complete', stage);
  return stage;
}

/** Each tool as it was used, and the sandbox where there is one; nobody is accused of its client's doing. */
function held({ player, sandboxed }: Setting, stage: Stage, is_limited = true): void {
  const { enforced, noticed: told } = stage.outcome(1);
  const live = player.asks_nobody === true ? [] : ['live'];
  const hasOwn = is_limited && player.client === 'codex' && player.over === undefined;
  const confining = sandboxed ? ['sandbox'] : hasOwn ? ['client'] : [];
  expect({ enforced, noticed: told }).toEqual({
    enforced: ['brief', ...live, ...confining, 'compared'],
    noticed: undefined,
  });
  expect(stage.changed()).not.toMatch(/\.(claude|codex|gemini|opencode|agents)\b/);
}

async function question({ player, model, stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'question' });
  const first = model().asked.length;
  const asked = await stage.run();
  expect(asked.code).toBe(1);
  expect(stage.state()).toBe('questions');
  expect(stage.taskFile('questions.md')).toContain('1. Who is the guest?');
  await stage.contracts(['answer', 'greet', 'Ada']);
  const then = model().asked.length;
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.state()).toBe('done');
  const price = usedIn(stage.outcome(1), model().asked.slice(first, then));
  expect(usedIn(stage.outcome(2), model().asked.slice(then))).toBeCloseTo(price);
  // Where it resumes, the client itself tells the model of the first brief again.
  expect(stage.file(MADE)).toMatch(player.resumes ? /^Hello, Ada \(brief 2 / : /^Hello, Ada \(/);
  const { session } = stage.outcome(1);
  expect(session).toMatch(/^[\w-]{8,}$/);
  const second = stage.outcome(2);
  expect(second).toMatchObject({ outcome: 'complete' });
  if (player.resumes) expect(second['session']).toBe(session);
}

/** Each attempt has what its own call used, also in a session that went on; returns the cost of an answer. */
function usedIn(outcome: ReturnType<Stage['outcome']>, asked: readonly Asked[]): number {
  const answers = answersIn(asked);
  expect(answers).toBeGreaterThan(0);
  const { input_tokens: input, output_tokens: output, cost_usd = 0 } = outcome;
  const of_the_call = { input: answers * USAGE.input, output: answers * USAGE.output };
  expect({ input, output }).toEqual(of_the_call);
  return Number(cost_usd) / answers;
}

async function denied(set: Setting): Promise<void> {
  const { player, stage: make } = set;
  // No whole folder: that a sandbox holds, and the hook leaves it to it.
  const stage = make({ story: 'write-outside README.md', head: 'write: ["out/*"]\n' });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.file('README.md')).toBe('');
  expect(stage.file(MADE)).toBe('Hello, world\n');
  held(set, stage);
  const told = stage.outcome(1)['denied'];
  expect(told).toContainEqual(expect.stringContaining('README.md'));
  // Of a client that asks our hook, or loads our plugin, it is the reason of the permissions.
  if (player.over === undefined) {
    expect(told).toContainEqual(expect.stringContaining('the contract lets it write out/*'));
  }
  record(player, 'denied', stage);
}

async function pushed(set: Setting): Promise<void> {
  const stage = set.stage({ story: 'push', head: 'write: [out/**]\n' });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.pushed()).toBe('');
  expect(stage.file(MADE)).toBe('Hello, world\n');
  held(set, stage);
  expect(stage.outcome(1)['denied']).toContainEqual(expect.stringContaining('git push'));
}

async function narrowed({ player, stage: make }: Setting): Promise<void> {
  const agent = player.client === 'claude' ? 'poet' : 'bard';
  const stage = make({ story: 'shell-if', head: `agent: ${agent}\n`, folders: true });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.outcome(1)).toMatchObject({ outcome: 'complete', agent });
  expect(stage.file(MADE)).toBe('Hello, world\n');
  expect(stage.there('out/by-shell.txt')).toBe(false);
}

async function inWorktree(set: Setting): Promise<void> {
  const stage = set.stage({ story: 'complete', head: 'isolation: worktree\n' });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  const { outcome, noticed: told, changed } = stage.outcome(1);
  expect({ outcome, told }).toEqual({ outcome: 'complete', told: undefined });
  expect(changed).toEqual([expect.stringContaining(MADE)]);
}

async function walled({ stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'shell-outside README.md', head: 'write: [out/**]\n' });
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.file('README.md')).toBe('');
  expect(stage.outcome(1)).toMatchObject({
    outcome: 'complete',
    enforced: expect.arrayContaining(['sandbox']),
  });
}

async function noticed({ stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'shell-outside out/other.txt', head: `write: [${MADE}]\n` });
  await stage.run();
  // In a folder that everybody works in nobody knows whose doing it is.
  expect(stage.outcome(1)).toMatchObject({
    outcome: 'complete',
    noticed: [expect.stringContaining('out/other.txt')],
  });
}

async function violated({ stage: make }: Setting): Promise<void> {
  const head = `write: [${MADE}]\nisolation: worktree\n`;
  const stage = make({ story: 'shell-outside out/other.txt', head });
  const played = await stage.run();
  expect(played.code).toBe(1);
  expect(stage.outcome(1)).toMatchObject({
    outcome: 'violated',
    violations: [expect.stringContaining('out/other.txt')],
  });
  expect(stage.taskFile('blocked.md')).toContain('out/other.txt');
  expect(stage.file('out/other.txt')).toBe('');
}

async function refused({ player, model, stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'error 400' });
  const before = model().asked.length;
  const played = await stage.run();
  expect(played.code).toBe(1);
  expect(stage.state()).toBe('blocked');
  const { outcome, reason } = stage.outcome(1);
  expect({ outcome, reason }).toEqual({
    outcome: 'failed',
    reason: expect.stringContaining('scripted refusal 400'),
  });
  expect(stage.taskFile('blocked.md')).toContain('scripted refusal 400');
  record(player, 'error', stage);
  expect(
    model()
      .asked.slice(before)
      .map(({ reply }) => reply),
  ).toContain('error');
}

async function outage({ player, model, stage: make }: Setting, status: number): Promise<void> {
  const stage = make({ story: 'complete' });
  model().refuse(status);
  try {
    await stage.contracts(['step']);
  } finally {
    model().refuse();
  }
  expect(stage.outcome(1)).toMatchObject({
    outcome: 'interrupted',
    error: 'outage',
    reason: expect.stringMatching(/^the model is not available/),
  });
  if (player.tells_resets === true && status === 429) {
    const { at, resets_at } = stage.outcome(1);
    const told_s = (Date.parse(String(resets_at)) - Date.parse(String(at))) / 1000;
    expect(Math.abs(told_s - RETRY_AFTER_S)).toBeLessThan(5);
  }
  // The contract allows no retry.
  expect(stage.state()).toBe('ready');
  const waits = `waits until .* for ${adapterOf(player)}: the model is not available`;
  for (const verb of ['step', 'list']) {
    expect((await stage.contracts([verb])).stdout).toMatch(new RegExp(waits));
  }
  await stage.contracts(['note', 'greet', 'The limit is over.']);
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.outcome(2)).toMatchObject({ kind: 'work', outcome: 'complete' });
  expect(stage.state()).toBe('done');
}

async function retried({ model, stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'complete' });
  const refused = model().next('error');
  model().refuse(503);
  const playing = stage.run();
  await refused;
  model().refuse();
  const played = await playing;
  expect(wrong(played)).toBe('');
  expect(stage.state()).toBe('done');
  const told = expect.objectContaining({ event: 'retries', times: 1 });
  expect(played.lines).toContainEqual(told);
  expect((await stage.contracts(['logs', 'greet', '--attempt', '1'])).stdout).toContain(
    'does not answer',
  );
}

/** Where each keeps its sessions, below its home. */
const SESSIONS: Readonly<Record<ClientName, string>> = {
  claude: '.claude/projects',
  codex: '.codex/sessions',
  gemini: '.gemini/tmp',
  opencode: '.local/share/opencode',
};

async function forgotten({ player, stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'question' });
  await stage.run();
  expect(stage.state()).toBe('questions');
  const sessions = join(stage.home, SESSIONS[player.client]);
  expect(existsSync(sessions)).toBe(true);
  rmSync(sessions, { recursive: true });
  await stage.contracts(['answer', 'greet', 'Ada']);
  const played = await stage.run();
  expect(wrong(played)).toBe('');
  expect(stage.outcome(2)).toMatchObject({ outcome: 'interrupted', error: 'session' });
  expect(stage.outcome(3)).toMatchObject({ outcome: 'complete' });
  expect(stage.state()).toBe('done');
  expect(stage.file(MADE)).toBe('Hello, Ada (brief 1 of this session)\n');
}

/** Of Codex: the provider names the variable that its key is in. */
async function gateway({ stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'complete', env: { MY_GATEWAY_KEY: 'gateway-key-0123456789' } });
  const settings = join(stage.home, '.codex/config.toml');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('"OPENAI_API_KEY"', '"MY_GATEWAY_KEY"'));
  const refusal = await stage.contracts(['run']);
  expect(refusal.code).toBe(3);
  expect(refusal.stdout + refusal.stderr).toContain(
    'Add adapters: { codex: { env: [MY_GATEWAY_KEY] } } to .contracts/config.yaml',
  );
  const config = join(stage.root, '.contracts/config.yaml');
  writeFileSync(config, 'adapter: codex\nadapters: { codex: { env: [MY_GATEWAY_KEY] } }\n');
  expect(wrong(await stage.run())).toBe('');
  expect(stage.state()).toBe('done');
}

async function timedOut({ player, model, stage: make }: Setting): Promise<void> {
  const { timeout_s } = player;
  const stage = make({ story: 'endless', timeout_s });
  const before = model().asked.length;
  const played = await stage.run();
  expect(played.code).toBe(1);
  expect(stage.outcome(1)).toMatchObject({ outcome: 'timed_out' });
  // Its command had begun: what was ended is more than the client.
  const replies = model().asked.slice(before);
  expect(replies.map(({ reply }) => reply)).toContain('call');
  await stage.allGone();
}

async function cancelled({ model, stage: make }: Setting): Promise<void> {
  const stage = make({ story: 'hang' });
  const hangs = model().next('hang');
  const runner = stage.start(['run', '--json']);
  const first = await Promise.race([hangs, runner.ended]);
  if ('code' in first) throw new Error(`ended before its model hung: ${first.stdout}`);
  runner.child.kill('SIGINT');
  const ended = await runner.ended;
  expect(ended.code).toBe(130);
  expect(stage.outcome(1)).toMatchObject({ outcome: 'interrupted' });
  expect(stage.state()).toBe('ready');
  await stage.allGone();
}

/** With RECORD_CLIENTS=1, keeps what the client printed, for test/clients/client-lines.test.ts. */
function record(player: Player, story: string, stage: Stage): void {
  if (process.env['RECORD_CLIENTS'] !== '1') return;
  const name = `${adapterOf(player)}.${story}.txt`;
  const folder = fileURLToPath(new URL('../clients/lines/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), stage.printed(1));
}

/** How often the model answered in the first call of an agent: what it says last ends that. */
function answersIn(asked: readonly Asked[]): number {
  const meant = asked.filter(({ turn }) => (turn?.tools.length ?? 0) > 0);
  return meant.findIndex(({ reply }) => reply === 'text') + 1;
}

const adapterOf = ({ client, over }: Player): string => over?.adapter ?? client;

/** What went wrong in a run that should have ended well, in words that a failed test shows. */
function wrong({ code, stdout, stderr }: Played): string {
  return code === 0 ? '' : `exit ${code}\n${stderr}\n${stdout}`;
}

function progress({ lines }: Played): string {
  return lines
    .filter(({ event }) => event === 'progress')
    .map(({ text }) => String(text))
    .join('\n');
}
