// Draws docs/pictures: the page and the report of thirty tasks, as Chromium shows them. Run it after a change of the
// views, and look at each: node scripts/picture-pages.mjs
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { makeThirty } from '../test/support/thirty-tasks.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const command = join(project, 'dist/bin/contracts.cjs');
const into = join(project, 'docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const root = join(folder, 'shop');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const served = [];
try {
  mkdirSync(into, { recursive: true });
  makeThirty(root);
  spawnSync(process.execPath, [command, '-C', root, 'report', '-o', 'report.html']);
  const server = spawn(process.execPath, [command, '-C', root, 'ui', '--no-open', '--json']);
  served.push(server);
  const line = await new Promise((done) => createInterface(server.stdout).once('line', done));
  const { url } = JSON.parse(line);
  const review = readdirSync(join(root, 'active_tasks/review')).find((id) => !id.startsWith('.'));
  const report = pathToFileURL(join(root, 'report.html')).href;
  await picture('board-light', url, { colorScheme: 'light' });
  await picture('board-dark', url, { colorScheme: 'dark' });
  await picture('task-light', url, { colorScheme: 'light' }, `#/task/${review}`);
  await picture('overview-light', url, { colorScheme: 'light' }, '#/overview');
  await picture('board-telephone', url, { viewport: { width: 360, height: 740 } });
  await picture('report-light', report, { colorScheme: 'light' });
} finally {
  for (const one of served) one.kill();
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function picture(name, url, look, hash) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.column .card').first().waitFor();
  if (hash !== undefined) {
    await page.evaluate((one) => (location.hash = one), hash);
    await page.locator('main section').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
  }
  await page.screenshot({ path: join(into, `${name}.png`) });
  await context.close();
}
