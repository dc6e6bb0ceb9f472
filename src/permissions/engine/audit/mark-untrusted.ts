/** Takes trust away when an agent without the permission changed what others obey. */
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
  isElsewhere,
  noteChanged,
  type Changed,
} from '../../../trust/changed-settings.ts';
import { gitPath } from './git-differences.ts';
import type { Baseline } from './snapshot.ts';
import { CLIENT_TYPES, PLACES } from '../../../clients/core/records.ts';

const OBEYED = [
  `${SETTINGS}/config.yaml`,
  `${SETTINGS}/templates`,
  `${SETTINGS}/keys`,
  ...CLIENT_TYPES.map((type) => PLACES[type].project).flatMap(({ obeyed, folder }) =>
    obeyed ? [folder] : [],
  ),
  ...clientFiles(),
  ...[...AGENT_PLACES, ...SKILL_PLACES, ...SQUAD_PLACES]
    .filter(({ base }) => base === 'project')
    .map(({ folder }) => folder),
];

interface Before extends Pick<Baseline, 'kept'> {
  readonly files: ReadonlyMap<string, string> | undefined;
  readonly trusted?: string;
}

/** `found`: changes outside the permissions, or by an unknown process. */
export function distrust(running: Running, before: Before, found: readonly Found[]): void {
  const { ws } = running;
  const changed = [...filesOf(running, before, found), ...gitOf(running, before, found)];
  if (changed.length === 0) return;
  noteChanged(ws, trustFolder(ws), running, changed);
  const untrusted = whyUntrusted(ws);
  if (untrusted !== undefined) running.emit({ event: 'problem', problem: untrusted });
}

function filesOf({ ws }: Running, before: Before, found: readonly Found[]): Changed[] {
  // What was in an unreadable folder or file is not known.
  const shut = [...(before.files?.keys() ?? ['/'])].filter((path) => path.endsWith('/'));
  return found.flatMap(({ area, path, kind }): Changed[] => {
    if (area !== 'file' && area !== 'settings') return [];
    if (!OBEYED.some((one) => isWithin(one, path))) return [];
    if (before.files?.get(path) === 'shut') return [];
    if (shut.some((folder) => `/${path}`.startsWith(`/${folder}`.replace('//', '/')))) return [];
    const [was, now] = [digestBefore(before, path), digestNow(ws, path)];
    // A folder that cannot be listed proves no deletion.
    if (was === now || (kind === 'delete' && now !== '')) return [];
    return [was === undefined ? { path } : { path, before: was }];
  });
}

/** undefined for a file that was not kept. */
function digestBefore({ kept, files }: Before, path: string): string | undefined {
  if (files?.has(path) !== true) return '';
  const bytes = kept.get(path)?.bytes;
  return bytes === undefined ? undefined : sha256(bytes);
}

function gitOf({ ws }: Running, { trusted }: Before, found: readonly Found[]): Changed[] {
  const now = gitConfigured(ws, ws.layout.root);
  if (trusted === undefined || trusted === now || isElsewhere(trusted, now)) return [];
  return found.flatMap(({ area, operation, kind, path }): Changed[] => {
    // Removing a worktree or a submodule makes git run nothing.
    const away = kind === 'delete' && /^(?:worktrees|modules|shallow)(?:\/|$)/.test(path);
    if (area !== 'git' || operation !== undefined || away) return [];
    return [{ path: gitPath(path), git: trusted }];
  });
}
