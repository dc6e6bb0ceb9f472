/**
 * A project of a person who works in the real OpenCode with our plugin, against the scripted model: by `opencode run`,
 * and by its server, which is what its terminal and its desktop are clients of.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ordinaryUser } from './as-user.ts';
import { BINARY } from './binary.ts';
import { makeHome } from './clients.ts';
import type { ModelServer } from './model/server.ts';
import { MADE } from './model/stories.ts';
import { sealedEnv, sealedFolder } from './sealed-folder.ts';

/** No look-up beyond loopback. */
const OFFLINE = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  npm_config_offline: 'true',
};

/** JSON of OpenCode, of whose shape a test knows more. */
type Loose = ReturnType<typeof JSON.parse>;
type Fields = Readonly<Record<string, Loose>>;

export interface Session {
  readonly id: string;
  /** Sends words as the person would. Resolves when the turn is over, with the outputs of its tools and its texts. */
  say(words: string): Promise<string>;
  /** Texts and outputs of all messages, in their order, each with who said it: `user builder: …`. */
  all(): Promise<readonly string[]>;
  readonly children: () => Promise<readonly Fields[]>;
}

export interface Serving {
  begin(): Promise<Session>;
  /** Resolves with the first event since the start that fits, also one that has been. */
  event(type: string, fits?: (properties: Fields) => boolean): Promise<Fields>;
  /** Resolves when a message of this session has these words. */
  told(session: Session, words: string): Promise<string>;
  /** From now on the person answers each request for permission so. */
  replies: 'once' | 'always' | 'reject';
  /** What happens while the person reads a request. */
  meanwhile: () => void;
  /** Requests for permission so far. */
  readonly requests: readonly Fields[];
  abort(session: Session): Promise<void>;
  /** Names of the commands that it offers behind a slash. */
  commands(): Promise<readonly string[]>;
}

export interface Room {
  readonly root: string;
  /** A command of ours, as the person types it; its output. */
  typed(...argv: readonly string[]): string;
  stateOf(id: string): string;
  /** A confirmed task for a host, whose agent plays the story. */
  task(id: string, story: string, deliverable?: string): void;
  /** `opencode run`: what it printed. */
  run(words: string): Promise<string>;
  /** Calls `play` beside a server, and ends it. */
  serve<T>(play: (serving: Serving) => Promise<T>): Promise<T>;
}

/** `who`: that user, else ourselves. `config`: more for opencode.json. */
export function openCodeRoom(
  model: ModelServer,
  { who = 'ourselves', config = {} }: { readonly who?: string; readonly config?: object } = {},
): Room {
  const user = who === 'ourselves' ? undefined : ordinaryUser('opencode');
  const room = sealedFolder('opencode-room');
  const [root, bin] = [join(room, 'shop'), join(room, 'bin')];
  for (const folder of [root, bin]) fs.mkdirSync(folder);
  const own = makeHome('opencode', room, model.url);
  const { before = [], binary = BINARY, programs = '' } = user ?? {};
  const PATH = [bin, ...(programs === '' ? [] : [programs]), own.env['PATH']].join(':');
  const env = { ...sealedEnv(), ...OFFLINE, ...own.env, PATH };
  const script = `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`;
  fs.writeFileSync(join(bin, 'contracts'), script, { mode: 0o755 });
  spawnSync('git', ['init', '--quiet', root]);
  if (Object.keys(config).length > 0)
    fs.writeFileSync(join(root, 'opencode.json'), JSON.stringify(config));
  user?.own(room);
  const typed = (...argv: readonly string[]): string => {
    const [program = '', ...words] = [...before, process.execPath, binary, ...argv];
    const { stdout, stderr } = spawnSync(program, words, { cwd: root, env, encoding: 'utf8' });
    return stdout + stderr;
  };
  const started = (...argv: readonly string[]): ChildProcess => {
    const [program = '', ...words] = [...before, 'opencode', ...argv];
    return spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  typed('init', '--hooks', '--yes');
  typed('trust');
  return {
    root,
    typed,
    stateOf: (id) => String((JSON.parse(typed('show', id, '--json')) as Fields)['state']),
    task: (id, story, deliverable = MADE) => {
      const file = join(room, `${id}.md`);
      fs.writeFileSync(file, contractFor(story, deliverable));
      user?.own(file);
      typed('new', '--from', file, '--id', id);
      typed('confirm', id);
    },
    run: (words) =>
      new Promise((done, fail) => {
        const child = started('run', '-m', own.model, '--title', 'Host', words);
        let printed = '';
        for (const stream of [child.stdout, child.stderr])
          stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
        child.once('error', fail).once('close', () => done(printed));
      }),
    serve: async (play) => {
      // By its default each has the same one, and connections to an earlier server would be used again.
      const child = started('serve', '--port', String(await freePort()));
      const over = new AbortController();
      try {
        return await play(await servingAt(await addressOf(child), over.signal));
      } finally {
        over.abort();
        const ended = new Promise((done) => child.once('close', done));
        child.kill();
        await ended;
      }
    },
  };
}

const contractFor = (story: string, deliverable: string): string => `---
title: Greet
adapter: host
deliverables: [${deliverable}]
verify: ["run: test -s ${deliverable}"]
---

## Objective

[story:${story}]

## Success Criteria

- [ ] \`${deliverable}\` is there
`;

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

async function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) {
      printed += `${line}\n`;
      const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
  throw new Error(`opencode serve did not start: ${printed}`);
}

async function servingAt(url: string, signal: AbortSignal): Promise<Serving> {
  const call = async (path: string, body?: object): Promise<Loose> => {
    const how = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { headers, signal, ...how });
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const events: Fields[] = [];
  const waiting = new Set<() => void>();
  const requests: Fields[] = [];
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((done) => {
      const again = (): void => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(again);
        done(found);
      };
      waiting.add(again);
      again();
    });
  const serving: Serving = {
    replies: 'reject',
    meanwhile: () => undefined,
    requests,
    begin: async () => sessionOf(call, (await call('/session', { title: 'Host' })) as Fields),
    event: async (type, fits = () => true) =>
      until(() => events.find((one) => one['type'] === type && fits(one['properties']))),
    told: async (session, words) => {
      for (;;) {
        // What comes while it looks is looked for again.
        const from = events.length;
        const found = (await session.all()).find((one) => one.includes(words));
        if (found !== undefined) return found;
        await until(() => (events.length > from ? true : undefined));
      }
    },
    commands: async () => ((await call('/command')) as Fields[]).map(({ name }) => String(name)),
    abort: async ({ id }) => void (await call(`/session/${id}/abort`, {})),
  };
  const stream = await fetch(`${url}/event`, { signal });
  const follow = async (): Promise<void> => {
    let held = '';
    for await (const part of stream.body ?? []) {
      held += Buffer.from(part).toString('utf8');
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      for (const line of lines.filter((one) => one.startsWith('data: '))) {
        const event = JSON.parse(line.slice(6)) as Fields;
        events.push(event);
        for (const again of waiting) again();
        if (event['type'] !== 'permission.asked') continue;
        requests.push(event['properties']);
        serving.meanwhile();
        const reply = { reply: serving.replies };
        await call(`/permission/${event['properties'].id}/reply`, reply);
      }
    }
  };
  // It ends with the server.
  follow().catch(() => undefined);
  return serving;
}

function sessionOf(call: (path: string, body?: object) => Promise<Loose>, { id }: Fields): Session {
  const model = { providerID: 'scripted', modelID: 'scripted' };
  const wordsIn = (parts: readonly Fields[]): string =>
    parts.map(({ text, state }) => text ?? state?.output ?? state?.error ?? '').join('\n');
  const messages = async (): Promise<readonly Fields[]> => call(`/session/${id}/message`);
  return {
    id: String(id),
    say: async (words) => {
      const before = (await messages()).length;
      const parts = [{ type: 'text', text: words }];
      const { info: last } = await call(`/session/${id}/message`, { model, parts });
      const all = await messages();
      const end = all.findIndex(({ info }) => info.id === last.id) + 1;
      return all
        .slice(before, end)
        .map(({ parts }) => wordsIn(parts))
        .join('\n');
    },
    all: async () =>
      (await messages()).map(({ info, parts }) => `${info.role} ${info.agent}: ${wordsIn(parts)}`),
    children: async () => call(`/session/${id}/children`),
  };
}
