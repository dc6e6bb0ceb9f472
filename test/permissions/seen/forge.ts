/**
 * A forge on this machine: repositories by http, below `/open/` without a login and below `/login/` with
 * the one of LOGIN, and pull requests for who has its token. Over a network, because a sandbox hides
 * files of the machine, and not what is behind a port: a remote that is a folder would say nothing.
 */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sealedEnv } from '../../support/sealed-folder.ts';

export const LOGIN = { user: 'shop', token: 'token-of-the-person' } as const;

const BASIC = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.token}`).toString('base64')}`;

export interface Forge {
  readonly port: number;
  /** Of each repository, by its path below the folder: the titles. */
  readonly pull_requests: ReadonlyMap<string, readonly string[]>;
  close(): Promise<void>;
}

/** `folder`: what holds the bare repositories. */
export async function openForge(folder: string): Promise<Forge> {
  const asked = new Map<string, string[]>();
  const served: Promise<void>[] = [];
  const server = createServer((request, response) => {
    const [, door = '', path = ''] = /^\/(\w+)\/(.*)$/.exec(request.url ?? '') ?? [];
    const { authorization } = request.headers;
    if (door === 'pulls') {
      const may = authorization === `token ${LOGIN.token}`;
      if (may) asked.set(path, [...(asked.get(path) ?? []), 'opened']);
      response.writeHead(may ? 201 : 401).end();
    } else if (door === 'login' && authorization !== BASIC) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="forge"' }).end();
    } else served.push(serve(folder, `/${path}`, request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    pull_requests: asked,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await Promise.all(served);
    },
  };
}

/** By git's own program for servers (CGI), until that has ended. */
function serve(
  folder: string,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = url.split('?');
  const cgi = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...sealedEnv(),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: LOGIN.user,
      REMOTE_ADDR: '127.0.0.1',
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  // git may end before it read everything.
  cgi.stdin.on('error', () => undefined);
  request.pipe(cgi.stdin);
  // Who has gone sends no end.
  request.once('close', () => cgi.stdin.end());
  const parts: Buffer[] = [];
  cgi.stdout.on('data', (part: Buffer) => parts.push(part));
  const closed = new Promise((resolve) => cgi.once('close', resolve));
  return closed.then(() => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf('\r\n\r\n');
    const head = whole.subarray(0, Math.max(0, end)).toString();
    const fields = [...head.matchAll(/^([\w-]+): (.*?)\r?$/gm)].map(
      (one) => [one[1] ?? '', one[2] ?? ''] as const,
    );
    const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
    const headers = fields.filter(([name]) => name !== 'Status');
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
    response.end(whole.subarray(end + 4));
  });
}
