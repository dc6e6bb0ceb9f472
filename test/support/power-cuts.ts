/**
 * Stories played on a disk whose power may go: whether all that was told and all that an agent is
 * started upon would survive a cut at that very moment, and whether the story comes to the same end
 * after a cut. Knows the promise only through events and opened gates.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/task/core/lines/event.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { DURABLE, violations } from './crash-checks.ts';
import type { Clean } from './crash-campaign.ts';
import { play, type Life, type PlayOptions } from './crash-play.ts';
import type { Story } from './crash-tree.ts';
import { PowerCutDisk, type Ignores } from './power-cut-disk.ts';

/** Events after which what they tell must be durable. */
const TOLD: ReadonlySet<Event['event']> = new Set([
  'moved',
  'ended',
  'claimed',
  'recovered',
  'wrote',
]);

export interface Durability {
  readonly findings: readonly string[];
  readonly sites: ReadonlySet<string>;
}

/** Plays through and looks, at each told event and each opened gate, what a cut would take back. */
export async function lookAtDurability(
  story: Story,
  lives: readonly Life[],
  ignores?: Ignores,
): Promise<Durability> {
  const findings: string[] = [];
  const disks: PowerCutDisk[] = [];
  const delivered = new Set<string>();
  const look = (when: string, id: string, done = false): void => {
    const disk = disks.at(-1);
    if (disk === undefined) return;
    disk.takeIn();
    const places = STATES.map((state) => `active_tasks/${state}/${id}`);
    const lost = [...places, ...(done ? delivered : [])].flatMap((one) => disk.notDurable(one));
    findings.push(...lost.map((one) => `${story.name}, ${when}: ${one}`));
  };
  const options: PlayOptions = {
    lives,
    disk_of: (root) => withoutEmptyStates(root, disks, ignores),
    every_life: true,
    onEvent: (event) => {
      if (TOLD.has(event.event) && 'task' in event && event.task !== undefined) {
        look(`told ${event.event}`, event.task, event.event === 'moved' && event.to === 'done');
      }
    },
    onAgentWrote: (path) => {
      disks.at(-1)?.takeIn(false);
      if (!path.includes('.desk')) delivered.add(path);
    },
    onAgentEnded: () => disks.at(-1)?.syncAll(),
    onOpen: (call) => look(`gate of ${call.kind} opens`, call.task),
  };
  const played = await play(story, options);
  played.world.remove();
  return { findings, sites: disks[0]?.sites ?? new Set() };
}

/** git drops empty folders: the runner makes them, and what is in them must not go with them. */
function withoutEmptyStates(
  root: string,
  disks: PowerCutDisk[],
  ignores: Ignores | undefined,
): PowerCutDisk {
  const top = join(root, 'active_tasks');
  for (const state of STATES) {
    const names = fs.readdirSync(join(top, state));
    if (names.every((name) => name === '.gitkeep'))
      fs.rmSync(join(top, state), { recursive: true });
  }
  const disk = new PowerCutDisk(root, ignores);
  disks.push(disk);
  return disk;
}

/** Dies there, the power goes, and another process goes on with what is left. */
export async function playWithCut(
  clean: Clean,
  life: Life,
  survives: (index: number) => boolean,
): Promise<string[]> {
  const disks: PowerCutDisk[] = [];
  const lives = [life];
  const where = `cut after ${JSON.stringify(life)}`;
  try {
    const played = await play(clean.story, {
      lives,
      disk_of: (root) => withoutEmptyStates(root, disks, undefined),
      onAgentWrote: () => disks.at(-1)?.takeIn(false),
      onAgentEnded: () => disks.at(-1)?.syncAll(),
      afterLife: () => disks.at(-1)?.cut(survives),
    });
    const wrong = violations(clean.story, played, clean.wanted, lives, DURABLE);
    played.world.remove();
    return wrong.map((one) => `${clean.story.name}, ${where}: ${one}`);
  } catch (error) {
    return [
      `${clean.story.name}, ${where}: threw ${error instanceof Error ? error.stack : 'something'}`,
    ];
  }
}

/** Which pending operations come through a cut: none, every second, a spread by number. */
export const SURVIVORS: readonly ((index: number) => boolean)[] = [
  () => false,
  (i) => i % 2 === 0,
  (i) => i % 2 === 1,
  (i) => (i * 7 + 3) % 5 < 2,
];
