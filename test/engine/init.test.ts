/** init at a death or a full disk: whole or nothing, and the next init completes what the first one began. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { CHANGES, faultyDisk, unsyncedDisk, type FaultKind } from '../support/faulty-disk.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

/** Paths with their texts, without temporaries. */
function tree(root: string): Record<string, string> {
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const paths = entries.filter(({ name }) => !name.startsWith('.tmp-'));
  return Object.fromEntries(
    paths.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path.slice(root.length), one.isFile() ? fs.readFileSync(path, 'utf8') : 'folder'];
    }),
  );
}

const FAULTS: readonly FaultKind[] = [
  { kind: 'die_before' },
  { kind: 'die_after' },
  { kind: 'die_torn' },
  { kind: 'errno', code: 'ENOSPC', for_good: true },
];

test.each(FAULTS)('after %o at any change the next init makes the whole', (fault) => {
  const whole = sealedFolder('whole');
  const disk = faultyDisk(-1, undefined, unsyncedDisk);
  init(disk, whole);
  const changes = [...disk.trace.entries()].filter(([, one]) => CHANGES.has(one.operation));
  expect(changes.length).toBeGreaterThan(50);
  for (const [at] of changes) {
    const root = sealedFolder('init');
    expect(() => init(faultyDisk(at, fault, unsyncedDisk), root)).toThrow();
    // No file of ours is there in part.
    const torn = Object.entries(tree(root)).filter(([path, text]) => tree(whole)[path] !== text);
    expect(torn, String(at)).toEqual([]);
    init(unsyncedDisk, root);
    expect(tree(root), String(at)).toEqual(tree(whole));
    fs.rmSync(root, { recursive: true });
  }
});

test('all that init made is durable before it ends', () => {
  const disk = faultyDisk(-1, undefined, unsyncedDisk);
  const root = sealedFolder('init');
  init(disk, root);
  const lost = disk.trace.filter(({ operation, path, to = path }, at) => {
    const isSynced = disk.trace
      .slice(at)
      .some((one) => one.operation === 'sync' && one.path === dirname(to));
    return ['mkdir', 'rename'].includes(operation) && !isSynced;
  });
  expect(lost).toEqual([]);
});
