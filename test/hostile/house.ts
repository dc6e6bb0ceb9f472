/**
 * A workspace with one hostile task and one good neighbour, driven by the verbs themselves: `main`
 * in this process with the real disk and real processes, or the built binary where a limit of the
 * process matters. Nothing here is a mock.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import type { Problem } from '../../src/task/core/model/problem.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { checkedLine } from '../support/json-lines.ts';
import { BINARY } from '../support/binary.ts';
import { saidHere } from '../support/command-room.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

export { BINARY };

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Of `--json`: the lines of stdout as data. */
  readonly events: readonly Event[];
}

export interface House {
  readonly root: string;
  path(relative: string): string;
  /** Writes below the root, with the folders that are missing. */
  write(relative: string, content: string | Uint8Array): void;
  read(relative: string): string;
  exists(relative: string): boolean;
  /** A contract in a state folder; gives the folder's path, relative. */
  task(id: string, contract: string, state?: string): string;
  /** A verb in this process. */
  run(...argv: string[]): Promise<Said>;
  /** `run --json`. */
  events(...argv: string[]): Promise<Said>;
  /** In which state folders a task of that id stands. */
  where(id: string): readonly string[];
}

export interface Parts {
  readonly head?: string;
  readonly body?: string;
  readonly criteria?: string;
  readonly sh?: string;
}

/** A contract for the shell adapter that makes `<name>.txt` and checks that it is there. */
export function shellContract(name: string, parts: Parts = {}): string {
  return `---
v: 1
title: Make ${name}
verify:
  - run: test -s ${name}.txt
deliverables: [${name}.txt]
${parts.head === undefined ? '' : `${parts.head}\n`}---

# Make ${name}

## Objective

Make it.

${parts.body ?? ''}
## Success Criteria

${parts.criteria ?? `- [ ] \`test -s ${name}.txt\` passes`}

## Steps

\`\`\`sh
${parts.sh ?? `echo made > ${name}.txt`}
\`\`\`
`;
}

/** With a neighbour `good` in ready, which needs nothing but to be left alone. */
export function makeHouse(options: { config?: string; neighbour?: boolean } = {}): House {
  const root = sealedFolder('hostile');
  init(realDisk, root);
  const path = (relative: string): string => join(root, relative);
  const write = (relative: string, content: string | Uint8Array): void =>
    putFile(path(relative), content);
  const house: House = {
    root,
    path,
    write,
    read: (relative) => readFileSync(path(relative), 'utf8'),
    exists: (relative) => existsSync(path(relative)),
    task: (id, contract, state = 'ready') => {
      write(`active_tasks/${state}/${id}/contract.md`, contract);
      return `active_tasks/${state}/${id}`;
    },
    run: (...argv) => said(['-C', root, ...argv]),
    events: (...argv) => said(['-C', root, ...argv, '--json']),
    where: (id) =>
      readdirSync(path('active_tasks')).filter((state) =>
        existsSync(path(`active_tasks/${state}/${id}`)),
      ),
  };
  if (options.config !== undefined) write('.contracts/config.yaml', options.config);
  if (options.neighbour !== false) house.task('good', shellContract('good'));
  return house;
}

async function said(argv: readonly string[]): Promise<Said> {
  const { code, out, err } = await saidHere(argv);
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  return { code, out, err, events: lines.map((line) => checkedLine(line) as Event) };
}

/** The built binary, in a shell, so that limits can be set before it: `ulimit -n 30; $BIN step`. */
export function inShell(
  house: House,
  command: string,
  env: Record<string, string> = {},
  timeout = 60_000,
): Said {
  const ran = spawnSync('sh', ['-c', command], {
    cwd: house.root,
    encoding: 'utf8',
    env: {
      ...sealedEnv(),
      BIN: `${process.execPath} ${BINARY}`,
      CONTRACTS_SANDBOX: 'none',
      CONTRACTS_TRUST: '1',
      ...env,
    },
    timeout,
  });
  return { code: ran.status ?? -1, out: ran.stdout, err: ran.stderr, events: [] };
}

/** Everything of a path that a rewrite, a rename or a touch would change; folders with all below. */
export function mark(path: string): unknown {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { mode, size, ino, mtimeMs, nlink } = found;
  if (found.isSymbolicLink()) return { mode, ino, to: readlinkSync(path) };
  if (found.isDirectory()) {
    return readdirSync(path).map((name) => [name, mark(join(path, name))]);
  }
  const bytes = found.isFile() && size < 1_000_000 ? readFileSync(path).toString('base64') : '';
  return { mode, size, ino, mtimeMs, nlink, bytes };
}

export function waitsOf(events: readonly Event[], id: string) {
  return events.find((event) => event.event === 'waits' && event.task === id) as
    Extract<Event, { event: 'waits' }> | undefined;
}

export interface Expected {
  readonly code: Problem['code'];
  /** A part of the problem's message. */
  readonly says: string | RegExp;
  /** Relative; `contract.md` of the task when left out. */
  readonly file?: string;
  readonly line?: number;
}

/**
 * The promise for a refused task, in full: `run` leaves it where it stands, untouched and never
 * claimed, and says the problem with place and cure; the neighbour comes to done; exit 1, because a
 * person is needed; `check` and `list` name it too.
 */
export async function expectRefused(house: House, id: string, expected: Expected): Promise<void> {
  const [state = ''] = house.where(id);
  const folder = `active_tasks/${state}/${id}`;
  const before = mark(house.path(folder));
  const { code, events } = await house.events('run');
  const found = problemsOf(waitsOf(events, id)).find((one) => one.code === expected.code);
  expect({ code: found?.code, file: found?.file }).toEqual({
    code: expected.code,
    file: expected.file ?? `${folder}/contract.md`,
  });
  expect(found?.message).toMatch(expected.says);
  expect(found?.line).toBe(expected.line ?? found?.line);
  expect(found?.line).toBeGreaterThan(0);
  expect(found?.fix).toMatch(/\w{3,}/);
  expect(code).toBe(1);
  expect(house.where(id)).toEqual([state]);
  expect(mark(house.path(folder))).toEqual(before);
  expect(house.where('good')).toEqual(['done']);
  const check = await house.run('check');
  expect(check.code).toBe(1);
  // A folder has no lines.
  const place = check.out.match(/^(.+?)(?::\d+:\d+)?: error: /m)?.[1];
  expect(
    check.out.includes(`${found?.file}:${found?.line}:${found?.col}: error: `) ||
      place === found?.file,
  ).toBe(true);
  const list = await house.run('list');
  expect(list.out).toContain(id);
  expect(mark(house.path(folder))).toEqual(before);
}

function problemsOf(event: { problems?: readonly Problem[] } | undefined): readonly Problem[] {
  return event?.problems ?? [];
}
