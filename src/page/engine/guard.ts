/**
 * Judges who may ask the page's server for what. It listens on loopback alone, but every program and every page of a browser
 * can reach that: so each request names a loopback host (a rebound name of a foreign site does not), carries the
 * cookie of this run, and a change comes from the page itself as JSON.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Asking {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Refusal {
  readonly status: number;
  readonly words: string;
  readonly allow?: string;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const READS = ['GET', 'HEAD'];
/** A form or a link of another site cannot send it. */
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

const ELSEWHERE: Refusal = { status: 421, words: 'This server answers on loopback alone.' };

export const isLoopback = (host = ''): boolean => LOOPBACK.test(host);

/** `changes`: the path is one that changes something. undefined where it may be answered. */
export function refusalOf(
  { method, headers }: Asking,
  { token, cookie, changes }: { token: string; cookie: string; changes: boolean },
): Refusal | undefined {
  const { host = '', origin } = headers;
  // Behind `ssh -L` the port is another.
  if (!isLoopback(host)) return ELSEWHERE;
  const allow = changes ? 'POST' : READS.join(', ');
  if (!allow.split(', ').includes(method)) return { status: 405, words: `Use ${allow}.`, allow };
  if (!cookiesOf(headers.cookie, cookie).some((one) => isSame(one, token))) {
    return {
      status: 401,
      words: 'Open the address that contracts ui printed; it holds the token of its run.',
    };
  }
  const site = String(headers['sec-fetch-site'] ?? '');
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
  if (isForeign || (changes && origin === undefined) || /^(?:cross|same)-site$/.test(site))
    return { status: 403, words: 'Only the page itself may ask for this.' };
  if (changes && !JSON_TYPE.test(headers['content-type'] ?? ''))
    return { status: 415, words: 'Send application/json.' };
  return undefined;
}

/** Another port of the host may have set one of the same name. */
function cookiesOf(header = '', name: string): readonly string[] {
  const all = header.split(';').map((one) => one.trim());
  return all.flatMap((one) => (one.startsWith(`${name}=`) ? one.slice(name.length + 1) : []));
}

/** Takes the same time wherever they differ. */
export function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Nothing from elsewhere, no script in the page, no frame around it, and no trace of the token. */
export const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  // The name in a link would be asked for before a click.
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
