/** The hooks of an attempt and their log, untrusted text that counts only against the agent. */
import type { AgentCall } from '../../../process/adapter.ts';
import type { ClientReport } from '../../../task/core/attempts/client-report.ts';
import { fields, parsedJson } from '../../../task/core/base/json.ts';
import { attemptFolder, deskFolder } from '../../../task/store/tasks/layout.ts';
import { HOOK_LOG } from './tool-hook.ts';
import { packageFolder } from '../../../workspace/open/package-folder.ts';
import { logLines } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';

/** `hook`: the client's name follows as its last argument. Neither where the command is not built. */
export function hooksOf({ disk }: Workspace): Pick<AgentCall, 'hook' | 'plugin'> {
  const command = `${packageFolder()}dist/bin/contracts.cjs`;
  const hook = [process.execPath, command, 'hook', 'pre-tool-use', '--client'];
  const plugin = `${packageFolder()}dist/opencode-plugin.js`;
  return { ...(disk.stat(command) && { hook }), ...(disk.stat(plugin) && { plugin }) };
}

export interface HookLog {
  /** `tool: why`, each once. */
  readonly denied: readonly string[];
  /** Files outside its permissions that the agent tried to change. */
  readonly paths: ReadonlySet<string>;
  readonly asked: boolean;
  /** A hook of git was called in the repository of the workspace. */
  readonly hooked: boolean;
  /** Acts past the hooks of git, which saw them: refused, and yet done. */
  readonly evaded: readonly string[];
}

const LOG_BYTES_MAX = 2 * 1024 * 1024;
const LISTED_MAX = 50;

export function readHookLog(running: Running, source = running.number): HookLog {
  const { ws } = running;
  const path = `${deskOf(running, source)}/${HOOK_LOG}`;
  const denied = new Set<string>();
  const paths = new Set<string>();
  const evaded = new Set<string>();
  let asked = false;
  let hooked = false;
  for (const line of logLines(ws.disk, path, LOG_BYTES_MAX)) {
    const { client, verdict, tool, why, paths: named } = fields(parsedJson(line));
    if (client === 'git') hooked = true;
    else asked ||= typeof verdict === 'string';
    if (verdict === 'evaded' && typeof why === 'string' && evaded.size < LISTED_MAX)
      evaded.add(why);
    if (verdict === 'deny' && typeof tool === 'string' && typeof why === 'string') {
      if (denied.size < LISTED_MAX) denied.add(`${tool}: ${why}`);
    }
    for (const one of Array.isArray(named) ? named : []) {
      if (typeof one === 'string') paths.add(one);
    }
  }
  return { denied: [...denied], paths, asked, hooked, evaded: [...evaded] };
}

/** The desk of a lost attempt is in its folder. */
function deskOf(running: Running, source: number): string {
  const { ws, id, number } = running;
  const folder = source === number ? undefined : findPlace(running)?.folder;
  if (folder === undefined) return deskFolder(ws.layout, id, source);
  return `${attemptFolder(folder, source, true)}/desk`;
}

/** The log has the denials that the client reports already, in the same words. */
export function withDenied(report: ClientReport, log: HookLog): ClientReport {
  const denied = new Set([...log.denied, ...report.denied]);
  return { ...report, denied: [...denied].slice(0, LISTED_MAX) };
}

/** Only where a judged call, or a hook that git called, proves that they work: never by settings alone. */
export function liveIn(report: ClientReport, log: HookLog): readonly string[] {
  const isLive = log.asked || report.judged === true;
  return [...(isLive ? ['live'] : []), ...(log.hooked ? ['git'] : [])];
}
