/**
 * Before each test file: what it makes is its own, and goes with it, however long the disk takes. Files of the
 * default set share processes, so that each must leave its process as it was.
 */
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { sealFile } from './sealed-folder.ts';
import { isPlayed } from './share.ts';
import { hasChildren, noSurvivors, reaped, uptime_s } from './survivors.ts';

const PATIENCE_MS = 10_000;
const { folder, remove } = sealFile();
const atStart = reaped();
const before = around();

function around() {
  const heard = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  const globals = { Date, fetch, setTimeout };
  return { cwd: process.cwd(), env: { ...process.env }, heard: Object.fromEntries(heard), globals };
}

/** Whether a process was started since: one of its children lives, or was reaped. */
const hasStarted = (since: string): boolean => reaped() !== since || hasChildren();

beforeEach(({ task, skip }) => {
  if (!isPlayed(task.file.name, task.id))
    skip('not in the part of its file that this commit plays');
});

// The first to register is the last to run: behind all that the test itself ends.
beforeEach(({ task, onTestFinished }) => {
  if (task.concurrent === true) return;
  const [since, since_s] = [reaped(), uptime_s()];
  onTestFinished(async () => {
    if (hasStarted(since)) await noSurvivors(folder, since_s, PATIENCE_MS);
  }, 0);
});

afterAll(async () => {
  if (hasStarted(atStart)) await noSurvivors(folder, 0, PATIENCE_MS);
  vi.unstubAllEnvs();
  const after = around();
  remove();
  expect(after).toEqual(before);
}, 0);
