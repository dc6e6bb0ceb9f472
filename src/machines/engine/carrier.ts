/** How trees and changes travel: packed through the queue, or as commits at a git remote that both sides reach. */
import { programEnvironment } from '../../process/adapter.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitWords, type Git } from '../../worktrees/engine/git.ts';
import { LOST, Refusal, type Pack } from '../core/job.ts';
import { mustHave, packOf, unpack } from './pack.ts';
import type { JobQueue } from './queue.ts';

/** Protocols that fetch and send and run no other program of the address; what comes is checked. */
const CONFIG = [
  ...['https', 'ssh', 'git', 'file', 'http'].map(
    (one) => [`protocol.${one}.allow`, 'always'] as const,
  ),
  ['fetch.fsckObjects', 'true'],
  ['fetch.unpackLimit', '1'],
] as const;
/** Names of variables by which a person's git reaches a remote. */
const REACH = ['SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'https_proxy', 'HTTPS_PROXY'];

export type Carrier = ReturnType<typeof carrierBy>;

/** `remote`: an address as git takes it; undefined: through the queue. */
export function carrierBy(ws: Workspace, queue: JobQueue, remote: string | undefined) {
  /** With the person's own git settings, which know how to log in there. */
  const run = (git: Git, args: readonly string[]): void => {
    // A partial clone fetches what it lacks.
    const more = { PATH: ws.programs.path, GIT_NO_LAZY_FETCH: '0' };
    const env = { ...programEnvironment(ws.env, REACH), ...more };
    const ended = git.run(args, { global: true, config: CONFIG, env });
    if (ended.code === 0) return;
    const why = gitWords(ended).slice(0, 300);
    throw new Refusal(`git ${args[0]} with ${remote} failed: ${why}`);
  };
  return {
    remote,
    /** `name`: of a ref at the remote, without `refs/`; `beside`: a commit that the other side has. */
    send: async (git: Git, commit: string, name: string, beside?: string): Promise<Pack> => {
      if (remote === undefined) {
        const id = name.replaceAll('/', '.');
        return queue.putPack(id, commit, () => packOf(ws, git, commit, beside));
      }
      const ref = `refs/${name}`;
      run(git, ['push', '--quiet', '--force', '--no-verify', remote, `${commit}:${ref}`]);
      return { id: ref, commit };
    },
    /** Puts the commit and its files into a store. Throws a Refusal. */
    fetch: async (store: Git, pack: Pack, beside?: string): Promise<void> => {
      const { id, commit } = pack;
      if (remote === undefined) {
        const bytes = await queue.pack(pack);
        if (bytes === undefined) throw new Refusal(`${LOST}its files`);
        return unpack(store, bytes, commit);
      }
      if (!/^refs\/(?:contracts|heads\/contracts)\/[\w./-]+$/.test(id))
        throw new Refusal(`${id} is no ref of contracts`);
      const tip = beside === undefined ? [] : [`--negotiation-tip=${beside}`];
      const how = ['--quiet', '--no-tags', '--depth=1', '--no-write-fetch-head', ...tip];
      run(store, ['fetch', ...how, remote, `+${id}:refs/contracts/came`]);
      return mustHave(store, commit);
    },
    drop: async (pack: Pack): Promise<void> => {
      if (remote === undefined) await queue.dropPack(pack);
    },
  };
}
