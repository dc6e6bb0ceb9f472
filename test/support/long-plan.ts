/**
 * Long plans played to their end by the built command, with real agents: two of them in one tree, a
 * person between the waves of the first, a pause, runners at once and a runner that is killed while
 * agents work. What each task was called for is in the arena's ledger, outside of the tree.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATES } from '../../src/task/core/model/state.ts';
import { type Arena } from './arena.ts';
import { contracts, startContracts, type Ended, type Started } from './binary.ts';
import { sweep } from './races.ts';
import { field } from './tree-look.ts';
import { until } from './until.ts';
import { putFile } from './sealed-folder.ts';

interface PlanTask {
  readonly id: string;
  readonly plan: string;
  /** Of a checkpoint the one before it. */
  readonly wave: number;
  readonly state: string;
  readonly is_checkpoint: boolean;
  /** Somebody claimed it once. */
  readonly is_claimed: boolean;
}

export interface Length {
  readonly waves: number;
  /** Tasks of each wave. */
  readonly each: number;
}

const PARALLEL = 4;

export function writePlan(arena: Arena, name: string, { waves, each }: Length, head = ''): void {
  const item = (wave: number, n: number): string => {
    const first = n % 5 === 0 || n === 1 ? '' : `, depends: ${wave}.${n - 1}`;
    return `- [ ] ${wave}.${n} Part ${n} of wave ${wave} (verify: \`run: test -s here.txt\`${first})\n  - [ ] It was done\n`;
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
  const text = numbers(waves).map(
    (wave) =>
      `## Wave ${wave}\n\n${numbers(each)
        .map((n) => item(wave, n))
        .join('')}`,
  );
  putFile(
    join(arena.root, '.contracts/plans', name, 'plan.md'),
    `# ${name}\n${head}\n${text.join('\n')}`,
  );
}

export function planText(arena: Arena, name: string): string {
  return readFileSync(join(arena.root, '.contracts/plans', name, 'plan.md'), 'utf8');
}

export function planTasks(arena: Arena, plan: string): readonly PlanTask[] {
  return STATES.flatMap((state) =>
    readdirSync(join(arena.tasks, state)).flatMap((id): PlanTask[] => {
      const folder = join(arena.tasks, state, id);
      const head = (name: string) => field(join(folder, 'contract.md'), name);
      if (head('plan') !== plan) return [];
      const is_checkpoint = head('type') === 'checkpoint';
      const is_claimed = existsSync(join(folder, 'attempts'));
      return [{ id, plan, wave: Number(head('wave')), state, is_checkpoint, is_claimed }];
    }),
  );
}

/** Ids of tasks, each as often as an agent was called for it. */
export function calls(arena: Arena): readonly string[] {
  return arena.ledger().flatMap(({ word, task }) => (word === 'start' ? [task] : []));
}

export async function said(arena: Arena, ...args: string[]): Promise<Ended> {
  const ended = await contracts(arena.root, args);
  // 1 is what waits for a person.
  if (ended.code !== 0 && ended.code !== 1) {
    throw new Error(`contracts ${args.join(' ')}: ${ended.code} ${ended.stdout}${ended.stderr}`);
  }
  return ended;
}

export function run(arena: Arena, ...args: string[]): Promise<Ended> {
  return said(arena, 'run', '--parallel', String(PARALLEL), ...args);
}

/** A runner dies at a moment of its own; who was in progress then may be called once more. */
export async function killedSometime(arena: Arena, after: number): Promise<readonly string[]> {
  const before = calls(arena).length;
  const one = startContracts(arena.root, ['run', '--parallel', String(PARALLEL)]);
  try {
    await until('some calls', () => calls(arena).length >= before + after);
  } finally {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  return readdirSync(join(arena.tasks, 'in_progress'));
}

/**
 * A runner dies while as many agents work as may: what they were called for. They go on working, and
 * are let go by `arena.order('go')`.
 */
export async function killedAtWork(arena: Arena): Promise<readonly string[]> {
  const before = calls(arena).length;
  const started: Started[] = [];
  try {
    arena.order('holds');
    const one = startContracts(arena.root, ['run', '--parallel', String(PARALLEL)]);
    started.push(one);
    await until('agents at work', () => calls(arena).length === before + PARALLEL);
    one.child.kill('SIGKILL');
    const { signal } = await one.ended;
    if (signal !== 'SIGKILL') throw new Error(`the runner ended by itself: ${one.stdout()}`);
    return calls(arena).slice(before);
  } catch (error) {
    sweep(arena, started);
    throw error;
  }
}
