/** Answers a client that asks before it uses a tool. A failure inside an attempt denies. */
import type { Environment } from '../../../process/adapter.ts';
import { orNothing } from '../../../process/path-kind.ts';
import { ownAttempt } from '../../../process/own-attempt.ts';
import {
  GIT_OPERATIONS,
  OPEN,
  PROTECTED,
  type Permissions,
} from '../../../task/core/model/permissions.ts';
import { refusalWords } from '../../core/denial.ts';
import { judgeTool, type Judged, type Allowed } from '../../core/judge-tool.ts';
import type { VerbEffects } from '../../core/person-commands.ts';
import { readAllowed, ALLOWED_NAME } from '../../core/allowed.ts';
import { addLine, hookLook } from './hook-disk.ts';
import { isClient, PLACES } from '../../../clients/core/records.ts';

export interface ToolUse {
  readonly client: string;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd?: string;
  /** Permissions of the agent in a person's session, where a file of the project narrows them. */
  readonly held?: Permissions;
}

export const HOOK_LOG = 'hook.log';
const WHY_CHARS_MAX = 2000;

export interface Answer {
  readonly decision: 'deny' | 'ask';
  readonly why: string;
}

/** `effects`: of our own commands; undefined without objection. */
export function answerTo(
  env: Environment,
  effects: VerbEffects,
  read: () => ToolUse,
): Answer | undefined {
  const attempt = ownAttempt(env);
  if (attempt === undefined) return askedOf(env, effects, read);
  const why = deniedBy(attempt, env, effects, read);
  return why === undefined ? undefined : { decision: 'deny', why };
}

function askedOf(env: Environment, effects: VerbEffects, read: () => ToolUse): Answer | undefined {
  return orNothing(() => {
    const from = hookLook.real(process.cwd());
    const allowed = allowedToPerson(from);
    if (allowed === undefined) return undefined;
    const use = read();
    const call = callOf(use, env, { ...allowed, root: from });
    const look = { ...hookLook, effects };
    const { verdict, why } = judgeTool(allowed, call, look);
    if (verdict !== 'deny') return use.held && heldBack(allowed, use.held, call, look);
    const words = `contracts: ${why.slice(0, WHY_CHARS_MAX)}`;
    return isClient(use.client) && PLACES[use.client].hook.asks
      ? { decision: 'ask', why: words }
      : { decision: 'deny', why: `${words}. Ask the person to do this in a terminal` };
  });
}

/** A denial for an agent that its file holds to some files, or to none. */
function heldBack(
  { root, desk }: Allowed,
  permissions: Permissions,
  ...[call, look]: [Parameters<typeof judgeTool>[1], Parameters<typeof judgeTool>[2]]
): Answer | undefined {
  const scratch = ['/tmp'];
  const { verdict, why } = judgeTool({ permissions, root, desk, scratch, held: true }, call, look);
  if (verdict !== 'deny') return undefined;
  const words = `contracts: by its file in this project the agent may not do this: ${why.slice(0, WHY_CHARS_MAX)}. Give it to another as a task`;
  return { decision: 'deny', why: words };
}

/** A line of YAML, whose comment begins behind a blank. */
const TASKS_NAMED = /^active_tasks: *(["']?)([^\s"'#].*?)\1(?:\s+#.*)?\s*$/m;

/** Everything but the runner's files; undefined outside of a workspace. */
function allowedToPerson(from: string): Allowed | undefined {
  let root = from;
  while (hookLook.kind(`${root}/.contracts`) !== 'folder') {
    if (root === '/') return undefined;
    root = root.slice(0, Math.max(1, root.lastIndexOf('/')));
  }
  const config = hookLook.text(`${root}/.contracts/config.yaml`) ?? '';
  const [, , tasks = 'active_tasks'] = TASKS_NAMED.exec(config) ?? [];
  const kept = PROTECTED.map((one) => (/^(\.git|active_tasks)$/.test(one) ? tasks : one));
  const permissions = { ...OPEN, git: GIT_OPERATIONS, strength: 'soft' as const, kept };
  return { permissions, root, desk: `${root}/${tasks}/.desk`, asks: true };
}

/** The words of the denial; undefined without objection. */
function deniedBy(
  attempt: Environment,
  env: Environment,
  effects: VerbEffects,
  read: () => ToolUse,
): string | undefined {
  let use: ToolUse | undefined;
  try {
    const allowed = allowedIn(attempt, env);
    use = read();
    const mark = `${allowed.desk}/${HOOK_LOG}`;
    const { client } = use;
    // This line proves that the client asks; nothing else shows that the hook works.
    if (hookLook.text(mark)?.includes('"asked"') !== true)
      addLine(mark, JSON.stringify({ client, verdict: 'asked' }));
    const judged = judgeTool(allowed, callOf(use, env, allowed), { ...hookLook, effects });
    if (judged.verdict !== 'allow') log(allowed.desk, use, judged);
    return judged.verdict === 'deny' ? words(judged.why, allowed.desk) : undefined;
  } catch (error) {
    const why = `the hook could not judge it: ${error instanceof Error ? error.message : String(error)}`;
    const desk = attempt['CONTRACTS_OUT'];
    // A log that cannot be written changes no refusal.
    if (desk !== undefined) orNothing(() => log(desk, use, { verdict: 'deny', why, paths: [] }));
    return words(why, desk ?? 'named in your brief');
  }
}

function words(why: string, desk: string): string {
  return refusalWords(why.slice(0, WHY_CHARS_MAX), desk);
}

/** Real paths, like those that are judged. */
function allowedIn(attempt: Environment, env: Environment): Allowed {
  const text = attempt[ALLOWED_NAME];
  const allowed = text === undefined ? undefined : readAllowed(text);
  if (allowed === undefined) throw new Error(`${ALLOWED_NAME} is missing or cannot be read`);
  const root = hookLook.real(allowed.root);
  const scratch = [env['TMPDIR'] ?? '/tmp', '/tmp'].map((one) => hookLook.real(one));
  return { ...allowed, root, desk: hookLook.real(allowed.desk), scratch };
}

function callOf({ tool, input, cwd }: ToolUse, env: Environment, { root }: Allowed) {
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value ?? '']),
  );
  return { tool, input, variables, cwd: cwd?.startsWith('/') === true ? cwd : root };
}

/** `use`: undefined where it could not be read. */
function log(desk: string, use: ToolUse | undefined, { verdict, why, paths }: Judged): void {
  const { client = '', tool = '' } = use ?? {};
  const at = new Date().toISOString();
  const line = { at, client, tool, verdict, why: why.slice(0, WHY_CHARS_MAX), paths };
  addLine(`${desk}/${HOOK_LOG}`, JSON.stringify(line));
}
