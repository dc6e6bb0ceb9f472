/** How trees and changes travel: packed through the queue, or as commits at a git remote that both sides reach. */
import { spawnSync } from '../../process/child-process.ts';
import { programEnvironment } from '../../process/adapter.ts';
import { NO_GIT } from '../../git/runner-git.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitWords, type Git } from '../../worktrees/engine/git.ts';
import { LOST, type Pack } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import { mustHave, packOf, unpack, type Store } from './pack.ts';
import type { JobQueue } from './queue.ts';

/** Protocols that fetch and send and run no other program of the address. */
const PROTOCOLS = [
  'never',
  'https=always',
  'ssh=always',
  'git=always',
  'file=always',
  'http=always',
];
const CONFIG = PROTOCOLS.map((one) => {
  const [name = '', value] = one.split('=');
  return value === undefined ? `protocol.allow=${name}` : `protocol.${name}.allow=${value}`;
});
/** Names of variables by which a person's git reaches a remote. */
const REACH = ['SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'https_proxy', 'HTTPS_PROXY'];
const TIMEOUT_MS = 10 * 60_000;

export class Carrier {
  readonly #ws: Workspace;
  readonly #queue: JobQueue;
  /** An address as git takes it; undefined: through the queue. */
  readonly #remote: string | undefined;

  constructor(ws: Workspace, queue: JobQueue, remote: string | undefined) {
    this.#ws = ws;
    this.#queue = queue;
    this.#remote = remote;
  }

  get isRemote(): boolean {
    return this.#remote !== undefined;
  }

  /** `name`: of a ref at the remote, without `refs/`; `beside`: a commit that the other side has. */
  async send(git: Git, commit: string, name: string, beside?: string): Promise<Pack> {
    if (this.#remote === undefined) {
      const id = name.replaceAll('/', '.');
      const not = beside === undefined ? [] : [beside];
      return this.#queue.putPack(id, commit, () => packOf(this.#ws, git, commit, not));
    }
    const ref = `refs/${name}`;
    this.#run(git, ['push', '--quiet', '--force', '--no-verify', this.#remote, `${commit}:${ref}`]);
    return { id: ref, commit };
  }

  /** Puts the commit and its files into a store. Throws a Refusal. */
  async fetch(store: Store, { id, commit }: Pack, beside?: string): Promise<void> {
    if (this.#remote === undefined) {
      const bytes = await this.#queue.pack({ id, commit });
      if (bytes === undefined) throw new Refusal(`${LOST}its files`);
      return unpack(store, bytes, commit);
    }
    if (!/^refs\/(?:contracts|heads\/contracts)\/[\w./-]+$/.test(id))
      throw new Refusal(`${id} is no ref of contracts`);
    const tip = beside === undefined ? [] : [`--negotiation-tip=${beside}`];
    const how = ['--quiet', '--no-tags', '--depth=1', '--no-write-fetch-head', ...tip];
    this.#run(store.git, ['fetch', ...how, this.#remote, `+${id}:refs/contracts/came`]);
    mustHave(store, commit);
  }

  async drop(pack: Pack): Promise<void> {
    if (this.#remote === undefined) await this.#queue.dropPack(pack);
  }

  /** With the person's own git settings, which know how to log in there; no hook and no terminal. */
  #run({ place }: Git, args: readonly string[]): void {
    const { programs, env } = this.#ws;
    const strict = ['core.hooksPath=/dev/null', 'fetch.fsckObjects=true', 'fetch.unpackLimit=1'];
    const config = [...CONFIG, ...strict].flatMap((one) => ['-c', one]);
    const ended = spawnSync(programs.find('git') ?? NO_GIT, [...config, ...args], {
      cwd: place.work_tree,
      env: {
        ...programEnvironment(env, REACH),
        PATH: programs.path,
        GIT_DIR: place.git_dir,
        GIT_COMMON_DIR: place.common_dir,
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (ended.status === 0) return;
    const why = gitWords({ code: ended.status, out: '', err: ended.stderr });
    throw new Refusal(`git ${args[0]} with ${this.#remote} failed: ${why.slice(0, 300)}`);
  }
}
