/** What the runner wrote itself is no change of an agent's; what anybody else wrote in between is. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOwnWrite, putOwn } from '../../src/engine/own-writes.ts';
import { sha256 } from '../../src/store/hash.ts';
import { markAt } from '../../src/store/sight.ts';
import { openWorkspace, type Workspace } from '../../src/engine/workspace.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contracts-own-'));
  mkdirSync(join(root, 'active_tasks'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function opened(): Workspace {
  const ws = openWorkspace({ dir: root });
  if (!ws.ok) throw new Error(JSON.stringify(ws.problems));
  return ws.value;
}

test('a chain of own writes is known, and a foreign one in between breaks it', () => {
  const ws = opened();
  const path = join(root, 'notes.md');
  const write = (text: string): string | undefined => {
    const seen = markAt(ws.disk, path) === undefined ? undefined : sha256(readFileSync(path));
    expect(putOwn(ws, path, seen, Buffer.from(text))).toBe('put');
    return markAt(ws.disk, path);
  };
  const one = write('one');
  const two = write('two, longer');
  const is = (a: string | undefined, b: string | undefined) => isOwnWrite(ws, 'notes.md', a, b);
  expect([is(undefined, one), is(undefined, two), is(one, two)]).toEqual([true, true, true]);
  expect([is(two, one), is(one, one), is(two, undefined)]).toEqual([false, false, false]);
  writeFileSync(path, 'foreign, and longer than that');
  const foreign = markAt(ws.disk, path);
  const last = write('after that');
  expect([is(two, foreign), is(two, last), is(undefined, last)]).toEqual([false, false, false]);
  expect(is(foreign, last)).toBe(true);
  expect(isOwnWrite(ws, 'other.md', one, two)).toBe(false);
  expect(isOwnWrite(opened(), 'notes.md', one, two)).toBe(false);
});

test('what was not written is not remembered', () => {
  const ws = opened();
  const path = join(root, 'notes.md');
  writeFileSync(path, 'a person');
  const before = markAt(ws.disk, path);
  expect(putOwn(ws, path, sha256('somebody'), Buffer.from('no'))).toBe('changed');
  expect(isOwnWrite(ws, 'notes.md', before, markAt(ws.disk, path))).toBe(false);
});
