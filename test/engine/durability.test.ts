/**
 * What was told is durable, and no sync is there in vain: stories are played on a disk that knows
 * what a power cut may take back, first as they are, then once for each place in the source that
 * syncs, with that place left out. Agents are MOCK.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTaskOnce, makeTasks } from '../../src/engine/board/make-task.ts';
import { step } from '../../src/engine/step/step.ts';
import { createTask } from '../../src/engine/commands/create.ts';
import { claim, withdraw } from '../../src/task/store/tasks/claims.ts';
import { makeDurable } from '../../src/task/store/tasks/tasks.ts';
import { cleanRun, shape, tellingDeaths } from '../support/crash-campaign.ts';
import { DURABLE } from '../support/crash-checks.ts';
import type { Life } from '../support/crash-play.ts';
import { STORIES } from '../support/crash-scenarios.ts';
import { State, type Story } from '../support/crash-tree.ts';
import { complete, CONFIG, contract, VERIFIED } from '../support/crash-words.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { PowerCutDisk, type Ignores } from '../support/power-cut-disk.ts';
import {
  lookAtDurability,
  playWithCut,
  SURVIVORS,
  type Durability,
} from '../support/power-cuts.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import { everyNth, sayShare, share } from '../support/share.ts';
import { IN_MEMORY } from '../support/sealed-folder.ts';
import { makeWorld } from '../support/world.ts';

type Program = (ignores?: Ignores) => Promise<Durability>;

const named = (words: string) => STORIES.find((story) => story.name.includes(words))!;
/** Died with its agent: the next process fences, and takes the desk in. */
const killed: readonly Life[] = [{ kill_in_call: 0 }];

/** No wrapper syncs what a check makes. */
const builtByItsCheck: Story = {
  name: 'a check makes the deliverable, and a file that another check names',
  config: CONFIG,
  tasks: {
    one: contract('one', [
      'deliverables: [built/out.txt]',
      ...VERIFIED,
      '  - file_exists: built/more/named.txt',
    ]),
  },
  agent: complete,
  check: (works, deliver) => {
    // Before the work it makes nothing.
    if (works === 0) return 1;
    deliver('built/out.txt', 'made\n');
    deliver('built/more/named.txt', 'made\n');
    return 0;
  },
  ends: { one: State.done },
};

const EDITED = '\nmore wanted\n';
/** What was answered lies beside the contract when the question about the contract comes. */
const editedAfterAnAnswer: Story = {
  name: 'another agent edits the contract of a task that asks a question',
  config: CONFIG,
  tasks: { one: contract('one', VERIFIED), two: contract('two', VERIFIED) },
  agent: (turn) => {
    if (turn.task === 'one' && turn.nth === 1) {
      turn.write('questions.md', '# Questions: one\n\n## Questions\n\n1. Which colour?\n');
      return 0;
    }
    if (turn.task === 'two' && turn.nth === 1) return 1;
    if (turn.task === 'two') turn.tree.append('questions', 'one', 'contract.md', EDITED);
    return complete(turn);
  },
  people: (tree) =>
    tree.edit('questions', 'one', 'questions.md', (text) => {
      const isOurs = text.includes('contract.md');
      const early = !isOurs && !tree.has('done', 'two', 'contract.md');
      if (early || /\n(?:take|azure)\n/.test(text)) return text;
      return `${text}\n${isOurs ? 'take' : 'azure'}\n`;
    }),
  ends: { one: State.done, two: State.done },
};

const PROGRAMS: readonly Program[] = [
  (ignores) => lookAtDurability(named('questions'), [], ignores),
  (ignores) => lookAtDurability(named('NEEDS_WORK, then'), [], ignores),
  (ignores) => lookAtDurability(named('last failure'), killed, ignores),
  (ignores) => lookAtDurability(named('a dependency'), [], ignores),
  (ignores) => lookAtDurability(named('a human task'), [], ignores),
  (ignores) => lookAtDurability(named('a host task'), [], ignores),
  (ignores) => lookAtDurability(named('says REVIEW'), [], ignores),
  (ignores) => lookAtDurability(named('agent that decides'), [], ignores),
  (ignores) => lookAtDurability(named('contract edited'), [], ignores),
  (ignores) => lookAtDurability(editedAfterAnAnswer, [], ignores),
  (ignores) => lookAtDurability(named('shell task'), [], ignores),
  (ignores) => lookAtDurability(builtByItsCheck, [], ignores),
  (ignores) => aNewTask(ignores),
  (ignores) => aNewTask(ignores, 'active_tasks'),
  aTaskThatAnotherMade,
  (ignores) => newTasks(ignores, ['one']),
  (ignores) => newTasks(ignores, ['one', 'two']),
  aReportOfAPlan,
  aDocumentInANewFolder,
  aClaimGivenBack,
  aFolderOfACapability,
];

/** The folder `gone` is missing, and made with it. */
async function aNewTask(ignores?: Ignores, gone = 'active_tasks/draft'): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  rmSync(join(world.root, gone), { recursive: true });
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  const putting = { ...ws.putting, disk };
  const created = createTask({ ...ws, disk, putting }, { title: 'new', id: 'new_one' });
  expect(created.ok).toBe(true);
  world.remove();
  return { findings: disk.notDurable('active_tasks/draft'), sites: disk.sites };
}

/** What an import makes: each with a note beside its contract. */
async function newTasks(ignores: Ignores | undefined, ids: string[]): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  const putting = { ...ws.putting, disk };
  const notes = [{ name: 'original.md', bytes: Buffer.from('as it was\n') }];
  const wanted = ids.map((id) => ({ state: 'draft' as const, id, text: contract(id), notes }));
  expect([...makeTasks({ ...ws, disk, putting }, wanted)]).toEqual(ids);
  world.remove();
  return { findings: disk.notDurable('active_tasks/draft'), sites: disk.sites };
}

/** Another process makes the same one, and a runner goes on with it, between our look and our rename. */
async function aTaskThatAnotherMade(ignores?: Ignores): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  const disk = new BeforeRename(join(world.root, 'active_tasks'), ignores, () =>
    world.write('active_tasks/in_progress/one/contract.md', contract('one')),
  );
  const { ws } = world.process({});
  const putting = { ...ws.putting, disk };
  expect(makeTaskOnce({ ...ws, disk, putting }, 'ready', 'one', contract('one'))).toBe(false);
  world.remove();
  return { findings: disk.notDurable('ready/one'), sites: disk.sites };
}

class BeforeRename extends PowerCutDisk {
  readonly #act: () => void;

  constructor(top: string, ignores: Ignores | undefined, act: () => void) {
    super(top, ignores);
    this.#act = act;
  }

  override rename(from: string, to: string): void {
    this.#act();
    super.rename(from, to);
  }
}

/** A task of the plan is blocked, and nothing is in runs/ yet. */
async function aReportOfAPlan(ignores?: Ignores): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  world.write('.contracts/plans/launch/plan.md', '# Launch\n\n- [ ] Ship it\n');
  world.write('active_tasks/blocked/one/contract.md', contract('one', ['plan: launch']));
  world.write('active_tasks/blocked/one/blocked.md', '# Blocked: one\n\n## Resolution\n');
  const disk = new PowerCutDisk(join(world.root, '.contracts'), ignores);
  const { ws } = world.process({ disk: faultyDisk(-1, undefined, disk) });
  await step(ws);
  const runs = join(world.root, '.contracts/plans/launch/runs');
  expect(readdirSync(runs)).toEqual(['one-0.md']);
  world.remove();
  return { findings: disk.notDurable('plans/launch/runs'), sites: disk.sites };
}

async function aDocumentInANewFolder(ignores?: Ignores): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  world.write(
    '.contracts/config.yaml',
    'adapter: me\nadapters: { me: { type: claude, run: [sh] } }\n',
  );
  world.write('.contracts/plans/launch/plan.md', '# Launch\n');
  world.write('active_tasks/ready/one/contract.md', contract('one', ['agent: sm', 'plan: launch']));
  const disk = new PowerCutDisk(join(world.root, '.contracts'), ignores);
  const script = ({ desk }: ScriptedCall): number => {
    mkdirSync(join(desk, 'documents/plans/launch/stories'), { recursive: true });
    writeFileSync(join(desk, 'documents/plans/launch/stories/new.md'), 'new\n');
    writeFileSync(join(desk, 'result.md'), '- Status: COMPLETE\n');
    return 0;
  };
  await step(world.process({ script, disk: faultyDisk(-1, undefined, disk) }).ws);
  const stories = join(world.root, '.contracts/plans/launch/stories');
  expect(readdirSync(stories)).toEqual(['new.md']);
  world.remove();
  return { findings: disk.notDurable('plans/launch'), sites: disk.sites };
}

/** For files of a capability, which has had none yet. */
async function aFolderOfACapability(ignores?: Ignores): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  makeDurable(disk, ws.layout, join(world.root, '.contracts/new/deep'));
  world.remove();
  return { findings: disk.notDurable('.contracts'), sites: disk.sites };
}

async function aClaimGivenBack(ignores?: Ignores): Promise<Durability> {
  const world = makeWorld(IN_MEMORY);
  world.write('active_tasks/ready/one/contract.md', contract('one'));
  const top = join(world.root, 'active_tasks');
  const disk = new PowerCutDisk(top, ignores);
  const putting = { ...world.process({}).ws.putting, disk };
  const files = new Map([['owner.md', Buffer.from('me')]]);
  const folder = join(top, 'ready/one');
  expect(claim(putting, folder, 1, files, () => [folder])).toBe('won');
  withdraw(putting, folder, 1, files);
  world.remove();
  return { findings: disk.notDurable('ready/one'), sites: disk.sites };
}

/** One in so many is played before each push. */
const CUTS = 3;

test('MOCK agents: what was told and what a gate opens upon survives a power cut; each sync is needed for it', async () => {
  /** Which programs come to a place that syncs; no other can miss it. */
  const sites = new Map<string, Program[]>();
  for (const program of PROGRAMS) {
    const clean = await program();
    expect(clean.findings).toEqual([]);
    for (const site of clean.sites) sites.set(site, [...(sites.get(site) ?? []), program]);
  }
  // What doctor mends, many moves by one verb (test/engine/move-many), a workspace that is made
  // (test/engine/init.test.ts), and what tests of capabilities prove:
  // tables of imports (test/exchange/engine/table.test.ts), learnings and assumptions (durable.test.ts in
  // test/memory/engine and test/assumptions/engine).
  const ofVerbs = new Set([
    'engine/board/archive.ts',
    'engine/setup/init.ts',
    'task/store/tasks/group-commit.ts',
    'plans/engine/follow/pause.ts',
    'squads/engine/new-squad.ts',
    'memory/engine/store.ts',
    'assumptions/engine/store.ts',
  ]);
  const ofSteps = syncsInSource().filter((site) => !ofVerbs.has(site.split(':')[0] ?? ''));
  const unplayed = ofSteps.filter((site) => !sites.has(site));
  expect(unplayed, 'syncs that no program of this test comes to').toEqual([]);
  const survivors: string[] = [];
  for (const [site, programs] of sites) {
    let killedBy = 0;
    for (const program of programs) {
      if (killedBy > 0) break;
      killedBy = (await program((one) => one === site)).findings.length;
    }
    if (killedBy === 0) survivors.push(site);
  }
  expect(survivors, 'syncs that can be left out unnoticed').toEqual([]);
}, 300_000);

function syncsInSource(): string[] {
  const src = new URL('../../src/', import.meta.url);
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const lines = readFileSync(new URL(file, src), 'utf8').split('\n');
      return lines.flatMap((line, i) => (/disk\.sync\(/.test(line) ? [`${file}:${i + 1}`] : []));
    });
}

test.each(
  ['questions', 'last failure', 'NEEDS_WORK, then', 'two gates'].map((words, i) => ({ words, i })),
)(`MOCK agents: the power goes in $words, ${sayShare(CUTS)}`, async ({ words, i }) => {
  const clean = await cleanRun(named(words), DURABLE);
  const deaths = everyNth(tellingDeaths(clean.trace), 41, i * 7);
  const wrong: string[] = [];
  for (const [n, life] of share([...deaths.entries()], CUTS, i)) {
    wrong.push(...(await playWithCut(clean, life, SURVIVORS[n % SURVIVORS.length]!)));
  }
  expect(wrong).toEqual([]);
  expect(clean.trace.some((met) => shape(met).startsWith('sync'))).toBe(true);
});

test('MOCK agents: the question about a changed contract outlives the runner that is to ask it', async () => {
  const clean = await cleanRun(named('contract edited'), DURABLE);
  const shapes = clean.trace.map((met) => shape(met, true));
  const from = shapes.findIndex((one) => one.endsWith('-> in_progress/one/attempts/0001/agent.md'));
  const to = shapes.findIndex((one) => one.endsWith('-> ready/one'));
  const between = ({ at }: { at?: number }): boolean => at !== undefined && at > from && at <= to;
  const deaths = tellingDeaths(clean.trace).filter((life) => between(life as { at?: number }));
  const wrong: string[] = [];
  for (const life of deaths) wrong.push(...(await playWithCut(clean, life, SURVIVORS[0]!)));
  expect(wrong).toEqual([]);
  expect(deaths.length).toBeGreaterThan(5);
});
