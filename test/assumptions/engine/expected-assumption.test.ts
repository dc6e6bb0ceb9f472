/** What a runner collects is no agent's doing; what only looks like it is. Processes and agents are MOCK. */
import { beforeEach, expect, test } from 'vitest';
import { assumptions as capability } from '../../../src/assumptions/engine/capability.ts';
import type { Workspace } from '../../../src/workspace/open/workspace.ts';
import { contractOf, filesIn, handsIn, stepped, worldOf } from '../../memory/killed-runner.ts';
import { faultyDisk, unsyncedDisk } from '../../support/faulty-disk.ts';
import type { World } from '../../support/world.ts';

const KEPT = '.contracts/assumptions/prices-are-in-euros.md';
let world: World;
let ws: Workspace;
let text = '';
beforeEach(async () => {
  const files = { 'active_tasks/ready/one/contract.md': contractOf('Prices', 'plan: shop\n') };
  world = worldOf({ files });
  const said = '## Assumptions\n\n- Prices are in euros (confidence 0.4)\n';
  await stepped(world, handsIn(said), faultyDisk(-1, undefined, unsyncedDisk));
  ws = world.process({ disk: unsyncedDisk }).ws;
  world.write('active_tasks/ready/two/contract.md', contractOf('Two'));
  text = filesIn(world.root, ['.contracts/assumptions'])[KEPT] ?? '';
});

function isRunners(path: string, now: string, before?: string): boolean {
  world.write(path, now);
  const files = {
    has: (name: string) => name === path && before !== undefined,
    bytes: () => (before === undefined ? undefined : Buffer.from(before)),
  };
  return capability.expected_write?.(ws, files, path) === true;
}

test.each<[says: string, is: boolean, path: string, change: (text: string) => string]>([
  ['what a result says', true, KEPT, (now) => now],
  [
    'what a person settled, or an agent as one',
    false,
    KEPT.replace('assumptions/', 'assumptions/rejected/'),
    (now) => now,
  ],
  ['other words', false, KEPT, (now) => now.replace('euros', 'francs')],
  ['another kind', false, KEPT, (now) => now.replace('kind: assumption', 'kind: decision')],
  ['of nobody', false, KEPT, (now) => now.replace('- one', '- two')],
  ['of a command', false, KEPT, (now) => now.replace('- one\n', '- one\n  - "; rm -rf ~"\n')],
  ['asked already', false, KEPT, (now) => now.replace('created', 'asked: true\ncreated')],
  ['elsewhere', false, '.contracts/assumptions/deep/er/a.md', (now) => now],
])('a new file, %s: %s', (_, is, path, change) => {
  expect(text).toContain('- one\n');
  expect(isRunners(path, change(text))).toBe(is);
});

test.each<[says: string, is: boolean, change: (text: string) => string]>([
  ['one more source', true, (now) => now.replace('- one\n', '- one\n  - two\n')],
  ['a command for a source', false, (now) => now.replace('- one\n', '- one\n  - "; ls #"\n')],
  ['asked', false, (now) => now.replace('created', 'asked: true\ncreated')],
  ['not asked for long', false, (now) => now.replace('created', 'done: 999999\ncreated')],
  ['less sure', true, (now) => now.replace('0.4', '0.3')],
  ['surer', false, (now) => now.replace('0.4', '0.9')],
  ['other words', false, (now) => now.replace('euros', 'francs')],
  ['another kind', false, (now) => now.replace('kind: assumption', 'kind: decision')],
  ['another plan', false, (now) => now.replace('plan: shop', 'plan: other')],
  ['no words', false, () => ''],
])('a change, %s: %s', (_, is, change) => {
  expect(isRunners(KEPT, change(text), text)).toBe(is);
});
