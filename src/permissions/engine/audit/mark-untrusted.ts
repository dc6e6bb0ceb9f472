/**
 * Takes the trust away when what is obeyed changed while an agent worked that had no right to it: agents
 * and skills of the project, settings of the runner and of clients, what configures git (changed-settings.ts).
 */
import { AGENT_PLACES, SKILL_PLACES, SQUAD_PLACES } from '../../../agents/core/places.ts';
import type { Found } from '../../core/judge-changes.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { SETTINGS } from '../../../task/store/tasks/layout.ts';
import { isWithin } from '../../../task/core/base/folders.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { trustFolder, whyUntrusted } from '../../../trust/trust.ts';
import { clientFiles } from '../../../trust/grants.ts';
import {
  digestNow,
  gitConfigured,
  noteChanged,
  type Changed,
} from '../../../trust/changed-settings.ts';
import { gitPath } from './git-differences.ts';
import type { Baseline } from './snapshot.ts';

const OBEYED = [
  `${SETTINGS}/config.yaml`,
  `${SETTINGS}/templates`,
  // Hooks, commands, rules, output styles.
  '.claude',
  ...clientFiles(),
  ...[...AGENT_PLACES, ...SKILL_PLACES, ...SQUAD_PLACES]
    .filter(({ base }) => base === 'project')
    .map(({ folder }) => folder),
];

/** What was seen of the tree, what was kept of it, and what configured git where that was looked at. */
interface Before extends Pick<Baseline, 'kept'> {
  readonly files: ReadonlyMap<string, string> | undefined;
  readonly trusted?: string;
}

/** `found`: what changed beyond the rights of the agent, or by nobody known. */
export function distrust(running: Running, before: Before, found: readonly Found[]): void {
  const { ws } = running;
  const changed = [...filesOf(running, before, found), ...gitOf(running, before, found)];
  if (changed.length === 0) return;
  noteChanged(ws, trustFolder(ws), running, changed);
  const said = whyUntrusted(ws);
  if (said !== undefined) running.emit({ event: 'problem', problem: said });
}

function filesOf({ ws }: Running, before: Before, found: readonly Found[]): Changed[] {
  // What was in a folder that could not be listed, or in a file that could not be looked at, is not known.
  const shut = [...(before.files?.keys() ?? ['/'])].filter((path) => path.endsWith('/'));
  return found.flatMap(({ area, path, kind }): Changed[] => {
    if (area !== 'file' && area !== 'settings') return [];
    if (!OBEYED.some((one) => isWithin(one, path))) return [];
    if (before.files?.get(path) === 'shut') return [];
    if (shut.some((folder) => `/${path}`.startsWith(`/${folder}`.replace('//', '/')))) return [];
    const [was, now] = [digestBefore(before, path), digestNow(ws, path)];
    // A folder that could not be listed took nothing away.
    if (was === now || (kind === 'delete' && now !== '')) return [];
    return [was === undefined ? { path } : { path, before: was }];
  });
}

/** Of a file that was not kept it is not known. */
function digestBefore({ kept, files }: Before, path: string): string | undefined {
  if (files?.has(path) !== true) return '';
  const bytes = kept.get(path)?.bytes;
  return bytes === undefined ? undefined : sha256(bytes);
}

function gitOf({ ws }: Running, { trusted }: Before, found: readonly Found[]): Changed[] {
  if (trusted === undefined || trusted === gitConfigured(ws.disk, ws.layout.root)) return [];
  return found.flatMap(({ area, operation, kind, path }): Changed[] => {
    // Whoever takes a worktree or a submodule away makes git run nothing.
    const away = kind === 'delete' && /^(?:worktrees|modules|shallow)(?:\/|$)/.test(path);
    if (area !== 'git' || operation !== undefined || away) return [];
    return [{ path: gitPath(path), git: trusted }];
  });
}
