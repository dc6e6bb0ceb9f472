/**
 * The hook of an attempt: the program that a client calls before each use of a tool, and what its log
 * on the desk says afterwards. The log may have been written by the agent itself: it is untrusted text
 * that can only speak against it.
 */
import type { AgentCall } from '../../../process/adapter.ts';
import type { Heard } from '../../../task/core/attempts/client-report.ts';
import { fields, parsedJson } from '../../../task/core/base/json.ts';
import { attemptFolder, deskFolder } from '../../../task/store/tasks/layout.ts';
import { HOOK_LOG } from './tool-hook.ts';
import { packageFolder } from '../../../workspace/open/package-folder.ts';
import { logLines } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';

/**
 * Of a call: a program whose last argument is the client's name, and a file for clients that load one
 * in its place; neither where the command is not built.
 */
export function hooksOf({ disk }: Workspace): Pick<AgentCall, 'hook' | 'plugin'> {
  const command = `${packageFolder()}dist/bin/contracts.cjs`;
  const hook = [process.execPath, command, 'hook', 'pre-tool-use', '--client'];
  const plugin = `${packageFolder()}dist/opencode-plugin.js`;
  return { ...(disk.stat(command) && { hook }), ...(disk.stat(plugin) && { plugin }) };
}

export interface HookLog {
  /** `tool: why` of what was denied, each once. */
  readonly denied: readonly string[];
  /** Files outside its permissions that the agent set out to change. */
  readonly paths: ReadonlySet<string>;
  /** The client called the hook at least once. */
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

/** That of a dead one lies in its attempt. */
function deskOf(running: Running, source: number): string {
  const { ws, id, number } = running;
  const folder = source === number ? undefined : findPlace(running)?.folder;
  if (folder === undefined) return deskFolder(ws.layout, id, source);
  return `${attemptFolder(folder, source, true)}/desk`;
}

/** A refusal of ours that the client reports is in the log already, in the same words. */
export function withDenied(heard: Heard, log: HookLog): Heard {
  return { ...heard, denied: [...new Set([...log.denied, ...heard.denied])].slice(0, LISTED_MAX) };
}

/** In force where a use of a tool was seen to be judged, and not because the client was set up so. */
export function liveIn(heard: Heard, log: HookLog): readonly string[] {
  return log.asked || heard.judged === true ? ['live'] : [];
}
