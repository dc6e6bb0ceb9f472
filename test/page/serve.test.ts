/** Who may ask the page's server for what, and what it does with askers of ill will; the built command, real sockets. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { commandRoom } from '../support/command-room.ts';
import { startUi, type Ask, type Ui } from '../support/ui.ts';

async function served(...flags: string[]) {
  const room = commandRoom();
  await room.said('new', 'Write the page', '--id', 'page', '--run', 'test -s page.txt');
  const ui = await startUi(room.root, ...flags);
  onTestFinished(async () => void (await ui.end()));
  return { ...room, ui };
}

const seen = { state: 'draft', attempt: 0 };
const post = (ui: Ui, more: Ask = {}): Ask => ({
  method: 'POST',
  body: JSON.stringify({ id: 'page', seen }),
  ...more,
  headers: {
    origin: `http://127.0.0.1:${ui.port}`,
    'content-type': 'application/json',
    ...more.headers,
  },
});

/** Events of the board as they come; `news` waits until these words came so many times. */
function listening(ui: Ui) {
  const parts: string[] = [];
  const socket = connect(ui.port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const news = (words: string, times = 1): Promise<void> =>
    new Promise((came) => {
      const look = (part = ''): void => {
        parts.push(part);
        if (parts.join('').split(words).length > times) came();
      };
      socket.on('data', look);
      look();
    });
  socket.write(
    `GET ${ui.base}/events/board HTTP/1.1\r\nHost: 127.0.0.1:${ui.port}\r\nCookie: ${ui.cookie}\r\n\r\n`,
  );
  return { news, parts };
}

test('the token of the printed address becomes a cookie, and nothing answers without it', async () => {
  const { ui } = await served();
  const { searchParams } = new URL(ui.url);
  const opened = await ui.ask(`/?${searchParams}`, { bare: true });
  expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('url=./"')]);
  // A browser sends it to no other port of this machine, as nothing else has this path.
  expect(ui.base).toMatch(/^\/[\w-]{16}$/);
  expect(opened.headers['set-cookie']?.[0]).toMatch(
    new RegExp(`; HttpOnly; SameSite=Strict; Path=${ui.base}/$`),
  );
  const tossed = { cookie: `${ui.cookie.split('=')[0]}=x; ${ui.cookie}` };
  expect((await ui.ask('/', { headers: tossed })).status).toBe(200);
  expect(searchParams.get('token')?.length).toBeGreaterThanOrEqual(32);
  for (const path of [
    '/',
    '/page.js',
    '/page.css',
    '/page.svg',
    '/read/task/page',
    '/events/board',
    '/none',
    '/?token=x',
  ])
    expect([path, (await ui.ask(path, { bare: true })).status]).toEqual([path, 401]);
  for (const path of ['/', '/page.js', '/page.css', '/page.svg', '/read/task/page', '/read/plans'])
    expect([path, (await ui.ask(path)).status]).toEqual([path, 200]);
});

test('each answer forbids scripts of others, frames and a trace of the address', async () => {
  const { ui } = await served();
  for (const path of ['/', '/read/task/page', '/none']) {
    const { headers } = await ui.ask(path);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-dns-prefetch-control': 'off',
    });
  }
  expect((await ui.ask('/')).text).not.toMatch(
    /<script(?![^>]* src="\.\/page\.js")|style="|https?:/,
  );
});

test('foreign hosts, foreign origins, other methods and other bodies are refused, and change nothing', async () => {
  const { ui, root } = await served();
  const refused: readonly [string, Ask, number][] = [
    ['/', { headers: { host: 'evil.example' } }, 421],
    ['/read/task/page', { headers: { host: `evil.example:${ui.port}` } }, 421],
    ['/', { headers: { host: '127.0.0.1.evil.example' } }, 421],
    ['/do/confirm', post(ui, { headers: { host: 'rebound.example' } }), 421],
    ['/do/confirm', post(ui, { headers: { origin: 'http://evil.example' } }), 403],
    ['/do/confirm', post(ui, { headers: { origin: 'null' } }), 403],
    ['/do/confirm', post(ui, { headers: { origin: 'http://127.0.0.1:1' } }), 403],
    ['/do/confirm', post(ui, { headers: { 'sec-fetch-site': 'cross-site' } }), 403],
    ['/read/task/page', { headers: { origin: 'http://evil.example' } }, 403],
    ['/read/task/page', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['/do/confirm', post(ui, { bare: true }), 401],
    ['/do/confirm', post(ui, { headers: { cookie: `${ui.cookie}x` } }), 401],
    ['/do/confirm', post(ui, { headers: { 'content-type': 'text/plain' } }), 415],
    ['/do/confirm', { method: 'GET' }, 405],
    ['/do/confirm', post(ui, { method: 'PUT' }), 405],
    ['/', post(ui), 405],
    ['/do/confirm', post(ui, { body: '{' }), 413],
    ['/do/none', post(ui), 404],
    ['/do/answer', post(ui, { body: '{"id":"page","question":2.5}' }), 422],
    ['/do/constructor', post(ui), 404],
    ['/read/task/..%2f..%2fx', {}, 404],
    ['/../../etc/passwd', {}, 404],
  ];
  for (const [path, how, status] of refused) {
    const { status: got, headers } = await ui.ask(path, how);
    expect([path, JSON.stringify(how), got]).toEqual([path, JSON.stringify(how), status]);
    if (status === 405) expect(headers.allow).toMatch(/POST|GET/);
  }
  expect(existsSync(join(root, 'active_tasks/draft/page'))).toBe(true);
});

test('a change is what the verb does; what moved since is said, and nothing is overwritten', async () => {
  const { ui, root } = await served();
  mkdirSync(join(root, 'active_tasks/ready'), { recursive: true });
  renameSync(join(root, 'active_tasks/draft/page'), join(root, 'active_tasks/ready/page'));
  const late = await ui.act('confirm', { id: 'page', seen });
  expect(late).toEqual({
    status: 409,
    answer: {
      message: 'page is now in ready, attempt 0: nothing was changed',
      fix: 'Look at it again',
    },
  });
  const now = { state: 'ready', attempt: 0 };
  expect((await ui.act('abort', { id: 'page', seen: now })).status).toBe(200);
  expect(existsSync(join(root, 'active_tasks/aborted/page'))).toBe(true);
  expect((await ui.act('abort', { id: 'page', seen: now })).status).toBe(409);
  expect((await ui.act('abort', { id: 'nobody', seen: now })).status).toBe(409);
  expect(
    (await ui.act('new', { text: '--help', flags: { run: 'true', other: 'x' } })).answer,
  ).toMatchObject({
    id: expect.stringMatching(/^help/),
  });
  expect((await ui.act('new', { text: '' })).status).toBe(422);
});

test('--read-only changes nothing', async () => {
  const { ui, root } = await served('--read-only');
  expect((await ui.ask('/read/may')).text).toBe('{"change":false}');
  expect((await ui.ask('/do/confirm', post(ui))).status).toBe(404);
  expect(existsSync(join(root, 'active_tasks/draft/page'))).toBe(true);
});

test('behind a forwarded port the page works under another', async () => {
  const { ui } = await served();
  const through = { host: 'localhost:9000', origin: 'http://localhost:9000' };
  expect((await ui.ask('/do/confirm', post(ui, { headers: through }))).status).toBe(200);
});

test('a body of 100 MB, slow askers and 200 connections leave it answering', async () => {
  const { ui } = await served();
  const large = ui.ask('/do/note', post(ui, { body: Buffer.alloc(100_000_000, 32) }));
  await expect(
    large.then(
      ({ status }) => status,
      () => 413,
    ),
  ).resolves.toBe(413);
  const open = [...Array(200).keys()].map(() => connect(ui.port, '127.0.0.1'));
  open.forEach((one) => one.on('error', () => undefined).write('GET / HTTP/1.1\r\n'));
  expect((await ui.ask('/')).status).toBe(200);
  open.forEach((one) => one.destroy());
});

test('words that name another task, or a pattern, are words: only the task that was seen changes', async () => {
  const room = commandRoom();
  for (const id of ['greet', 'wave']) {
    await room.said('new', id, '--id', id, '--deliverable', `${id}.txt`, '--gate', 'person');
    await room.said('confirm', id);
  }
  await room.said('run');
  const ui = await startUi(room.root);
  onTestFinished(async () => void (await ui.end()));
  const here = { state: 'review', attempt: 2 };
  const review = (id: string): string =>
    readFileSync(join(room.root, `active_tasks/review/${id}/review.md`), 'utf8');
  for (const [id, other, text] of [
    ['greet', 'wave', '*'],
    ['wave', 'greet', 'greet'],
  ] as const) {
    const before = review(other);
    const given = await ui.act('needs-work', { id, text, seen: here });
    expect([given, review(other)]).toEqual([{ status: 200, answer: { id } }, before]);
    expect(review(id)).toContain(`\n${text}\n`);
  }
  await ui.act('abort', { id: 'greet', text: 'wave', seen: here });
  expect(room.states()).toEqual({ greet: 'aborted', wave: 'review' });
});

test('settings that cannot be read are told, and the page goes on when they can', async () => {
  const { ui, root } = await served();
  const { news } = listening(ui);
  await news('"whole":true');
  const config = join(root, '.contracts/config.yaml');
  const before = readFileSync(config);
  writeFileSync(config, 'adapter: [');
  await news('"failed":"');
  expect((await ui.ask('/')).status).toBe(200);
  expect((await ui.ask('/read/task/page')).status).toBe(500);
  const late = listening(ui);
  await late.news('"failed":"');
  writeFileSync(config, before);
  await late.news('"id":"page"');
  renameSync(root, `${root}-elsewhere`);
  await late.news('"failed":"', 2);
  renameSync(`${root}-elsewhere`, root);
});

test('news come as events: all tasks first, then what a hand moved', async () => {
  const { ui, root, said } = await served();
  const { news, parts } = listening(ui);
  await news('"whole":true');
  await said('new', 'Another', '--id', 'other', '--run', 'true');
  await news('"id":"other"');
  mkdirSync(join(root, 'active_tasks/aborted'), { recursive: true });
  renameSync(join(root, 'active_tasks/draft/other'), join(root, 'active_tasks/aborted/other'));
  await news('"state":"aborted"');
  expect(parts.join('').match(/"whole":true/g)).toHaveLength(1);
});

test('Ctrl-C ends it while pages are open, and a port that is taken is said', async () => {
  const { ui, said } = await served();
  const taken = await said('ui', '--no-open', '--port', String(ui.port));
  expect([taken.code, taken.err]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
  const socket = connect(ui.port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `GET ${ui.base}/events/board HTTP/1.1\r\nHost: localhost\r\nCookie: ${ui.cookie}\r\n\r\n`,
  );
  await new Promise((came) => socket.once('data', came));
  expect(await ui.end()).toBe(130);
});

test('the script of the page is small', () => {
  const script = readFileSync(join(dirname(BINARY), '../ui/page.js'));
  expect(gzipSync(script).length).toBeLessThan(45_000);
  expect(script.toString()).not.toContain('ZodObject');
});
