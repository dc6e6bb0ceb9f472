/** The server of the page: files of the package, and what the verbs would say, as JSON and as events. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HEADERS, isLoopback, isSame, refusalOf, type Refusal } from './guard.ts';

export interface Sent {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly status?: number;
}

/** Sends events until the browser leaves or `end` is called. */
export interface Stream {
  send(event: string, data: unknown): void;
  end(): void;
  readonly signal: AbortSignal;
}

export interface Site {
  /** Reads a path; undefined where there is nothing. */
  get(path: string, query: URLSearchParams): Promise<Sent | undefined>;
  /** True if the path has events, which it then sends. */
  stream(path: string, stream: Stream): boolean;
  /** Changes something; undefined where a path changes nothing. */
  post(path: string, body: unknown): Promise<Sent | undefined>;
}

export interface Serving {
  readonly url: string;
  /** An address that opens the page once: others may read it in the list of processes. */
  once(): string;
  close(): Promise<void>;
}

const BODY_MAX = 1 << 20;
/** Bytes that wait for a browser which reads too slowly. */
const BACKLOG_MAX = 32 << 20;
const [CONNECTIONS_MAX, STREAMS_MAX] = [256, 48];
const BEAT_MS = 20_000;
const LOCAL = '127.0.0.1';

export async function serve(site: Site, port: number): Promise<Serving> {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
  const token = random(24);
  // A browser sends a cookie to all ports of a host: to what an agent serves there, too. But not below another path.
  const base = `/${random(12)}`;
  const tickets = new Set<string>();
  const streams = new Set<ServerResponse>();
  let cookie = '';
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const { pathname, searchParams: query } = new URL(`http://${LOCAL}${request.url ?? '/'}`);
    const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '';
    const given = query.get('token') ?? '';
    const mayOpen = method === 'GET' && path === '/' && isLoopback(headers.host);
    if (mayOpen && (isSame(given, token) || tickets.delete(given))) {
      const about = `${cookie}=${token}; HttpOnly; SameSite=Strict; Path=${base}/`;
      response.setHeader('Set-Cookie', about);
      return end(response, { type: 'text/html', body: ENTER });
    }
    const changes = path.startsWith('/do/');
    const refusal = refusalOf({ method, headers }, { token, cookie, changes });
    if (refusal !== undefined) {
      request.resume();
      return refuse(response, refusal);
    }
    if (changes) {
      const body = await bodyOf(request);
      const sent = body === undefined ? TOO_LARGE : await site.post(path, body);
      return end(response, sent ?? NOTHING);
    }
    if (path.startsWith('/events/') && streams.size >= STREAMS_MAX) return end(response, BUSY);
    if (path.startsWith('/events/') && site.stream(path, streamOf(request, response, streams)))
      return;
    return end(response, (await site.get(path, query)) ?? NOTHING);
  };
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000 },
    (request, response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      answer(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else end(response, BROKEN);
      });
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen({ port, host: LOCAL, exclusive: true }, listening);
  });
  const { port: own } = server.address() as AddressInfo;
  cookie = `contracts-${own}`;
  return {
    url: `http://${LOCAL}:${own}${base}/?token=${token}`,
    once: () => {
      const ticket = random(24);
      tickets.add(ticket);
      return `http://${LOCAL}:${own}${base}/?token=${ticket}`;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Goes on by itself: what another site sends on gets no cookie, such as the link in a terminal that is a page. */
const ENTER =
  '<!doctype html><title>contracts</title><link rel="icon" href="./page.svg"><meta http-equiv="refresh" content="0; url=./">';

const text = (status: number, body: string): Sent => ({ status, type: 'text/plain', body });
const NOTHING = text(404, 'There is nothing here.\n');
const TOO_LARGE = text(413, 'This is too large, or it is no JSON.\n');
const BUSY = text(503, 'Too many pages are open.\n');
const BROKEN = text(500, 'It could not be read; the terminal of contracts ui may say more.\n');

function end(response: ServerResponse, { type, body, status = 200 }: Sent): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` });
  response.end(body);
}

function refuse(response: ServerResponse, { status, words, allow }: Refusal): void {
  if (allow !== undefined) response.setHeader('Allow', allow);
  end(response, text(status, `${words}\n`));
}

/** undefined where it is too large or no JSON. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    // What comes after is read and thrown away: a connection that is cut says nothing.
    if (bytes <= BODY_MAX) parts.push(part);
    else if (bytes > 4 * BODY_MAX) request.destroy();
  }
  if (bytes > BODY_MAX) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString()) ?? undefined;
  } catch {
    return undefined;
  }
}

function streamOf(
  request: IncomingMessage,
  response: ServerResponse,
  streams: Set<ServerResponse>,
): Stream {
  const left = new AbortController();
  let beat: NodeJS.Timeout | undefined;
  const write = (words: string): void => {
    if (beat === undefined) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      streams.add(response);
      beat = setInterval(() => write(':\n\n'), BEAT_MS);
      beat.unref();
    }
    response.write(words);
    if (response.writableLength > BACKLOG_MAX) response.destroy();
  };
  response.once('close', () => {
    clearInterval(beat);
    streams.delete(response);
    left.abort();
  });
  request.resume();
  return {
    signal: left.signal,
    send: (event, data) => {
      if (!response.destroyed) write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end: () => response.end(),
  };
}
