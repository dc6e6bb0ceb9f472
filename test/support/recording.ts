/**
 * A person at a shell in a real terminal (tmux), and what they saw, kept in docs/terminal and compared:
 * `UPDATE_RECORDINGS=1` writes it again. What differs at each run (times, ids, folders, money) is replaced first.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { BINARY } from './binary.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { until } from './until.ts';

export const WIDTHS = [80, 120] as const;

const KEPT = fileURLToPath(new URL('../../docs/terminal/', import.meta.url));
const STILL_MS = 300;

export interface Seat extends Terminal {
  /** Types a line at the shell. */
  enter(line: string): Promise<void>;
  /** Types a line and waits until the shell asks for the next one. */
  run(line: string): Promise<void>;
  /** Types a line; Enter accepts each proposal that is asked about, until the shell asks again. */
  accept(line: string): Promise<void>;
  /** Compares what was seen, or this text in its place, with docs/terminal/NAME-WIDTH.txt. */
  matches(name: string, text?: string): Promise<void>;
}

export interface SeatOptions {
  readonly cells: number;
  readonly rows?: number;
  /** `contracts` is made here. */
  readonly programs: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Longest first: what is replaced by what. */
  readonly names?: readonly (readonly [string, string])[];
}

/** The shell that a person has open in the folder `root`. */
export async function sit(root: string, options: SeatOptions): Promise<Seat> {
  const { cells, rows = 200, programs, env = {}, names = [] } = options;
  const shim = join(programs, 'contracts');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(shim, 0o755);
  const PATH = `${programs}:${env['PATH'] ?? process.env['PATH']}`;
  const all = { EDITOR: 'true', ...env, PATH, PS1: '$ ', LANG: 'C.UTF-8', NO_COLOR: '1' };
  const unset = ['CI', 'VISUAL', 'ENV', 'GIT_PAGER', 'PAGER'].flatMap((one) => ['-u', one]);
  const set = Object.entries(all).map(([key, value]) => `${key}=${value}`);
  const terminal = openTerminal(root, ['env', ...unset, ...set, 'sh'], { cells, rows });
  const seen = (): string => terminal.screen({ joined: false }).trimEnd();
  const isIdle = (): boolean => /(?:^|\n)\$$/.test(seen());
  const enter = async (line: string): Promise<void> => {
    await until('the shell', isIdle, seen);
    terminal.type(line);
    await until('the line', () => !isIdle());
    terminal.press('Enter');
  };
  return {
    ...terminal,
    enter,
    run: async (line) => {
      await enter(line);
      await until(`the end of ${line}`, isIdle);
    },
    accept: async (line) => {
      await enter(line);
      let [before, since] = ['', Date.now()];
      await until(`the end of ${line}`, () => {
        const now = seen();
        if (now !== before) [before, since] = [now, Date.now()];
        else if (Date.now() - since > STILL_MS && now.includes('◆')) {
          terminal.press('Enter');
          since = Date.now();
        }
        return isIdle();
      });
    },
    matches: async (name, shown) => {
      await until('the shell', isIdle, seen);
      const text = `${steady(shown ?? seen().replace(/\n\$$/, ''), names)}\n`;
      const file = join(KEPT, `${name}-${cells}.txt`);
      if (process.env['UPDATE_RECORDINGS'] === '1') writeFileSync(file, text);
      expect(existsSync(file), `${file}: write it with UPDATE_RECORDINGS=1`).toBe(true);
      expect(text).toBe(readFileSync(file, 'utf8'));
    },
  };
}

/** The same at each run. */
export function steady(text: string, names: readonly (readonly [string, string])[] = []): string {
  const named = names.reduce((now, [from, to]) => now.replaceAll(from, to), text);
  return named
    .replaceAll(/\bhold \(by [\w.-]+\)/g, 'hold (by you-laptop-0123456789abcdef)')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '00000000-0000-0000-0000-000000000000')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, '2026-11-22')
    .replaceAll(/(?<=[a-z]-)(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{4}\b/g, 'k3f9')
    .replaceAll(/\b\d+(?:\.\d+)? (ms|s|min)\b/g, '1 $1')
    .replaceAll(/\b(?:\d+m ?)?\d+s\b/g, '1s')
    .replaceAll(/\$\d+\.\d+/g, '$0.01')
    .replaceAll(/\b(?=[a-f]*\d)[0-9a-f]{10}\b/g, '0123456789')
    .replaceAll(/[ \t]+$/gm, '');
}
