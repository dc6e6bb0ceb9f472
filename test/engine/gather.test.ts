/** `wait` in a workspace: what ends it, behind children, rivals and files that cannot be read. */
import { beforeEach, expect, test } from 'vitest';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { delegate } from '../../src/engine/commands/delegate.ts';
import { gather } from '../../src/engine/queries/gather.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root: string;
beforeEach(() => {
  root = sealedFolder('gather');
  fs.mkdirSync(join(root, '.contracts'));
  fs.writeFileSync(
    join(root, '.contracts/config.yaml'),
    'adapter: mine\nadapters: { mine: { type: command, run: [sh, agent.sh] } }\n',
  );
});

function put(place: string, head: string): void {
  const text = `---\ntitle: A task\n${head}---\n\n## Success Criteria\n\n- [ ] it is there\n`;
  putFile(join(root, 'active_tasks', place, 'contract.md'), text);
}

function write(file: string, text: string): void {
  fs.writeFileSync(join(root, 'active_tasks', file), text);
}

const ASKS = '# Questions\n\n## Questions\n\n1. Which?\n\n### Answer\n\n';
const DONE = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';

function opened(disk: Disk = realDisk): Workspace {
  return { ...openedAt(root, { disk }), trusted: true };
}

/** What is waited for when the wait ends; `goes on` where it would not end by itself. */
async function waits(id: string, ws: Workspace = opened()) {
  const ends = new AbortController();
  const onWait = () => Promise.resolve(ends.abort());
  const options = { signal: ends.signal, timeout_ms: Infinity, onWait };
  const [one] = (await gather(ws, [id], options)).pending;
  return [ends.signal.aborted ? 'goes on' : 'ends', one?.code, one?.waits_for, one?.fix];
}

test('a task for a host ends it; once a host has the task it goes on', async () => {
  put('ready/a', 'adapter: host\n');
  expect(await waits('a')).toEqual(['ends', 'to_delegate', 'host', 'contracts delegate a']);
  const taken = await delegate(
    { ws: opened(), emit: () => undefined, signal: new AbortController().signal },
    'a',
  );
  expect(taken.ok).toBe(true);
  expect(await waits('a')).toEqual(['goes on', 'delegated', 'host', 'contracts collect a']);
});

test('a parent waits with its children: one that asks a person or needs a host ends it', async () => {
  put('ready/a', '');
  put('ready/c', 'parent: a\n');
  expect(await waits('a')).toEqual(['goes on', 'children', 'task', 'contracts show c']);
  put('ready/c', 'parent: a\nadapter: host\n');
  expect((await waits('a'))[0]).toBe('ends');
  fs.rmSync(join(root, 'active_tasks/ready/c'), { recursive: true });
  put('questions/c', 'parent: a\n');
  write('questions/c/questions.md', ASKS);
  expect((await waits('a'))[0]).toBe('ends');
});

test('a task behind one that writes the same file: it ends where that one needs a person', async () => {
  put('ready/a', 'deliverables: [x.txt]\n');
  put('review/b', 'deliverables: [x.txt]\n');
  expect(await waits('a')).toEqual(['ends', 'same_file', 'task', 'contracts show b']);
  write('review/b/result.md', DONE);
  expect(await waits('a')).toEqual(['goes on', 'same_file', 'task', 'contracts show b']);
});

test('a task that cannot be read ends it, with the cause', async () => {
  put('ready/a', '');
  const read: Disk['read'] = (path, ...rest) => {
    if (!path.endsWith('/a/contract.md')) return realDisk.read(path, ...rest);
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  const ws = opened({ ...realDisk, read });
  expect(await waits('a', ws)).toEqual(['ends', 'problem', 'person', 'contracts show a']);
});
