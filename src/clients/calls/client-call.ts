/** What the calls of all clients share: the prompt, and what permissions mean for their rules. Pure. */
import { GIT_OPERATIONS, PROTECTED, type GitOperation } from '../../task/core/model/permissions.ts';
import { lacksEdits } from '../../permissions/core/tools.ts';
import type { AgentCall, Invocation } from '../../process/adapter.ts';
import { INSTRUCTIONS_BYTES_MAX } from '../core/client-record.ts';

/** Beside the brief, which says what is to be done and where to write. */
export function promptOf({ brief_file, interactive, session, task }: AgentCall): string {
  const called = session === undefined ? 'to work on' : 'again for';
  // At a terminal stdin is the person.
  if (!interactive)
    return `You are called ${called} the task ${task}. Your brief comes with this message; it is also in ${brief_file}.`;
  return `You are called ${called} the task ${task}. Read your brief in ${brief_file} first. A person is at this terminal: ask them instead of guessing.`;
}

export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

/** Undefined where there are none, or where they are too long for an argument: then the brief has them. */
export function instructionsOf({ instructions }: AgentCall): string | undefined {
  const text = instructions.trim();
  return text === '' || Buffer.byteLength(text) > INSTRUCTIONS_BYTES_MAX ? undefined : text;
}

/** For the judgement of one use of a tool. */
export const HOOK_SECONDS = 20;

/** One command line of a POSIX shell, as clients configure hooks. */
export function hookCommand({ hook }: AgentCall, client: string, timeout = HOOK_SECONDS) {
  const words = hook && [...hook, client].map((one) => `'${one.replaceAll("'", `'\\''`)}'`);
  return words && { type: 'command', command: words.join(' '), timeout };
}

/** Fields that all clients share; `own` wins. A sandbox shows the program of a hook. */
export function invoked(
  { brief, root, hook }: AgentCall,
  own: Pick<Invocation, 'argv'> & Partial<Invocation>,
): Invocation {
  const starts = hook && { starts: hook };
  return { env: {}, stdin: { text: brief }, files: {}, cwd: root, ...starts, ...own };
}

/** True if it can write whatever is not protected. */
export function isOpen({ permissions, permission }: AgentCall): boolean {
  const { write, create, strength, within } = permissions;
  const all = write.includes('**') && create.includes('**') && within === undefined;
  return permission !== 'read_only' && (all || strength !== 'hard');
}

/** True if its tools for files may write all of that, not its shell alone. */
export function editsAll(call: AgentCall): boolean {
  return isOpen(call) && !lacksEdits(call.permissions.tools);
}

/** Absolute patterns of what its tools for files can change besides its desk, where that is not everything. */
export function writable({ permissions, permission, root }: AgentCall): readonly string[] {
  if (permission === 'read_only' || lacksEdits(permissions.tools)) return [];
  const own = [...permissions.write, ...permissions.create, ...permissions.append];
  // Rules know one list; the globs of the contract are compared afterwards.
  const globs = permissions.within ?? own;
  return [...new Set(globs)].filter(isPlain).map((glob) => `${root}/${glob}`);
}

/** With the folders that are always an agent's. */
export function openPatterns(call: AgentCall): readonly string[] {
  const own = [call.desk, ...call.extra_dirs].map((folder) => `${folder}/**`);
  return [...new Set([...own, ...writable(call)])];
}

export function shutPatterns(call: AgentCall): readonly string[] {
  return protectedFolders(call).flatMap((path) => [path, `${path}/**`]);
}

/** Never an agent's. A folder above its desk is left to the hook and to the comparison afterwards. */
export function protectedFolders({ root, desk, permissions }: AgentCall): readonly string[] {
  return (permissions.kept ?? PROTECTED)
    .map((name) => `${root}/${name}`)
    .filter((path) => !desk.startsWith(`${path}/`));
}

/** A glob that leads out of the root, or that the syntax of a rule would split, allows nothing. */
function isPlain(glob: string): boolean {
  return !glob.startsWith('/') && !/(^|\/)\.\.(\/|$)|[()\n,]/.test(glob);
}

/** Commands of operations that are not `git` and their name. */
const GIT_COMMANDS: Readonly<Partial<Record<GitOperation, readonly string[]>>> = {
  branch: ['git branch', 'git switch -c', 'git checkout -b'],
  pull_request: ['gh pr create', 'gh pr merge'],
};

/** The first words of git commands that its permissions do not hold. */
export function refusedCommands({ permissions }: AgentCall): readonly string[] {
  if (permissions.strength !== 'hard') return [];
  const refused = GIT_OPERATIONS.filter((one) => !permissions.git.includes(one));
  return refused.flatMap((one) => GIT_COMMANDS[one] ?? [`git ${one}`]);
}
