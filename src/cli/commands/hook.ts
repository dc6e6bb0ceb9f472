/**
 * hook: what clients call before each use of a tool, as JSON on stdin; the answer has the client's own shape, and
 * silence allows. Whatever goes wrong denies, with exit code 2, which every client takes for a refusal.
 */
import { readSync } from 'node:fs';
import { answerTo, type ToolUse } from '../../permissions/engine/enforce/tool-hook.ts';
import { isPermissions } from '../../permissions/core/allowed.ts';
import { isFields } from '../../task/core/base/json.ts';
import type { Line } from '../../workspace/tasks/verb.ts';
import { EXIT, type Frame } from '../terminal/frame.ts';
import { CLIENT_TYPES, isClient, PLACES } from '../../clients/core/records.ts';

const INPUT_BYTES_MAX = 32 * 1024 * 1024;

export const runs = { hook };

function hook(frame: Frame, { words: [event, ...rest] }: Line): void {
  if (event === '--help' || event === '-h' || event === 'help') {
    frame.streams.out(
      `What clients ask before each use of a tool, and tell of their sessions, as JSON on stdin.\n${USAGE}\n`,
    );
    return;
  }
  try {
    if (event !== 'pre-tool-use') throw new Error(`${event ?? 'nothing'} is not an event`);
    judge(frame, clientIn(rest));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    frame.streams.err(`contracts hook: denied, as it cannot be judged: ${why}. ${USAGE}\n`);
    frame.code = EXIT.usage;
  }
}

const USAGE = `It is called: contracts hook pre-tool-use, session-start, user-prompt or session-end, with --client ${CLIENT_TYPES.join(', ')}`;

function clientIn(words: readonly string[]): string | undefined {
  const [flag, name, ...more] = words.flatMap((word) => word.split('=', 2));
  if (flag === undefined) return undefined;
  if (flag === '--client' && name !== undefined && more.length === 0) return name;
  throw new Error(`${flag} is not a known flag`);
}

function judge(frame: Frame, client = 'unknown'): void {
  let given: Given = {};
  const answer = answerTo(frame.ports.env ?? process.env, frame.effects(), () => {
    given = readGiven();
    return useOf(given, client);
  });
  if (answer === undefined) return;
  const { decision, why } = answer;
  // An event of this name is of a client that takes the plain form.
  const isPlain = given.hook_event_name === 'BeforeTool';
  const words =
    isPlain || (isClient(client) && PLACES[client].hook.plain)
      ? { decision, reason: why }
      : {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: decision,
            permissionDecisionReason: why,
          },
        };
  frame.streams.out(`${JSON.stringify(words)}\n`);
}

type Given = Partial<
  Record<'hook_event_name' | 'tool_name' | 'tool_input' | 'cwd' | 'permissions', unknown>
>;

function useOf({ tool_name, tool_input, cwd, permissions }: Given, client: string): ToolUse {
  if (typeof tool_name !== 'string') throw new Error('the call names no tool');
  return {
    client,
    tool: tool_name,
    input: tool_input,
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(isFields(permissions) && isPermissions(permissions) ? { held: permissions } : {}),
  };
}

/** Reads a whole object: some clients leave the pipe open. */
function readGiven(): Given {
  const gather = gathering();
  for (;;) {
    const part = readSome();
    const value = part && gather(part);
    if (value !== undefined) return value;
  }
}

/** As it comes, for who may not wait for ever. */
export async function givenWithin(ms: number): Promise<Given> {
  const gather = gathering();
  const timer = setTimeout(() => process.stdin.destroy(), ms);
  try {
    for await (const part of process.stdin) {
      const value = gather(part as Buffer);
      if (value !== undefined) return value;
    }
    return gather(Buffer.alloc(0)) ?? {};
  } finally {
    clearTimeout(timer);
  }
}

/** `part`: empty at the end. undefined: more is to come. */
function gathering(): (part: Buffer) => Given | undefined {
  const parts: Buffer[] = [];
  let length = 0;
  return (part) => {
    parts.push(part);
    length += part.length;
    if (length > INPUT_BYTES_MAX) throw new Error('the call is too large');
    const ended = part.length === 0;
    if (!ended && !/\}\s*$/.test(part.toString('latin1'))) return undefined;
    return parsed(Buffer.concat(parts).toString('utf8'), ended);
  };
}

function parsed(text: string, ended: boolean): Given | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    if (ended) throw new Error('the call on stdin is not JSON', { cause });
    return undefined;
  }
  throw new Error('the call on stdin is not a JSON object');
}

/** undefined when nothing is there yet. */
function readSome(): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  try {
    return buffer.subarray(0, readSync(0, buffer, 0, buffer.length, null));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EOF') return Buffer.alloc(0);
    if (code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return undefined;
  }
}
