/** From a thrown error to the event that people and JSON see. A bug of ours is thrown again. */
import type { Event } from '../core/event.ts';
import { Fault } from '../core/problem.ts';
import { errorCode, ReadRefused } from '../store/disk.ts';

/** The environment failed, in one of its forms; anything else is a bug of ours. */
export function isFault(error: unknown): boolean {
  return error instanceof Fault || error instanceof ReadRefused || errorCode(error) !== undefined;
}

export function faultEvent(id: string | undefined, error: unknown): Event {
  const code = errorCode(error);
  if (!isFault(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  const fix = error instanceof Fault ? error.fix : faultFix(code);
  return { event: 'fault', ...(id === undefined ? {} : { task: id }), reason, fix };
}

function faultFix(code: string | undefined): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space, then step again: nothing was lost';
    case 'EROFS':
      return 'Make active_tasks writable, then step again';
    case 'EACCES':
    case 'EPERM':
      return 'Let this user read and write what is named here, then step again';
    case 'EXDEV':
      return 'Put all state folders on one file system; see contracts doctor';
    case 'EMFILE':
    case 'ENFILE':
      return 'Raise the limit of open files, then step again';
    default:
      return 'See contracts doctor, then step again';
  }
}
