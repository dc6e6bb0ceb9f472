/** A runner that is ended at each operation that changes the files of a capability. Its death is MOCK, as its agents are. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { CHANGES, Died, faultyDisk, unsyncedDisk, type FaultKind } from '../support/faulty-disk.ts';
import type { FaultyDisk } from '../support/faulty-disk.ts';
import type { Script } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

export const CONFIG = 'adapter: me\nadapters:\n  me: { type: claude, run: [sh] }\n';

export function contractOf(title: string, head = ''): string {
  return `---\ntitle: ${title}\n${head}verify: ["file_exists: here.txt"]\n---\n\n# ${title}\n\n## Success Criteria\n\n- [ ] it is there\n`;
}

export const handsIn =
  (more: string): Script =>
  ({ desk }) => {
    const text = `- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n\n${more}`;
    writeFileSync(join(desk, 'result.md'), text);
    return 0;
  };

export interface Setting {
  readonly files: Readonly<Record<string, string>>;
  readonly script: Script;
  /** Folders whose files are compared, and at whose changes the runner dies. */
  readonly folders: readonly string[];
  /** All that came to its end. */
  readonly done: readonly string[];
}

export function worldOf({ files }: Pick<Setting, 'files'>): World {
  const world = makeWorld();
  world.write('.contracts/config.yaml', CONFIG);
  world.write('here.txt', 'here\n');
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
}

/** What a process says, until it dies or nothing moves any more. */
export async function stepped(world: World, script: Script, disk: FaultyDisk): Promise<string[]> {
  const said: string[] = [];
  const { ws } = world.process({ script, disk });
  const dies = (error: unknown): undefined => {
    if (!(error instanceof Died)) throw error;
  };
  for (let steps = 0; steps < 10; steps++) {
    const emit = (event: { event: string; reason?: string }): void =>
      void (event.event === 'moved' && said.push(event.reason ?? ''));
    const stepping = step(ws, { emit: emit as never }).catch(dies);
    const report = await Promise.race([stepping, disk.died.then(() => undefined)]);
    if (report?.progressed !== true) break;
  }
  return said;
}

const freshDisk = (at = -1, fault?: FaultKind): FaultyDisk => faultyDisk(at, fault, unsyncedDisk);

/** Texts without times, and without how many tasks were done when they were written: it may be one more. */
export function filesIn(root: string, folders: readonly string[]): Record<string, string> {
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => statSync(join(root, path)).isFile() && !path.includes('.tmp-'));
  const text = (path: string): string =>
    readFileSync(join(root, path), 'utf8')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW')
      .replaceAll(/^done: \d+\n/gm, '');
  return Object.fromEntries(files.toSorted().map((path) => [path, text(path)]));
}

/** Returns what is there without a death; with one at any place it is the same. */
export async function killedEverywhere(setting: Setting): Promise<{
  files: Record<string, string>;
  said: readonly string[];
}> {
  const { script, folders, done } = setting;
  const clean = worldOf(setting);
  const disk = freshDisk();
  const said = await stepped(clean, script, disk);
  const files = filesIn(clean.root, folders);
  for (const id of done)
    expect(existsSync(join(clean.root, 'active_tasks/done', id)), id).toBe(true);
  const isOurs = (path = ''): boolean =>
    folders.some((one) => path.startsWith(join(clean.root, one)));
  const places = disk.trace.flatMap(({ operation, path, to }, at) =>
    CHANGES.has(operation) && (isOurs(path) || isOurs(to)) ? [at] : [],
  );
  expect(places.length).toBeGreaterThan(5);
  for (const at of places) {
    for (const kind of ['die_before', 'die_after', 'die_torn'] as const) {
      const world = worldOf(setting);
      const first = await stepped(world, script, freshDisk(at, { kind }));
      const then = await stepped(world, script, freshDisk());
      const where = `${kind} ${disk.trace[at]?.operation} ${disk.trace[at]?.path}`;
      expect(filesIn(world.root, folders), where).toEqual(files);
      for (const id of done)
        expect(existsSync(join(world.root, 'active_tasks/done', id)), where).toBe(true);
      expect([...first, ...then].toSorted(), where).toEqual(said.toSorted());
    }
  }
  return { files, said };
}
