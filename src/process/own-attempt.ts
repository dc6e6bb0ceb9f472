/** Whether this process runs inside an attempt: also by its ancestors, as an agent can empty its environment. */
import type { Environment } from './adapter.ts';
import { textOf } from './path-kind.ts';
import { MARK_NAME } from './process-table.ts';

const ANCESTORS_MAX = 64;

/** The environment of the attempt; undefined outside of any. */
export function ownAttempt(
  env: Environment,
  parent: number = process.ppid,
): Environment | undefined {
  if (isGiven(env)) return env;
  let pid: number | undefined = parent;
  for (let i = 0; i < ANCESTORS_MAX && pid !== undefined && pid > 0; i++) {
    const theirs = environmentOf(pid);
    if (theirs !== undefined && isGiven(theirs)) return theirs;
    pid = parentOf(pid);
  }
  return undefined;
}

function isGiven(env: Environment): boolean {
  return (env[MARK_NAME] ?? '') !== '' || (env['CONTRACTS_OUT'] ?? '') !== '';
}

/** undefined when it is gone, another user's, or there is no /proc. */
function environmentOf(pid: number): Environment | undefined {
  const text = procFile(pid, 'environ');
  if (!text.includes('CONTRACTS_')) return undefined;
  const pairs = text.split('\0').map((one): [string, string] => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return Object.fromEntries(pairs.filter(([name]) => name.startsWith('CONTRACTS_')));
}

function parentOf(pid: number): number | undefined {
  const text = procFile(pid, 'stat');
  // The name may hold spaces and brackets: state and parent follow the last one.
  const parent = text.slice(text.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

function procFile(pid: number, name: string): string {
  return textOf(`/proc/${pid}/${name}`);
}
