/**
 * Whether an agent may be called as the files of the project describe it. When one that describes agents
 * or skills changed while an agent worked that had no right to it, a file in the settings says so; whom
 * it describes is not called until a person has looked and taken that file away, or it is again as it
 * was before.
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { AGENT_PLACES, FOLDER_FILES, SKILL_PLACES } from '../catalog/places.ts';
import { lazily } from '../core/lazily.ts';
import { onceFor } from '../core/once-for.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { Disk } from '../store/disk.ts';
import { sha256 } from '../store/hash.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../store/layout.ts';
import { bytesAt } from '../store/sight.ts';
import { parseRecord } from '../text/record.ts';
import type { Workspace } from './workspace.ts';

export const UNTRUSTED_AGENTS = 'untrusted-agents.md';
export const UNTRUSTED_FILE = `${SETTINGS}/${UNTRUSTED_AGENTS}`;
const DESCRIBING_BYTES_MAX = 1024 * 1024;

const recordSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    changed: z.array(
      z.object({
        path: z.string(),
        task: z.string(),
        attempt: z.int(),
        /** Of its bytes; empty where it was not there, left out where that is not known. */
        before: z.optional(z.string()),
      }),
    ),
  }),
);
export type Distrusted = z.infer<ReturnType<typeof recordSchema>>['changed'][number];

/** As it is now; empty where nothing is. */
export function describingDigest(disk: Disk, root: string, path: string): string {
  const bytes = bytesAt(disk, join(root, path), DESCRIBING_BYTES_MAX);
  return bytes === undefined ? '' : sha256(bytes);
}

/** All that is noted; undefined where the file cannot be read: then nobody knows whom it is about. */
export function readDistrusted(disk: Disk, root: string): readonly Distrusted[] | undefined {
  if (disk.stat(join(root, UNTRUSTED_FILE)) === undefined) return [];
  const bytes = bytesAt(disk, join(root, UNTRUSTED_FILE), TEXT_BYTES_MAX);
  const read = parseRecord(Buffer.from(bytes ?? []).toString('utf8'), UNTRUSTED_FILE);
  const record = read.ok ? recordSchema().safeParse(read.value.head) : undefined;
  return record?.success === true ? record.data.changed : undefined;
}

/** What is not as it was; read once for each look at the tasks. */
const distrusted = /* @__PURE__ */ onceFor(({ disk, layout: { root } }: Workspace) =>
  readDistrusted(disk, root)?.filter(
    ({ path, before }) => before === undefined || before !== describingDigest(disk, root, path),
  ),
);

export interface Described {
  readonly name: string;
  /** The file that describes it. */
  readonly file: () => string | undefined;
  readonly skills: () => readonly string[];
}

/** Why this agent is not called; undefined when it may be. */
export function agentDistrusted(ws: Workspace, agent: Described): Problem | undefined {
  const all = distrusted(ws);
  if (all?.length === 0) return undefined;
  const file = agent.file();
  const skills = agent.skills();
  const found = (all ?? []).filter(
    ({ path }) =>
      path === file || isNamedBy(path, agent.name) || skills.some((one) => isOfSkill(path, one)),
  );
  if (all !== undefined && found.length === 0) return undefined;
  const words =
    all === undefined
      ? `${UNTRUSTED_FILE} cannot be read`
      : found.map((one) => `${one.path} ${changedWords(one)}`).join('; ');
  return problem({
    code: 'environment',
    file: UNTRUSTED_FILE,
    message: `${agent.name} is not called: ${words}`,
    fix: `Look at ${found.map(({ path }) => path).join(', ') || 'it'}; when all is right there, remove ${UNTRUSTED_FILE}, else put it back as it was`,
  });
}

export function changedWords({ task, attempt }: Pick<Distrusted, 'task' | 'attempt'>): string {
  return `changed while attempt ${attempt} of ${task} ran, which had no right to it`;
}

/** As long as the file is there: a warning, because it holds back nobody but whom it is about. */
export function agentsUntrusted(ws: Workspace): Problem | undefined {
  if (ws.disk.stat(join(ws.layout.root, UNTRUSTED_FILE)) === undefined) return undefined;
  const all = distrusted(ws);
  const [first, ...more] = all ?? [];
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  const message =
    all === undefined
      ? 'it cannot be read, and no agent is called'
      : first === undefined
        ? 'what describes agents changed while an agent worked, and is again as it was before'
        : `${first.path} ${changedWords(first)}${others}: whom it describes is not called`;
  return problem({
    code: 'environment',
    severity: first === undefined && all !== undefined ? 'warning' : 'error',
    file: UNTRUSTED_FILE,
    message,
    fix:
      first === undefined
        ? `Remove ${UNTRUSTED_FILE}`
        : `Look at ${first.path}; when all is right there, remove ${UNTRUSTED_FILE}`,
  });
}

/** Also of a file that is gone, or that hides another one. */
function isNamedBy(path: string, name: string): boolean {
  return AGENT_PLACES.some(({ base, folder }) => {
    if (base !== 'project' || !path.startsWith(`${folder}/`)) return false;
    const parts = path.slice(folder.length + 1).split('/');
    const last = parts.pop() ?? '';
    const named = FOLDER_FILES.has(last) ? parts : [...parts, last.replace(/\.(?:md|toml)$/, '')];
    return named.join('/') === name;
  });
}

function isOfSkill(path: string, skill: string): boolean {
  return SKILL_PLACES.some(
    ({ base, folder }) => base === 'project' && path.startsWith(`${folder}/${skill}/`),
  );
}
