/** pause: the file that keeps every runner of this workspace from beginning anything. */
import { put } from '../../task/store/disk/put.ts';
import { pauseFile, STOP } from '../../workspace/open/pause-file.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { refuseUse, verb, type Verb } from '../terminal/verb-context.ts';

export const runs = { pause: verb(doPause) };

interface Flags {
  readonly stop?: boolean;
  readonly end?: boolean;
}

function doPause(verb: Verb, flags: Flags, reason = ''): void {
  if (flags.end === true) return endPause(verb, reason !== '' || flags.stop === true);
  const { ws, out } = verb;
  // A reason that is this word is a line that stops, too.
  const stop = flags.stop === true || reason.split('\n').some((line) => line.trim() === STOP);
  put(ws.putting, pauseFile(ws), bytesOf(`${stop ? `${STOP}\n` : ''}${reason}\n`));
  out.data({ v: 1, event: 'paused', paused: true, reason, stop });
  const agents = stop
    ? 'Running agents are stopped; that counts as no try.'
    : 'Running agents finish.';
  out.print(`Nothing new begins. ${agents}\nNext: contracts pause --end`);
}

function endPause(verb: Verb, hasMore: boolean): void {
  const { ws, out } = verb;
  if (hasMore) refuseUse(verb, '--end takes nothing else', 'End the pause: contracts pause --end');
  const was = ws.disk.stat(pauseFile(ws)) !== undefined;
  if (was) ws.disk.remove(pauseFile(ws));
  out.data({ v: 1, event: 'paused', paused: false, reason: '', stop: false });
  out.print(was ? 'Next: contracts run' : 'Nothing was paused.');
}
