/**
 * Notes that files which describe agents or skills changed while an agent worked that had no right to
 * them: the next look calls nobody whom they describe (agent-trust.ts). Whatever was noted before stays.
 */
import { join } from 'node:path';
import { AGENT_PLACES, SKILL_PLACES } from '../../catalog/places.ts';
import type { Found } from '../../core/judge-changes.ts';
import { sha256 } from '../../store/hash.ts';
import { put } from '../../store/put.ts';
import { renderRecord } from '../../text/record.ts';
import {
  changedWords,
  describingDigest,
  readDistrusted,
  UNTRUSTED_FILE,
  type Distrusted,
} from '../agent-trust.ts';
import type { Running } from '../attempt/running.ts';
import type { Witness } from './witness.ts';

const NOTED_MAX = 200;

/** What was seen of the tree, and what was kept of it. */
interface Before extends Pick<Witness, 'kept'> {
  readonly files: ReadonlyMap<string, string> | undefined;
}

export function distrustAgents(
  { ws, id, number }: Running,
  witness: Before,
  found: readonly Found[],
): void {
  const { root } = ws.layout;
  const before = readDistrusted(ws.disk, root) ?? [];
  const changed = found.flatMap(({ area, path }): Distrusted[] => {
    if ((area !== 'file' && area !== 'settings') || !isDescribing(path)) return [];
    if (before.some((one) => one.path === path)) return [];
    const was = digestBefore(witness, path);
    if (was === describingDigest(ws.disk, root, path)) return [];
    return [{ path, task: id, attempt: number, ...(was === undefined ? {} : { before: was }) }];
  });
  if (changed.length === 0) return;
  const all = [...before, ...changed].slice(0, NOTED_MAX);
  const body = [
    '# Agents that are not called',
    '',
    'What describes them changed while an agent worked that had no right to it; by whom is not always known. Look at it; when all is right, remove this file. What is put back as it was counts no more.',
    '',
    ...all.map((one) => `- ${JSON.stringify(one.path)} ${changedWords(one)}`),
    '',
  ].join('\n');
  const record = renderRecord({ v: 1, changed: all }, body);
  put(ws.putting, join(root, UNTRUSTED_FILE), Buffer.from(record, 'utf8'));
}

/** Of a file that was not kept it is not known. */
function digestBefore({ kept, files }: Before, path: string): string | undefined {
  if (files?.has(path) !== true) return '';
  const bytes = kept.get(path)?.bytes;
  return bytes === undefined ? undefined : sha256(bytes);
}

/** Describes agents or skills of the project. */
function isDescribing(path: string): boolean {
  return [...AGENT_PLACES, ...SKILL_PLACES].some(
    ({ base, folder, skip = [] }) =>
      base === 'project' &&
      path.startsWith(`${folder}/`) &&
      !skip.includes(path.slice(folder.length + 1).split('/')[0] ?? ''),
  );
}
