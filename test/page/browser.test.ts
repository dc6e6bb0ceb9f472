/**
 * The page as a person uses it: the built command serves it, a real Chromium opens it, folders move. Without Chromium
 * it says so and is left out.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { browserMissing, look, withBrowser, type Look, type Seen } from '../support/browser.ts';
import { commandRoom } from '../support/command-room.ts';
import { makeThirty } from '../support/thirty-tasks.mjs';
import { startUi, type Ui } from '../support/ui.ts';

const missing = browserMissing();
if (missing !== undefined) console.log(`LEFT OUT: the page in a browser, because ${missing}`);

type Room = ReturnType<typeof commandRoom>;
interface Desk extends Room {
  readonly ui: Ui;
  open(how?: Look): Promise<Seen>;
}

/** A person at a browser, before a workspace that is served. */
async function atDesk(
  prepare: (room: Room) => unknown,
  work: (desk: Desk) => Promise<void>,
  ...flags: readonly string[]
): Promise<void> {
  const room = commandRoom();
  await prepare(room);
  const ui = await startUi(room.root, ...flags);
  try {
    await withBrowser((browser) => {
      const open = async (how: Look = {}): Promise<Seen> => {
        const seen = await look(browser, ui.url, how);
        await seen.page.locator('.column').first().waitFor();
        return seen;
      };
      return work({ ...room, ui, open });
    });
  } finally {
    await ui.end();
  }
}

const fileIn = ({ root }: Room, path: string): string =>
  readFileSync(join(root, 'active_tasks', path), 'utf8');
const isIn = ({ root }: Room, state: string, id: string): boolean =>
  existsSync(join(root, 'active_tasks', state, id));
const goTo = (page: Page, ...words: string[]) =>
  page.evaluate(`location.hash = '#/${words.join('/')}'`);

const asking = async (room: Room): Promise<void> => {
  room.write('.contracts/roles', 'asks greet\n');
  await room.said('new', 'Greet the guest', '--id', 'greet', '--deliverable', 'hello.txt');
  await room.said('confirm', 'greet');
  await room.said('run');
};
/** Two tasks ask the same, and one something else. */
const askedBefore = async (room: Room): Promise<void> => {
  room.write(
    '.contracts/agent.sh',
    `printf '## Questions\\n\\n1. Which currency?\\n' > "$CONTRACTS_OUT/questions.md"
[ "$CONTRACTS_TASK" = order ] || printf '2. Which printer?\\n\\n   - [ ] laser\\n   - [ ] ink\\n' >> "$CONTRACTS_OUT/questions.md"
`,
  );
  for (const id of ['bill', 'order'])
    await room.said('new', `The ${id}`, '--id', id, '--deliverable', `${id}.txt`);
  await room.said('ask');
};
const reviewed = async (room: Room): Promise<void> => {
  await room.said(
    'new',
    'Greet',
    '--id',
    'greet',
    '--deliverable',
    'hello.txt',
    '--gate',
    'person',
  );
  await room.said('confirm', 'greet');
  await room.said('run');
};

/** What an agent may serve on a port of its own, for a person to look at; `cookies` of those who did. */
async function servedByAgent(html: string) {
  const cookies: string[] = [];
  const server = createServer(({ headers }, response) => {
    cookies.push(headers.cookie ?? '');
    response.setHeader('Content-Type', 'text/html').end(html);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { cookies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe.runIf(missing === undefined)('the page', () => {
  test('what an agent serves on this machine gets no cookie, and cannot act', () =>
    atDesk(reviewed, async ({ ui, open, root }) => {
      const { page } = await open();
      const address = page.url();
      const { cookies, url } = await servedByAgent(`<a href="${ui.url}">in a terminal</a>`);
      await page.goto(url);
      expect(cookies.length).toBeGreaterThan(0);
      expect(cookies.join('')).toBe('');
      const sent = `fetch('${address}do/approve', { method: 'POST', credentials: 'include', mode: 'no-cors',
        body: '{"id":"greet","seen":{"state":"review","attempt":2}}' }).then(() => 'sent', String)`;
      await page.evaluate(sent);
      const read = `fetch('${address}read/task/greet', { credentials: 'include', mode: 'no-cors' }).then(() => 'read', String)`;
      expect(await page.evaluate(read)).toMatch(/Failed to fetch/);
      expect(readFileSync(join(root, 'active_tasks/review/greet/review.md'), 'utf8')).not.toMatch(
        /\[x\] APPROVED/,
      );
      // A terminal that is a page holds the address as a link.
      await page.goto(url.replace('127.0.0.1', 'localhost'));
      await page.getByRole('link').click();
      await page.locator('.column').first().waitFor();
    }));

  test('settings that break are said, with what cannot be read; a page that hears nothing says so', () =>
    atDesk(reviewed, async (desk) => {
      const { page, errors } = await desk.open();
      await page.clock.install();
      await page.goto(`${page.url()}#/task/%E0%A4%A`);
      await page.reload();
      await page.getByText('There is no task').waitFor();
      desk.write('.contracts/config.yaml', 'adapter: [');
      await page.getByText('The tasks cannot be read').waitFor();
      expect(errors.filter((one) => !/status of 404|status of 500/.test(one))).toEqual([]);
      // As a computer that slept: no word came, and none says that the connection is gone.
      process.kill(desk.ui.pid, 'SIGSTOP');
      await page.clock.fastForward(61_000);
      await page.getByText('The server does not answer').waitFor();
      process.kill(desk.ui.pid, 'SIGCONT');
    }));

  test('a question is answered in the box beside it', () =>
    atDesk(asking, async (desk) => {
      const { page } = await desk.open();
      await page.getByRole('link', { name: 'Greet the guest' }).first().click();
      await page.getByLabel(/^Answer to: Which of the two/).fill('The first <b>one</b>');
      await page.getByRole('button', { name: 'Answer' }).click();
      await page.getByText('Written; the next run').waitFor();
      expect(fileIn(desk, 'questions/greet/questions.md')).toContain('The first <b>one</b>');
      await desk.said('step', '-n');
    }));

  test('questions of several tasks are one form, each asked once', () =>
    atDesk(askedBefore, async (desk) => {
      const { page, errors, faults } = await desk.open();
      await page.getByRole('link', { name: 'Questions' }).click();
      await page.getByRole('heading', { name: '2 questions' }).waitFor();
      expect(await faults()).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      const [currency, printer] = await page.getByRole('group').all();
      expect(await currency?.getByRole('link').allTextContents()).toEqual([
        'The bill',
        'The order',
      ]);
      await goTo(page, 'task', 'order');
      await page.getByText('The answer is also for bill.').waitFor();
      await page.getByRole('link', { name: 'Questions' }).click();
      await page.getByRole('button', { name: 'Send the answers' }).click();
      await page.getByText('Answer at least one first.').waitFor();
      await currency?.getByLabel(/^Answer to: Which currency/).fill('Euro');
      await printer?.getByLabel('ink', { exact: true }).check();
      await page.getByRole('button', { name: 'Send the answers' }).click();
      await page.getByText('Written: 2 answers').waitFor();
      await page.getByRole('heading', { name: 'No question is open' }).waitFor();
      expect(fileIn(desk, 'questions/order/questions.md')).toContain('Euro');
      expect(fileIn(desk, 'questions/bill/questions.md')).toMatch(/Euro[^]*ink/);
      expect(errors).toEqual([]);
    }));

  test('a comment at a line reaches the brief of the next attempt', () =>
    atDesk(reviewed, async (desk) => {
      const { page } = await desk.open();
      await goTo(page, 'task', 'greet');
      await page.getByRole('button', { name: /^Comment at line 1 of hello.txt/ }).click();
      await page.getByLabel('Comment at hello.txt:1').fill('Say it in Danish');
      await page.getByLabel('Your words').fill('Almost.');
      await page.getByRole('button', { name: 'Needs work' }).click();
      await page.getByText('Written; the next run').waitFor();
      await desk.said('step');
      const brief = (await desk.said('show', 'greet', '--brief')).out;
      // With the line itself.
      expect(brief).toContain('hello.txt:1: Say it in Danish\n> greet wrote this');
      expect(brief).toContain('Almost.');
    }));

  test('a verdict needs its words, and an approval none', () =>
    atDesk(reviewed, async (desk) => {
      const { page } = await desk.open();
      await goTo(page, 'task', 'greet');
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('Write your words first').waitFor();
      expect(isIn(desk, 'review', 'greet')).toBe(true);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Written; the next run').waitFor();
      await desk.said('step');
      await page.locator('.waits', { hasText: 'done' }).waitFor();
      expect(isIn(desk, 'done', 'greet')).toBe(true);
    }));

  test('a card is dragged where a person may move it, and nowhere else', () =>
    atDesk(reviewed, async (desk) => {
      await desk.said('new', 'Wave', '--id', 'wave', '--run', 'true');
      const { page } = await desk.open();
      const card = page.locator('li', { hasText: 'Wave' }).last();
      await card.dragTo(page.getByRole('region', { name: 'done' }));
      expect(isIn(desk, 'draft', 'wave')).toBe(true);
      await card.dragTo(page.getByRole('region', { name: 'ready' }));
      await page
        .getByRole('region', { name: 'ready' })
        .getByRole('link', { name: 'Wave' })
        .waitFor();
      expect(isIn(desk, 'ready', 'wave')).toBe(true);
      // An approval is asked for first.
      const work = page.locator('li', { hasText: 'Greet' }).last();
      const done = page.getByRole('region', { name: 'done' });
      const verdict = () => fileIn(desk, 'review/greet/review.md');
      await work.dragTo(done);
      expect(verdict()).toContain('- [ ] APPROVED');
      page.once('dialog', (dialog) => void dialog.accept());
      await work.dragTo(done);
      await page.getByText('Written; the next run').waitFor();
      expect(verdict()).toContain('- [x] APPROVED');
    }));

  test('a folder moved by hand moves on the page', () =>
    atDesk(asking, async (desk) => {
      await desk.said('new', 'Wave', '--id', 'wave', '--run', 'true');
      const { page } = await desk.open();
      await page
        .getByRole('region', { name: 'draft' })
        .getByRole('link', { name: 'Wave' })
        .waitFor();
      mkdirSync(join(desk.root, 'active_tasks/ready'), { recursive: true });
      renameSync(
        join(desk.root, 'active_tasks/draft/wave'),
        join(desk.root, 'active_tasks/ready/wave'),
      );
      await page
        .getByRole('region', { name: 'ready' })
        .getByRole('link', { name: 'Wave' })
        .waitFor();
      expect(await page.getByRole('region', { name: 'draft' }).getByText('Wave').count()).toBe(0);
    }));

  test('a new contract is a draft, shown as the file that it is', () =>
    atDesk(asking, async (desk) => {
      const { page } = await desk.open();
      await page.getByRole('link', { name: 'New' }).click();
      await page.getByLabel('What you want').fill('Paint the "door" red');
      await page.getByLabel('Check').fill('test -s door.txt');
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.getByRole('heading', { name: 'Paint the "door" red' }).waitFor();
      await page.getByText('contract.md').click();
      await page.getByText('run: test -s door.txt').first().waitFor();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.locator('.waits', { hasText: 'ready' }).waitFor();
      expect(existsSync(join(desk.root, 'active_tasks/draft'))).toBe(true);
    }));

  test('a checkpoint of a plan is decided here', () =>
    atDesk(
      async (room) => {
        const item = (name: string) => `- [ ] ${name} (verify: \`run: test -d .\`)`;
        const plan = [
          '# Shop',
          '## Wave 1',
          item('First part'),
          '## Wave 2',
          item('Second part'),
          '',
        ];
        room.write('.contracts/plans/shop/plan.md', plan.join('\n\n'));
        await room.said('plan', 'start', 'shop');
        await room.said('run');
      },
      async (desk) => {
        const { page } = await desk.open();
        await page.getByRole('link', { name: 'Plans' }).click();
        await page.getByText('1 of 2 items done').waitFor();
        await page.locator('.checkpoint a').first().click();
        await page.getByRole('button', { name: 'GO', exact: true }).click();
        await page.getByText('Written; the next run').waitFor();
        await desk.said('run');
        await goTo(page, 'plans', 'shop');
        await page.getByText('100 %').waitFor();
        expect(await page.locator('.boxes [aria-label=done]').count()).toBeGreaterThanOrEqual(2);
      },
    ));

  test('two windows and a terminal: who is late is told, and nothing is overwritten', () =>
    atDesk(reviewed, async (desk) => {
      const [one, two] = [(await desk.open()).page, (await desk.open()).page];
      // The second window does not hear of what the first does.
      await two.route('**/read/**', (route) => route.abort());
      await goTo(one, 'task', 'greet');
      await one.getByRole('button', { name: 'Abort' }).waitFor();
      await desk.said('abort', 'greet');
      expect(isIn(desk, 'aborted', 'greet')).toBe(true);
      const late =
        await two.evaluate(`fetch('./do/approve', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: 'greet', seen: { state: 'review', attempt: 2 } }) }).then((r) => r.text())`);
      expect(late).toContain('greet is now in aborted');
      await one.locator('.waits', { hasText: 'aborted' }).waitFor();
    }));

  test('a server that ended is said, and found again on the same port with its new address', () =>
    atDesk(asking, async (desk) => {
      const { page } = await desk.open();
      await desk.ui.end('SIGKILL');
      await page.getByText('The server does not answer').waitFor();
      const again = await startUi(desk.root, '--port', String(desk.ui.port));
      await page.getByText('The server was started again').waitFor();
      await page.goto(again.url);
      await page.getByText('Live').waitFor();
      expect(await again.end()).toBe(130);
    }));

  test('it is light or dark as the system is, or as one chooses', () =>
    atDesk(asking, async (desk) => {
      const ground = (page: Page) =>
        page.evaluate('getComputedStyle(document.body).backgroundColor');
      const [light, dark] = ['rgb(246, 247, 249)', 'rgb(20, 23, 28)'];
      const { page } = await desk.open({ scheme: 'dark' });
      expect(await ground(page)).toBe(dark);
      await page.getByLabel('Theme').selectOption('light');
      expect(await ground(page)).toBe(light);
      const other = (await desk.open({ scheme: 'light' })).page;
      expect(await ground(other)).toBe(light);
      await other.getByLabel('Theme').selectOption('dark');
      expect(await ground(other)).toBe(dark);
    }));

  test('keys alone: to a card, into it, to the search', () =>
    atDesk(asking, async (desk) => {
      const { page } = await desk.open();
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Greet the guest');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Greet the guest' }).waitFor();
      await page.goBack();
      await page.locator('.columns .card').first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('nothing like it');
      await page.waitForFunction("document.querySelector('.columns .card') === null");
      expect(await page.locator('.columns .card').count()).toBe(0);
    }));
});

const EVIL = [
  '<img src=x onerror="globalThis.hacked=1">',
  '<script>globalThis.hacked=1</script>',
  '[x](javascript:globalThis.hacked=1) ![p](http://evil.example/p.png) <http://evil.example>',
  '</title></style><svg onload=globalThis.hacked=1>',
  '\u202Egnp.exe \u0007\u001b[31m \u2066 `${7*7}` {{7*7}}',
];

describe.runIf(missing === undefined)('texts of others', () => {
  test('do nothing in any view, and load nothing', () =>
    atDesk(
      async (room) => {
        for (const [i, text] of EVIL.entries()) {
          await room.said(
            'new',
            text,
            '--id',
            `evil-${i}`,
            '--criterion',
            text,
            '--deliverable',
            `e${i}.txt`,
            '--gate',
            'person',
          );
          await room.said('confirm', `evil-${i}`);
        }
        room.write(
          '.contracts/plans/evil/plan.md',
          `# ${EVIL[0]}\n\n- [ ] ${EVIL[1]}\n- [ ] ${EVIL[2]}\n`,
        );
        await room.said('run');
        for (const i of EVIL.keys()) await room.said('note', `evil-${i}`, EVIL.join('\n\n'));
      },
      async (desk) => {
        const { page, asked, errors } = await desk.open();
        const views = [
          '',
          'plans',
          'overview',
          'squads',
          'new',
          ...EVIL.map((_, i) => `task/evil-${i}`),
        ];
        for (const view of views) {
          await goTo(page, view);
          await page.locator('main section, main form, main p').first().waitFor();
          for (const one of await page.locator('details').all())
            await one.evaluate('(e) => { e.open = true }').catch(() => undefined);
          expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
          expect(
            await page.locator('img, iframe, object, script:not([src="./page.js"])').count(),
          ).toBe(0);
          expect(await page.evaluate('document.body.innerText')).not.toMatch(
            /[\p{Cf}]|[^\P{Cc}\n\t]/u,
          );
        }
        expect(asked.filter((url) => !url.startsWith(`http://127.0.0.1:${desk.ui.port}/`))).toEqual(
          [],
        );
        expect(errors).toEqual([]);
      },
    ));
});

describe.runIf(missing === undefined)('each view', () => {
  test('axe finds nothing in both themes, and nothing is wider than a telephone', () =>
    atDesk(
      async (room) => {
        makeThirty(room.root);
        const item = (n: number) => `${n % 10 === 1 ? `\n## Wave ${n}\n\n` : ''}- [ ] Item ${n}\n`;
        const items = Array.from({ length: 30 }, (_, i) => item(i + 1));
        room.write('.contracts/plans/shop/plan.md', `# Shop\n${items.join('')}`);
        await room.said('plan', 'start', 'shop');
      },
      async (desk) => {
        const tasks = ['questions', 'review', 'blocked', 'done'].map((state) => {
          const id = readdirSync(join(desk.root, 'active_tasks', state)).find(
            (one) => !one.startsWith('.'),
          );
          return `task/${id}`;
        });
        for (const how of [{ scheme: 'light' }, { scheme: 'dark', width: 360 }] as const) {
          const { page, faults, errors } = await desk.open(how);
          for (const view of ['', ...tasks, 'plans', 'plans/shop', 'overview', 'squads', 'new']) {
            await goTo(page, view);
            await page.locator('main section, main form').first().waitFor();
            if (view === 'overview') await page.locator('.figures').first().waitFor();
            if (view === 'plans/shop') {
              await page.locator('.boxes > li:not(.checkpoint)').nth(29).waitFor();
              expect(await page.locator('.boxes > li:not(.checkpoint)').count()).toBe(30);
            }
            expect([view, how.scheme, await faults()]).toEqual([view, how.scheme, []]);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
              how.scheme === 'dark' ? 360 : 1280,
            );
          }
          expect(errors).toEqual([]);
        }
      },
    ));

  test('of ten thousand tasks only those are drawn that are seen', () =>
    atDesk(
      (room) => {
        const contract =
          '---\ncontracts: 1\n---\n\n# Task\n\n## Objective\n\nDo it.\n\n## Success Criteria\n\n- [ ] It is done\n';
        for (let i = 0; i < 10_000; i++)
          room.write(`active_tasks/draft/task-${i}/contract.md`, contract);
      },
      async (desk) => {
        const { page } = await desk.open();
        await page.getByText('10000', { exact: true }).waitFor();
        const list = page.getByRole('list', { name: 'Tasks in draft' });
        for (const top of [0, 40_000, 400_000, 919_000]) {
          await list.evaluate(`(e) => e.scrollTo(0, ${top})`);
          await list.locator('.card').nth(3).waitFor();
          expect(await page.locator('.card').count()).toBeLessThan(60);
        }
      },
    ));
});
