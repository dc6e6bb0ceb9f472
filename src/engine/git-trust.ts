/**
 * Whether the runner may run git here. When the configuration of the repository, its hooks or its
 * attributes changed while an agent worked, a file in the settings says so, and git is not run until a
 * person has looked and taken that file away, or everything is again as it was before.
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { lazily } from '../core/lazily.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { Disk } from '../store/disk.ts';
import { findGit, gitConfiguration } from '../store/git-sight.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../store/layout.ts';
import { put } from '../store/put.ts';
import { bytesAt } from '../store/sight.ts';
import { parseRecord, renderRecord } from '../text/record.ts';
import type { Running } from './attempt/running.ts';

export const UNTRUSTED = 'untrusted-git.md';
const FILE = `${SETTINGS}/${UNTRUSTED}`;
const NOTICED_MAX = 50;

const untrustedSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    task: z.string(),
    attempt: z.int(),
    /** Of the configuration before the agent was called; empty when it is not known. */
    before: z.string(),
  }),
);

/** What configures git now; empty where there is no repository. */
export function gitTrusted(disk: Disk, root: string): string {
  const git = findGit(disk, root);
  return git === undefined ? '' : gitConfiguration(disk, git);
}

/** `before` is what gitTrusted said when the agent was called. The first word of it stands. */
export function distrustGit(running: Running, before: string, words: readonly string[]): void {
  const { ws, id, number } = running;
  const { root } = ws.layout;
  if (words.length === 0 || before === gitTrusted(ws.disk, root)) return;
  if (ws.disk.stat(join(root, FILE)) !== undefined) return;
  const body = [
    '# git is not run here',
    '',
    `What configures git changed while attempt ${number} of ${id} ran. It can name programs that git then runs. Look at it; when all is right, remove this file.`,
    '',
    ...words.slice(0, NOTICED_MAX).map((one) => `- ${JSON.stringify(one)}`),
    '',
  ].join('\n');
  const record = renderRecord({ v: 1, task: id, attempt: number, before }, body);
  put(ws.putting, join(root, FILE), Buffer.from(record, 'utf8'));
  const said = gitDistrusted(ws.disk, root);
  if (said !== undefined) running.emit({ event: 'problem', problem: said });
}

/** undefined when it may be run. */
export function gitDistrusted(disk: Disk, root: string): Problem | undefined {
  if (disk.stat(join(root, FILE)) === undefined) return undefined;
  const bytes = bytesAt(disk, join(root, FILE), TEXT_BYTES_MAX);
  const read = parseRecord(Buffer.from(bytes ?? []).toString('utf8'), FILE);
  const record = read.ok ? untrustedSchema().safeParse(read.value.head) : undefined;
  const before = record?.success === true ? record.data.before : '';
  if (before !== '' && before === gitTrusted(disk, root)) return undefined;
  const of =
    record?.success === true ? ` (attempt ${record.data.attempt} of ${record.data.task})` : '';
  return problem({
    code: 'environment',
    file: FILE,
    message: `git is not run: what configures it changed while an agent worked${of}`,
    fix: `Look at .git/config and .git/hooks; when they are right, remove ${FILE}`,
  });
}
