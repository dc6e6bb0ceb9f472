/**
 * The report in a real browser, on thirty tasks in mixed states: what axe finds, what it loads, how wide it is, how
 * it prints. Without Chromium it says so and is left out.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { browserMissing, look, withBrowser } from '../support/browser.ts';
import { commandRoom } from '../support/command-room.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { makeThirty } from '../support/thirty-tasks.mjs';

const missing = browserMissing();
if (missing !== undefined) console.log(`LEFT OUT: the report in a browser, because ${missing}`);

describe.runIf(missing === undefined)('the report of thirty tasks', () => {
  let url = '';
  beforeAll(() => {
    const root = join(sealedFolder('report'), 'shop');
    makeThirty(root);
    const args = [BINARY, '-C', root, 'report', '-o', 'report.html'];
    expect(spawnSync(process.execPath, args).status).toBe(0);
    url = pathToFileURL(join(root, 'report.html')).href;
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (scheme) =>
    withBrowser(async (browser) => {
      const seen = await look(browser, url, { scheme });
      expect(await seen.faults()).toEqual([]);
      expect([seen.asked, seen.errors]).toEqual([[url], []]);
    }),
  );

  test('nothing is wider than the screen', () =>
    withBrowser(async (browser) => {
      for (const width of [360, 768, 1920]) {
        const { page, faults } = await look(browser, url, { width });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
        expect(await faults()).toEqual([]);
      }
    }));

  test('a fault is found by what looks for faults', () =>
    withBrowser(async (browser) => {
      const { page, faults } = await look(browser, url);
      await page.evaluate('document.querySelector("main").append(new Image())');
      expect(await faults()).toEqual([expect.stringContaining('image-alt')]);
    }));

  test('on paper everything that is folded is open', () =>
    withBrowser(async (browser) => {
      const { page } = await look(browser, url);
      const shown = () => page.locator('details:not([open]) .attempts').first().isVisible();
      expect(await shown()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await shown()).toBe(true);
    }));
});

test('a hundred tasks with their changes take less than 300 KB', async () => {
  const room = commandRoom();
  execFileSync('git', ['-C', room.root, 'init', '--quiet']);
  await room.said('init');
  room.write('.gitignore', 'home/\n');
  const ids = Array.from({ length: 100 }, (_, i) => `chapter-${i}`);
  for (const id of ids) {
    const does = ['--adapter', 'shell', '--sh', `seq 40 > ${id}.txt`, '--run', `test -s ${id}.txt`];
    await room.said('new', `Write ${id} of the manual for new people`, '--id', id, ...does);
  }
  await room.said('confirm', ...ids);
  await room.said('run', '--parallel', '4');
  const { out } = await room.said('report', '-o', '-');
  expect(out.match(/<article/g)).toHaveLength(100);
  expect(out).toContain('+40');
  expect(Buffer.byteLength(out)).toBeLessThan(290_000);
});
