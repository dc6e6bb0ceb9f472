/**
 * Hooks of git for one call, by its environment: they refuse what its permissions do not have, in the repository
 * of the workspace, and then call the repository's own (templates/git-hook.sh).
 */
import { join } from 'node:path';
import { makeHooks } from '../../../git/hook-folder.ts';
import type { AgentCall, Environment } from '../../../process/adapter.ts';
import { realOf } from '../../../process/path-kind.ts';
import { GIT_OPERATIONS } from '../../../task/core/model/permissions.ts';
import { Fault } from '../../../task/core/model/problem.ts';
import { findGit } from '../../../git/find-git.ts';
import { packageFolder } from '../../../workspace/open/package-folder.ts';
import { stateHome } from '../../../workspace/open/state-home.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { refusalWords } from '../../core/denial.ts';
import { HOOK_LOG } from './tool-hook.ts';

/** git has no hook for what only stages, and none for its settings. */
const REFUSED = GIT_OPERATIONS.filter((one) => !/^(add|pull_request|config)$/.test(one));

const nothing = (): void => undefined;
const NONE = { env: {}, shows: [], make: nothing, remove: nothing };
/** The place in a sandbox: a mount in a mount, so that nothing there can be renamed. */
const IN_SANDBOX = '/run/contracts-git-hooks';

/** `below`: the environment of the call, whose own settings of git stay; `shows`: what a sandbox mounts for them. */
export function gitHooks(ws: Workspace, call: AgentCall, below: Environment) {
  const { git, strength } = call.permissions;
  const found = findGit(ws, call.root);
  const common = found && realOf(found.common);
  const mayAll = REFUSED.every((one) => git.includes(one));
  if (common === undefined || mayAll || strength !== 'hard') return NONE;
  const folder = join(stateHome(ws.env), 'contracts/git-hooks', ws.machine.nonce());
  const at = Number(below['GIT_CONFIG_COUNT'] ?? 0);
  const [begin = '', end = ''] = refusalWords('\0', call.desk).split('\0');
  const may = { may: git.join(' '), words_may: git.join(', ') || 'only read' };
  const log = `${call.desk}/${HOOK_LOG}`;
  const values = { at: String(at), common, root: call.workspace, log, begin, end, ...may };
  let remove = nothing;
  const make = (): void => {
    try {
      remove = makeHooks(folder, `${packageFolder()}templates/git-hook.sh`, values);
    } catch (cause) {
      const fix = 'Make it writable, or name another folder in XDG_STATE_HOME';
      throw new Fault('tree', `the hooks of git cannot be made: ${folder}`, { cause, fix });
    }
  };
  const env = {
    [`GIT_CONFIG_KEY_${at}`]: 'core.hooksPath',
    [`GIT_CONFIG_VALUE_${at}`]: call.sandboxed === true ? IN_SANDBOX : folder,
    GIT_CONFIG_COUNT: String(at + 1),
  };
  const shows = [{ path: IN_SANDBOX, as: 'read' as const, from: folder }];
  return { env, shows, make, remove: () => remove() };
}
