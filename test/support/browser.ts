/**
 * A real Chromium, as Debian has it, with what is asked of a page: what it loads, whether axe finds fault, what it
 * says in its console. Driven by Playwright's library alone, which brings no browser of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const place = PLACES.find((one) => existsSync(one));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Why tests with a browser are left out, or undefined. */
export function browserMissing(): string | undefined {
  return place === undefined ? 'chromium is not installed' : undefined;
}

/** A browser that is gone when the work is done: no test leaves a process. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  // Root has no sandbox of its own there, and a container little shared memory.
  const browser = await chromium.launch({
    executablePath: place ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

export interface Seen {
  readonly page: Page;
  /** Addresses that the page asked for, itself first. */
  readonly asked: readonly string[];
  /** Errors of scripts, and what a policy refused. */
  readonly errors: readonly string[];
  /** What axe finds wrong, a line each. */
  faults(): Promise<readonly string[]>;
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
}

export async function look(
  browser: Browser,
  url: string,
  { width = 1280, height = 900, scheme = 'light' }: Look = {},
): Promise<Seen> {
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme: scheme });
  const page = await context.newPage();
  const [asked, errors]: [string[], string[]] = [[], []];
  page.on('request', (one) => asked.push(one.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (one) => {
    if (one.type() === 'error') errors.push(one.text());
  });
  await page.goto(url);
  return { page, asked, errors, faults: () => faultsOf(page) };
}

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, so that the policy of the page stays as it is.
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as Found;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
