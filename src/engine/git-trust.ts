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
/** So many of them stand in one line. */
const NAMED_MAX = 5;

const untrustedSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    task: z.string(),
    attempt: z.int(),
    /** What changed, as a person finds it. */
    paths: z.optional(z.array(z.string())),
    /** Of the configuration before the agent was called; empty when it is not known. */
    before: z.string(),
  }),
);

/** What configures git now; empty where there is no repository. */
export function gitTrusted(disk: Disk, root: string): string {
  const git = findGit(disk, root);
  return git === undefined ? '' : gitConfiguration(disk, git);
}

interface Configuring {
  readonly path: string;
  readonly words: string;
}

/** `before` is what gitTrusted said when the agent was called. The first word of it stands. */
export function distrustGit(
  running: Running,
  before: string,
  configuring: readonly Configuring[],
): void {
  const { ws, id, number } = running;
  const { root } = ws.layout;
  if (configuring.length === 0 || before === gitTrusted(ws.disk, root)) return;
  if (ws.disk.stat(join(root, FILE)) !== undefined) return;
  const told = configuring.slice(0, NOTICED_MAX);
  const body = [
    '# git is not run here',
    '',
    `What configures git changed while attempt ${number} of ${id} ran. It can name programs that git then runs. Look at it; when all is right, remove this file.`,
    '',
    ...told.map(({ words }) => `- ${JSON.stringify(words)}`),
    '',
  ].join('\n');
  const record = renderRecord(
    { v: 1, task: id, attempt: number, paths: told.map(({ path }) => path), before },
    body,
  );
  put(ws.putting, join(root, FILE), Buffer.from(record, 'utf8'));
  const said = gitDistrusted(ws.disk, root);
  if (said !== undefined) running.emit({ event: 'problem', problem: said });
}

/** undefined when it may be run: nobody said otherwise, or all is as it was before. */
export function gitDistrusted(disk: Disk, root: string): Problem | undefined {
  const said = gitUntrusted(disk, root);
  return said?.severity === 'error' ? said : undefined;
}

/** As long as the file is there: an error while git is not run, else that the file may go. */
export function gitUntrusted(disk: Disk, root: string): Problem | undefined {
  if (disk.stat(join(root, FILE)) === undefined) return undefined;
  const bytes = bytesAt(disk, join(root, FILE), TEXT_BYTES_MAX);
  const read = parseRecord(Buffer.from(bytes ?? []).toString('utf8'), FILE);
  const record = read.ok ? untrustedSchema().safeParse(read.value.head) : undefined;
  const { before = '', paths } = record?.success === true ? record.data : {};
  const of =
    record?.success === true ? ` (attempt ${record.data.attempt} of ${record.data.task})` : '';
  if (before !== '' && before === gitTrusted(disk, root)) {
    const message = `what configures git changed while an agent worked${of}, and is again as it was before`;
    const fix = `Remove ${FILE}`;
    return problem({ code: 'environment', severity: 'warning', file: FILE, message, fix });
  }
  return problem({
    code: 'environment',
    file: FILE,
    message: `git is not run: what configures it changed while an agent worked${of}`,
    fix: `Look at ${named(paths)}; when all is right there, remove ${FILE}`,
  });
}

function named(paths: readonly string[] = ['.git/config', '.git/hooks']): string {
  const left = paths.length - NAMED_MAX;
  const listed = paths.slice(0, NAMED_MAX).join(', ');
  return left > 0 ? `${listed} and ${left} more` : listed;
}
