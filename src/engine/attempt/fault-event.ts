/** Turns a thrown error into an event. A bug of ours is thrown again. */
import type { Event } from '../../task/core/lines/event.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { errorCode, ReadRefused } from '../../task/store/disk/disk.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

/** The environment failed; anything else is a bug of ours. */
export function isFault(error: unknown): boolean {
  return error instanceof Fault || error instanceof ReadRefused || errorCode(error) !== undefined;
}

export function faultEvent(id: string | undefined, error: unknown): Event {
  const code = errorCode(error);
  if (!isFault(error)) throw error;
  const reason = wordsOf(error, code);
  const fix = error instanceof Fault ? error.fix : faultFix(code, error);
  const fault = error instanceof Fault ? error.fault : code === undefined ? 'tree' : 'disk';
  return { event: 'fault', ...(id === undefined ? {} : { task: id }), code: fault, reason, fix };
}

/** The fault of a move to where a folder of that id is already. */
export function inBoth(id: string, from: State, to: State): Fault {
  const fix = 'Move one of the two folders out of active_tasks; see contracts doctor';
  return new Fault('tree', `${id} is in ${from} and in ${to}`, { fix });
}

const NO_SPACE =
  'Free some space, then run this again. No work is lost; an agent whose end could not be recorded is called again';
const SHUT = 'Let this user read and write what is named here, then run this again';
const TOO_MANY = 'Raise the limit of open files, then run this again';
const FIXES: Readonly<Record<string, string>> = {
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EROFS: 'Make active_tasks writable, then run this again',
  EACCES: SHUT,
  EPERM: SHUT,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
};

/** Says what this user cannot do with which file. */
function wordsOf(error: unknown, code = ''): string {
  const { path, syscall = '', message = String(error) } = error as NodeJS.ErrnoException;
  if (path === undefined || !/^(?:EACCES|EPERM|EROFS)$/.test(code)) return message;
  return `${path} cannot be ${/^(?:open|scandir|l?stat)$/.test(syscall) ? 'opened' : 'written'} (${code})`;
}

function faultFix(code: string | undefined, error: unknown): string {
  if (code !== 'EXDEV') return FIXES[code ?? ''] ?? 'See contracts doctor, then run this again';
  return crossDeviceFix(error instanceof Error && 'path' in error ? String(error.path) : '');
}

/** Renames fail across file systems, and on overlayfs for a folder of a lower layer until it is copied. */
function crossDeviceFix(path: string): string {
  const one = 'Put active_tasks, its state folders and .desk on one file system';
  if (path === '' || path.includes('/.desk/'))
    return `${one}; contracts doctor names the other one`;
  const [folder, beside] = [path, `${path}.copy`].map(shellWord);
  const copy = `cp -a ${folder} ${beside} && rm -r ${folder} && mv ${beside} ${folder}`;
  return `${one}. If contracts doctor finds no other one, overlayfs holds the folder: ${copy}`;
}
