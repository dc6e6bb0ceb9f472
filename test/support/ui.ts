/** The page's server as a person starts it, and requests as any program can send them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { request, type IncomingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import { BINARY } from './binary.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Without the cookie of this run. */
  readonly bare?: boolean;
}

export interface Ui {
  /** With its token. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly cookie: string;
  /** Path below which it answers, such as `/x2Y`. */
  readonly base: string;
  /** `path`: below the base. */
  ask(path: string, how?: Ask): Promise<Answer>;
  /** A change as the page sends it; its answer read. */
  act(name: string, body: object): Promise<{ status: number; answer: Record<string, unknown> }>;
  /** The exit code, after Ctrl-C or another signal. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startUi(root: string, ...flags: readonly string[]): Promise<Ui> {
  const args = [BINARY, '-C', root, 'ui', '--no-open', '--json', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  const { port: number, pathname, search } = new URL(url);
  const [port, base] = [Number(number), pathname.replace(/\/$/, '')];
  const ask = (path: string, how: Ask = {}): Promise<Answer> =>
    asked(port, `${base}${path}`, cookie, how);
  let cookie = '';
  const opened = await ask(`/${search}`, { bare: true });
  cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return {
    url,
    port,
    pid: child.pid ?? 0,
    cookie,
    base,
    ask,
    act: async (name, body) => {
      const headers = { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
      const { status, text } = await ask(`/do/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status, answer: JSON.parse(text) as Record<string, unknown> };
    },
    end: async (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('it has no stdout');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('it ended without a word');
}

function asked(port: number, path: string, cookie: string, how: Ask): Promise<Answer> {
  const { method = 'GET', headers = {}, body, bare = false } = how;
  return new Promise((done, failed) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: { host: `127.0.0.1:${port}`, ...(bare ? {} : { cookie }), ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => {
          done({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.once('error', failed);
      },
    );
    sent.once('error', failed);
    sent.end(body);
  });
}
