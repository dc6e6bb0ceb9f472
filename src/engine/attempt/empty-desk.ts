/** Whether an agent left anything on its desk that ends its attempt. */
import { handedOver, type HandedOver } from '../../workspace/tasks/capability.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

/**
 * Neither questions nor a result is there, and nothing was handed over. An agent may have put a link in
 * the desk's place: nothing is written through it.
 */
export function isEmptyHanded(running: Running, desk: string): boolean {
  const { disk } = running.ws;
  if (disk.stat(desk)?.kind !== 'folder') return false;
  if (['questions.md', 'result.md'].some((name) => disk.stat(`${desk}/${name}`))) return false;
  return givenToOthers(running, desk) === undefined;
}

/** What its agent may hand over; undefined where nothing of it is there. */
export function givenToOthers(running: Running, desk: string): HandedOver | undefined {
  const found = handedOver(running, desk);
  return found?.ignored === true ? undefined : found;
}
