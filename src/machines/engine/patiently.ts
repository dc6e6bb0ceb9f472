/** Questions to a server that is away, asked again until it is there or nothing waits any more; and logins it refuses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fields } from '../../task/core/base/json.ts';
import { Fault, wordsOf } from '../../task/core/model/problem.ts';

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

/** A login that Redis, PostgreSQL, or its client before it asks, refuses. */
const SHUT = /^(?:WRONGPASS|NOAUTH|NOPERM)\b|^ERR invalid password|^SASL: .*password/;

/** undefined where it is about something else. */
export function refusedLogin(url: string, error: unknown): Fault | undefined {
  const words = wordsOf(error).replace(/\.$/, '');
  if (!SHUT.test(words) && !/^28...$/.test(String(fields(error)['code']))) return undefined;
  const [, name = 'QUEUE_PASSWORD'] = /\$\{(\w+)\}[^}]*@/.exec(url) ?? [];
  const where = url.includes('${') ? '' : `, in an address such as 'redis://:\${${name}}@HOST'`;
  const fix = `Give the password of its server: export ${name}=…${where}`;
  return new Fault('login', `the queue refuses the login: ${words}`, { fix, cause: error });
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
