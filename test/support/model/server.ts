/**
 * The scripted model as a server on loopback, in four protocols at once: whichever path a request
 * comes to. It keeps nothing between requests but a list of them, for tests to look at. What it
 * does not know gets 404 and is in that list too.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import { replyTo } from './stories.ts';
import { asObject, USAGE } from './turn.ts';
import type { Event, Json, Protocol, Reply, Turn } from './turn.ts';

const PROTOCOLS: readonly Protocol[] = [chat, responses, messages, gemini];

/** Clients that honour it come back at once; the others have a limit of tries. */
const RETRY_AFTER_MS = 20;
export const RETRY_AFTER_S = 600;

export interface Asked {
  readonly path: string;
  readonly protocol: Protocol['name'] | undefined;
  readonly turn: Turn | undefined;
  readonly reply: Reply['kind'] | undefined;
}

export interface ModelServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Resolves with the next request that gets such a reply. */
  next(reply: Reply['kind']): Promise<Asked>;
  /** From now on each request that wants work done is refused with that status; none again without one. */
  refuse(status?: number): void;
  close(): Promise<void>;
}

/** `otherwise` is the story of briefs that name none. */
export async function startModel(otherwise?: string): Promise<ModelServer> {
  const asked: Asked[] = [];
  const waiting: { readonly reply: Reply['kind']; readonly tell: (one: Asked) => void }[] = [];
  let answers = 0;
  let refusal: number | undefined;
  const note = (one: Asked): void => {
    asked.push(one);
    const at = waiting.findIndex(({ reply }) => reply === one.reply);
    if (at >= 0) waiting.splice(at, 1)[0]?.tell(one);
  };
  const server = createServer((request, response) => {
    void serve(request, response, {
      note,
      otherwise,
      refusal,
      nextId: () => String(++answers).padStart(6, '0'),
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    next: (reply) => new Promise((tell) => waiting.push({ reply, tell })),
    refuse: (status) => (refusal = status),
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // A reply that hangs would keep it open for ever.
    server.closeAllConnections();
  });
}

interface Serving {
  note(one: Asked): void;
  nextId(): string;
  readonly otherwise: string | undefined;
  readonly refusal: number | undefined;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { note, otherwise, refusal, nextId }: Serving,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const protocol = PROTOCOLS.find((one) => one.matches(path));
  const body = await readBody(request);
  if (protocol === undefined || request.method !== 'POST') {
    note({ path, protocol: undefined, turn: undefined, reply: undefined });
    return beside(path, request.method ?? '', response);
  }
  const turn = protocol.read(body, path);
  const reply = refusal === undefined ? replyTo(turn, otherwise) : refused(refusal);
  note({ path, protocol: protocol.name, turn, reply: reply.kind });
  if (reply.kind === 'hang') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  } else if (reply.kind === 'error') {
    const retry = { 'retry-after-ms': String(RETRY_AFTER_MS), ...beyond(refusal) };
    json(response, reply.status, protocol.error(reply.status, reply.message), retry);
  } else if (turn.stream) {
    stream(response, protocol.events(reply, turn, nextId()));
  } else {
    json(response, 200, protocol.whole(reply, turn, nextId()));
  }
}

/** When the limit ends, as servers say it; clients try again after the milliseconds all the same. */
function beyond(refusal: number | undefined): Readonly<Record<string, string>> {
  return refusal === 429 ? { 'retry-after': String(RETRY_AFTER_S) } : {};
}

function refused(status: number): Reply {
  return { kind: 'error', status, message: `scripted refusal ${status}` };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return asObject(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch {
    return {};
  }
}

/** What clients ask for beside answers: which models there are, and how long a text is. */
function beside(path: string, method: string, response: ServerResponse): void {
  if (path.endsWith('/count_tokens')) return json(response, 200, { input_tokens: USAGE.input });
  if (path.endsWith(':countTokens')) return json(response, 200, { totalTokens: USAGE.input });
  if (method === 'GET' && path.endsWith('/models')) {
    return json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  }
  // A list of models by provider, as OpenCode looks one up.
  if (path.endsWith('/api.json')) return json(response, 200, {});
  if (method === 'HEAD') return void response.writeHead(200).end();
  json(response, 404, { error: { message: `the scripted model has no ${method} ${path}` } });
}

function json(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function stream(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}
