/**
 * A workspace in which one task is given to the scripted ACP agent (acp-agent.mjs), by the real command
 * and in real processes. Its state (sessions, diary) lies beside the workspace and not in it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY, startContracts, type Ended, type Started } from './binary.ts';
import { putFile, sealedFolder } from './sealed-folder.ts';

const AGENT = fileURLToPath(new URL('acp-agent.mjs', import.meta.url));

export interface AcpWorld {
  readonly root: string;
  write(path: string, text: string): void;
  read(path: string): string | undefined;
  /** Where the task stands. */
  state(): string;
  /** What the agent itself saw, a line each. */
  diary(): readonly string[];
  start(...argv: readonly string[]): Started;
  run(...argv: readonly string[]): Promise<Ended>;
  /** outcome.md of that attempt. */
  outcome(attempt?: number): string;
  log(attempt?: number): string;
}

export const TASK = 'task';

/** `head` is added to the contract's front matter, `adapter` to the adapter's configuration. */
export function acpWorld(
  scene: string,
  more: {
    readonly head?: string;
    readonly adapter?: string;
    readonly run?: readonly string[];
  } = {},
): AcpWorld {
  const parent = sealedFolder('acp');
  const [root, state] = [join(parent, 'workspace'), join(parent, 'state')];
  mkdirSync(root);
  mkdirSync(state);
  const run = more.run ?? [process.execPath, AGENT, scene, state];
  execFileSync(process.execPath, [BINARY, 'init', '--dir', root]);
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  const write = (path: string, text: string): void => putFile(join(root, path), text);
  const stands = (): string =>
    STATES.find((one) => existsSync(join(root, 'active_tasks', one, TASK))) ?? 'nowhere';
  const attempt = (number: number, name: string): string =>
    read(join('active_tasks', stands(), TASK, 'attempts', String(number).padStart(4, '0'), name)) ??
    '';
  write(
    '.contracts/config.yaml',
    `retries_max: 0\nadapters:\n  scripted:\n    type: acp\n    run: ${JSON.stringify(run)}\n${more.adapter ?? ''}`,
  );
  write(
    `active_tasks/ready/${TASK}/contract.md`,
    `---\ntitle: A task\nadapter: scripted\nverify: ["run: true"]\n${more.head ?? ''}---\n\n## Success Criteria\n\n- [ ] It is there\n`,
  );
  return {
    root,
    write,
    read,
    state: stands,
    diary: () => {
      const file = join(state, 'diary');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
    start: (...argv) => startContracts(root, argv),
    run: (...argv) => startContracts(root, argv).ended,
    outcome: (number = 1) => attempt(number, 'outcome.md'),
    log: (number = 1) => attempt(number, 'output.log'),
  };
}

const STATES = [
  'draft',
  'ready',
  'in_progress',
  'questions',
  'blocked',
  'review',
  'done',
  'aborted',
];
