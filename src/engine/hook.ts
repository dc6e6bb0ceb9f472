/**
 * A client asks before it uses a tool: the rights come from the environment of the attempt, and what
 * is refused stands in `hook.log` on the desk. Outside of an attempt nothing is said. It must be quick,
 * so it opens no workspace; what goes wrong inside of an attempt denies.
 */
import { ownAttempt } from '../agent/own-attempt.ts';
import { refusalWords } from '../core/denial.ts';
import { judgeTool, type Judged, type Rights } from '../core/judge-tool.ts';
import { readRights, RIGHTS_NAME } from '../core/rights.ts';
import { addLine, hookLook } from '../store/hook-disk.ts';

export interface ToolUse {
  readonly client: string;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const HOOK_LOG = 'hook.log';
const WHY_CHARS_MAX = 2000;

/** What to do where it is denied; undefined where there is nothing to say. */
export function deniedBy(env: Environment, read: () => ToolUse): string | undefined {
  const attempt = ownAttempt(env);
  if (attempt === undefined) return undefined;
  let use: ToolUse | undefined;
  try {
    const rights = rightsIn(attempt, env);
    use = read();
    const mark = `${rights.desk}/${HOOK_LOG}`;
    const { client } = use;
    // Its first line says that the client asks at all: nothing else shows that the hook is in force.
    if (!hookLook.kind(mark)) addLine(mark, JSON.stringify({ client, verdict: 'asked' }));
    const judged = judgeTool(rights, callOf(use, env, rights), hookLook);
    if (judged.verdict !== 'allow') log(rights.desk, use, judged);
    return judged.verdict === 'deny' ? words(judged.why, rights.desk) : undefined;
  } catch (error) {
    const why = `the hook could not judge it: ${error instanceof Error ? error.message : String(error)}`;
    const desk = attempt['CONTRACTS_OUT'];
    if (desk !== undefined) logFault(desk, use, why);
    return words(why, desk ?? 'where you were told to write');
  }
}

function words(why: string, desk: string): string {
  return refusalWords(why.slice(0, WHY_CHARS_MAX), desk);
}

/** Real paths, as those of what is judged are. */
function rightsIn(attempt: Environment, env: Environment): Rights {
  const text = attempt[RIGHTS_NAME];
  const rights = text === undefined ? undefined : readRights(text);
  if (rights === undefined) throw new Error(`${RIGHTS_NAME} is missing or cannot be read`);
  const root = hookLook.real(rights.root);
  const scratch = hookLook.real(env['TMPDIR'] ?? '/tmp');
  const isApart = root !== scratch && !root.startsWith(`${scratch}/`);
  const desk = hookLook.real(rights.desk);
  return { ...rights, root, desk, ...(isApart && scratch !== '/' ? { scratch } : {}) };
}

const KNOWN = /^(HOME|TMPDIR|CONTRACTS_(OUT|ROOT|TASK|ATTEMPT|BRIEF))$/;

function callOf({ tool, input, cwd }: ToolUse, env: Environment, { root }: Rights) {
  const known = Object.entries(env).filter(([name]) => KNOWN.test(name));
  const variables = Object.fromEntries(known.map(([name, value]) => [name, value ?? '']));
  return { tool, input, variables, cwd: cwd?.startsWith('/') === true ? cwd : root };
}

function log(desk: string, { client, tool }: ToolUse, judged: Judged): void {
  const { verdict, why, paths } = judged;
  const at = new Date().toISOString();
  const line = { at, client, tool, verdict, why: why.slice(0, WHY_CHARS_MAX), paths };
  addLine(`${desk}/${HOOK_LOG}`, JSON.stringify(line));
}

/** Where even that cannot be written, the refusal itself still stands. */
function logFault(desk: string, use: ToolUse | undefined, why: string): void {
  const { client = '', tool = '' } = use ?? {};
  try {
    log(desk, { client, tool, input: undefined }, { verdict: 'deny', why, paths: [] });
  } catch {
    return;
  }
}
