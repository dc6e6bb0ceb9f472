/**
 * A workspace on which one real client plays a story of the scripted model, called by the built
 * command: a folder with git, a home and a TMPDIR of its own, one contract that is ready. Looks only
 * at what a person could look at: lines, files, processes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseRecord } from '../../src/task/text/documents/record.ts';
import type { OrdinaryUser } from './as-user.ts';
import { BINARY, startContracts, type Ended, type Started } from './binary.ts';
import { clientFolder, makeHome, type ClientName } from './clients.ts';
import type { ModelServer } from './model/server.ts';
import { MADE } from './model/stories.ts';
import { putFile, sealedFolder } from './sealed-folder.ts';
import { until } from './until.ts';

export const TASK = 'greet';

export interface StageOptions {
  readonly client: ClientName;
  readonly model: ModelServer;
  /** What stands between the brackets: `complete`, `error 401`. */
  readonly story: string;
  /** Of one call of the client; a minute when left out. */
  readonly timeout_s?: number;
  /** More lines of the contract's front matter. */
  readonly head?: string;
  /** Whose configuration in docs/examples is used; the client's when left out. */
  readonly example?: string | undefined;
  /** The name of the model in the contract; the client's own when left out. */
  readonly model_name?: string | undefined;
  /** Changes that configuration. */
  readonly config?: ((text: string) => string) | undefined;
  /** Who calls; whoever runs the tests when left out. */
  readonly user?: OrdinaryUser | undefined;
  /** The project has folders of the clients, with settings and agents, as teams commit them. */
  readonly folders?: boolean;
  /** More of the person's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Installs the client in its home in another way; returns the folder on PATH. `programs`: where it really is. */
  readonly install?: (home: string, programs: string) => string;
  /** False: `CONTRACTS_SANDBOX=none`. */
  readonly sandbox?: boolean;
}

export interface Line {
  readonly event: string;
  readonly [key: string]: unknown;
}

export interface Played extends Ended {
  readonly lines: readonly Line[];
}

export interface Stage {
  readonly root: string;
  /** The client's own. */
  readonly home: string;
  /** `contracts run --json` to its end. */
  run(): Promise<Played>;
  start(args: readonly string[]): Started;
  contracts(args: readonly string[]): Promise<Ended>;
  /** The state in which the task stands. */
  state(): string;
  /** The front matter of outcome.md. */
  outcome(attempt: number): Readonly<Record<string, unknown>>;
  there(path: string): boolean;
  /** A file of the workspace; the empty string when it is not there. */
  file(path: string): string;
  /** A file of the task, wherever it stands. */
  taskFile(path: string): string;
  /** What the client printed in its attempt, with the folders of this stage under other names. */
  printed(attempt: number): string;
  /** Refs that arrived at the remote. */
  pushed(): string;
  /** What git says of the project. */
  changed(): string;
  /** Waits for the end of all processes of this stage: a killed one may take a moment to be gone. */
  allGone(): Promise<void>;
}

const TEAM_FILES: Readonly<Record<string, string>> = {
  '.claude/settings.json': '{ "permissions": { "deny": ["WebSearch"] } }\n',
  '.claude/agents/poet.md':
    '---\nname: poet\ndescription: Writes verses.\ntools: Write, Read\n---\n\nYou write verses.\n',
  '.codex/config.toml': 'model_reasoning_effort = "low"\n',
  '.gemini/settings.json': '{ "ui": { "hideBanner": true } }\n',
  '.gemini/agents/bard.md':
    '---\nname: bard\ndescription: Sings.\ntools: [write_file, read_file]\n---\n\nYou sing.\n',
  '.opencode/agents/scribe.md':
    '---\ndescription: Takes notes.\nmode: subagent\n---\n\nYou take notes.\n',
};

const EXAMPLES = new URL('../../docs/examples/', import.meta.url);

/** A workspace with the configuration of an example, and the whole environment of its person. */
export interface Room {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The model's name, as the client wants it. */
  readonly model: string;
}

export function makeRoom(
  client: ClientName,
  url: string,
  example: string,
  programs?: string,
  change = (text: string): string => text,
): Room {
  const room = sealedFolder('stage');
  const root = join(room, 'shop');
  const { env, model } = makeHome(client, room, url, programs);
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  execFileSync(process.execPath, [BINARY, 'init', '--dir', root], { env, stdio: 'ignore' });
  // What people are told to copy, as it stands there.
  const config = readFileSync(new URL(`${example}/config.yaml`, EXAMPLES), 'utf8');
  writeFileSync(join(root, '.contracts/config.yaml'), change(config));
  return { root, home: join(room, 'home'), env, model };
}

export function makeStage(options: StageOptions): Stage {
  const { client, model } = options;
  const { user } = options;
  const room = makeRoom(
    client,
    model.url,
    options.example ?? client,
    user?.programs,
    options.config,
  );
  const { root, home } = room;
  const off = options.sandbox === false ? { CONTRACTS_SANDBOX: 'none' } : {};
  const folder_of_links = options.install?.(home, user?.programs ?? clientFolder(client));
  const links = folder_of_links && { PATH: `${folder_of_links}:${process.env['PATH'] ?? ''}` };
  const env = { CONTRACTS_TRUST: '1', ...room.env, ...links, ...options.env, ...off };
  putFile(
    join(root, 'active_tasks/ready', TASK, 'contract.md'),
    contractText(options, options.model_name ?? room.model),
  );
  for (const [path, text] of Object.entries(options.folders === true ? TEAM_FILES : {})) {
    putFile(join(root, path), text);
  }
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message=start');
  const remote = join(root, '../remote.git');
  git(root, 'init', '--quiet', '--bare', remote);
  git(root, 'remote', 'add', 'origin', remote);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  user?.own(dirname(root));
  const call = (args: readonly string[]) =>
    startContracts(root, args, user?.before, env, user?.binary);
  const taskFolder = (): string => join(root, 'active_tasks', stateOf(root), TASK);
  return {
    root,
    home,
    run: async () => playedOf(await call(['run', '--json']).ended),
    start: call,
    contracts: (args) => call(args).ended,
    state: () => stateOf(root),
    outcome: (attempt) => headOf(join(taskFolder(), 'attempts', number(attempt), 'outcome.md')),
    there: (path) => existsSync(join(root, path)),
    file: (path) => textOf(join(root, path)),
    taskFile: (path) => textOf(join(taskFolder(), path)),
    printed: (attempt) =>
      textOf(join(taskFolder(), 'attempts', number(attempt), 'output.log'))
        .replaceAll(root, '/home/you/shop')
        .replaceAll(home, '/home/you')
        .replaceAll(resolve(clientFolder(client), '../..'), '/home/you/.cache/contracts-clients'),
    pushed: () => gitSays(remote, 'for-each-ref', '--format=%(refname)'),
    changed: () => gitSays(root, 'status', '--porcelain'),
    allGone: async () => {
      const left = (): string[] => withHome(home);
      await until(
        'the end of all',
        () => left().length === 0,
        () => left().join('\n'),
      );
    },
  };
}

function contractText({ story, timeout_s = 60, head = '' }: StageOptions, model: string): string {
  return `---
title: Greet the guest
model: ${model}
deliverables: ${MADE}
verify:
  - "run: grep -q Hello ${MADE}"
timeout: ${timeout_s}s
retries_max: 0
${head}---

## Objective

Write \`${MADE}\` for the guest. [story:${story}]

## Success Criteria

- [ ] \`${MADE}\` says Hello
`;
}

function git(root: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=a person', '-c', 'user.email=person@example.com'];
  execFileSync('git', [...who, ...args], { cwd: root, stdio: 'ignore' });
}

function gitSays(root: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: root, encoding: 'utf8' });
}

function playedOf(ended: Ended): Played {
  const lines = ended.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return { ...ended, lines };
}

function stateOf(root: string): string {
  const states = readdirSync(join(root, 'active_tasks'), { withFileTypes: true });
  const found = states.find(({ name }) => existsSync(join(root, 'active_tasks', name, TASK)));
  if (found === undefined) throw new Error(`${TASK} stands nowhere in ${root}`);
  return found.name;
}

const number = (attempt: number): string => String(attempt).padStart(4, '0');

function headOf(path: string): Readonly<Record<string, unknown>> {
  const record = parseRecord(readFileSync(path, 'utf8'), path);
  if (!record.ok) throw new Error(JSON.stringify(record.problems));
  return record.value.head;
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** A process belongs to the stage whose home it has. */
function withHome(home: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        if (!env.includes(`HOME=${home}`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()];
      } catch {
        return [];
      }
    });
}
