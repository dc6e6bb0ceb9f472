/**
 * Hooks of git for one call that no sandbox confines, by its environment: they refuse what its permissions do not
 * have, in the repository of the workspace, and then call the repository's own (templates/git-hook.sh).
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolders } from '../../../git/git-folders.ts';
import type { AgentCall, Environment } from '../../../process/adapter.ts';
import { realOf } from '../../../process/path-kind.ts';
import { GIT_OPERATIONS } from '../../../task/core/model/permissions.ts';
import { packageFolder } from '../../../workspace/open/package-folder.ts';
import { stateHome } from '../../../workspace/open/state-home.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { refusalWords } from '../../core/denial.ts';
import { HOOK_LOG } from './tool-hook.ts';

/** git has no hook for what only stages, and none for its settings. */
const REFUSED = GIT_OPERATIONS.filter((one) => !/^(add|pull_request|config)$/.test(one));

/** All that git runs from a folder of hooks: ours replaces the whole folder. */
const NAMES = (
  'applypatch-msg commit-msg p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist ' +
  'post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite ' +
  'post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive ' +
  'prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update'
).split(' ');

const NONE = { env: {}, remove: () => undefined };

export interface GitHooks {
  /** Added to the environment `below`. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** `below`: the environment of the call, whose own settings of git stay. */
export function gitHooks(ws: Workspace, call: AgentCall, below: Environment): GitHooks {
  const { git, strength } = call.authority;
  const found = gitFolders(call.root);
  const common = found && realOf(found.common);
  const mayAll = REFUSED.every((one) => git.includes(one));
  if (common === undefined || mayAll || strength !== 'hard' || call.sandboxed === true) return NONE;
  const folder = join(stateHome(ws.env), 'contracts/git-hooks', ws.machine.nonce());
  const at = Number(below['GIT_CONFIG_COUNT'] ?? 0);
  const [begin = '', end = ''] = refusalWords('\0', call.desk).split('\0');
  const may = { may: git.join(' '), words_may: git.join(', ') || 'only read' };
  const log = `${call.desk}/${HOOK_LOG}`;
  const values = { at: String(at), common, root: call.workspace, log, begin, end, ...may };
  const lines = Object.entries(values).map(([name, text]) => `${name}=${quoted(text)}\n`);
  const script = readFileSync(`${packageFolder()}templates/git-hook.sh`, 'utf8');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const whole = script.replace(/^hook=/m, () => `${lines.join('')}hook=`);
  writeFileSync(join(folder, 'hook'), whole, { mode: 0o555 });
  for (const name of NAMES) symlinkSync('hook', join(folder, name));
  // An installer of hooks that asks git for its folder finds one that it cannot write.
  chmodSync(folder, 0o555);
  const env = {
    [`GIT_CONFIG_KEY_${at}`]: 'core.hooksPath',
    [`GIT_CONFIG_VALUE_${at}`]: folder,
    GIT_CONFIG_COUNT: String(at + 1),
  };
  const remove = (): void => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  };
  return { env, remove };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
