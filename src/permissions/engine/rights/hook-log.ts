/** The hook of an attempt and its log, untrusted text that counts only against the agent. */
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
}

const LOG_BYTES_MAX = 2 * 1024 * 1024;
const LISTED_MAX = 50;

export function readHookLog(running: Running, source = running.number): HookLog {
  const { ws } = running;
  const path = `${deskOf(running, source)}/${HOOK_LOG}`;
  const denied = new Set<string>();
  const paths = new Set<string>();
  let asked = false;
  for (const line of logLines(ws.disk, path, LOG_BYTES_MAX)) {
    const { verdict, tool, why, paths: named } = fields(parsedJson(line));
    asked ||= typeof verdict === 'string';
    if (verdict === 'deny' && typeof tool === 'string' && typeof why === 'string') {
      if (denied.size < LISTED_MAX) denied.add(`${tool}: ${why}`);
    }
    for (const one of Array.isArray(named) ? named : []) {
      if (typeof one === 'string') paths.add(one);
    }
  }
  return { denied: [...denied], paths, asked };
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

/** Only where a judged call proves that the hook works, never by the client's settings alone. */
export function liveIn(report: ClientReport, log: HookLog): readonly string[] {
  return log.asked || report.judged === true ? ['live'] : [];
}
