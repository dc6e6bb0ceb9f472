/** Questions to a server that is away, asked again until it is there or nothing waits any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fields } from '../../task/core/base/json.ts';

const AWAY_MS = 500;
const AWAY =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(?:HOST|NET)UNREACH)|08...|53...|57P0.)$/;
const GONE = /connection (?:terminated|is closed|timeout)|timeout exceeded when trying to connect/i;
/** A Redis that is full, loads, or is read-only; words as it begins its errors. */
const UNABLE = /^(?:OOM|READONLY|MISCONF|LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)\b/;

/** The server is not there or takes nothing now, or a connection to it is gone: nothing is said about what was asked. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const { code, cause, message } = fields(error);
  const is = AWAY.test(String(code)) || GONE.test(String(error)) || UNABLE.test(String(message));
  return is || (cause !== undefined && isAway(cause));
}

/** `heard` gets why it is asked again. */
export async function patiently<T>(
  act: () => Promise<T>,
  signal: AbortSignal | undefined,
  heard: (error: Error) => void,
): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error) || signal === undefined || signal.aborted) throw error;
      if (error instanceof Error) heard(error);
      await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
