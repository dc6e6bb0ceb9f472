/** What a permission request asks for, and which of its options answers it. No person is there to ask. Pure. */
import type {
  PermissionOption,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';
import {
  judgeTool,
  type Judged,
  type Look,
  type Allowed,
  type ToolCall,
  type World,
} from '../../permissions/core/judge-tool.ts';
import { fields } from '../../task/core/base/json.ts';
import { names } from '../core/client-record.ts';

/** A tool call as reported so far; a permission request need not repeat it. */
export type Tool = Pick<
  ToolCallUpdate,
  'kind' | 'title' | 'name' | 'content' | 'locations' | 'rawInput'
>;

const CHANGES_NOTHING: ReadonlySet<string> = new Set(['read', 'search', 'think', 'switch_mode']);

const ORDER = ['deny', 'warn', 'allow'] as const;

export function judgeRequest(allowed: Allowed, tool: Tool, look: World): Judged {
  const calls = callsOf(tool, look);
  if (calls === undefined) {
    return { verdict: 'deny', why: 'it does not say what it would change', paths: [] };
  }
  const judged = calls.map((call) => judgeTool(allowed, call, look));
  const verdict = ORDER.find((one) => judged.some((each) => each.verdict === one)) ?? 'allow';
  const reasons = judged.filter((one) => one.verdict === verdict && one.why !== '');
  const paths = reasons.flatMap((one) => one.paths);
  return { verdict, why: [...new Set(reasons.map(({ why }) => why))].join('; '), paths };
}

/** undefined when it would change something and does not name it. */
function callsOf(tool: Tool, look: Look): readonly ToolCall[] | undefined {
  const kind = tool.kind ?? 'other';
  if (kind === 'fetch') return [{ tool: 'fetch', input: {} }];
  if (CHANGES_NOTHING.has(kind)) return [];
  if (kind === 'execute') return shellOf(tool);
  const files = filesOf(tool, look);
  if (kind !== 'other') return files.length === 0 ? undefined : files;
  const own = { tool: tool.name ?? tool.title ?? '', input: tool.rawInput };
  return [own, ...files];
}

/** Some agents give the command as the title alone. */
function shellOf({ rawInput, title }: Tool): readonly ToolCall[] | undefined {
  const { command, cmd } = fields(rawInput);
  if (command !== undefined || cmd !== undefined) return [{ tool: 'shell', input: rawInput }];
  return title ? [{ tool: 'shell', input: { command: title } }] : undefined;
}

function filesOf(tool: Tool, look: Look): readonly ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const part of tool.content ?? []) {
    if (part.type !== 'diff') continue;
    const { path, oldText, newText } = part;
    // The texts are of the whole file or of the part that changes.
    const change = oldText ? { edits: [{ oldText, newText }] } : { content: newText };
    calls.set(path, { tool: 'write', input: { path, ...change } });
  }
  const named = [...(tool.locations ?? []).map(({ path }) => path), ...pathsIn(tool.rawInput)];
  for (const path of named) {
    if (calls.has(path)) continue;
    const gone = tool.kind === 'delete' || (tool.kind === 'move' && look.kind(path) !== undefined);
    calls.set(path, { tool: gone ? 'delete' : 'write', input: { path } });
  }
  return [...calls.values()];
}

const PATH_KEYS = names(`
  file_path filePath path abs_path absolute_path notebook_path target_file source destination
`);

function pathsIn(input: unknown): readonly string[] {
  const given = fields(input);
  const named = PATH_KEYS.map((key) => given[key]).filter((one) => typeof one === 'string');
  // A patch of several files: path -> what happens to it.
  return [...named, ...Object.keys(fields(given['changes']))];
}

/** By kind, as each agent has its own ids; the narrowest first. */
export function answerBy(
  options: readonly PermissionOption[],
  allowed: boolean,
): RequestPermissionResponse {
  const kinds = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const [option] = kinds.flatMap((kind) => options.find((one) => one.kind === kind) ?? []);
  return option === undefined
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: option.optionId } };
}

/** Later parts add to earlier ones and never take away. */
export function mergeTool(earlier: Tool | undefined, now: Tool): Tool {
  const rest = Object.entries(now).filter(
    ([, value]) =>
      value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return { ...earlier, ...(Object.fromEntries(rest) as Tool) };
}

export function toolName(tool: Tool): string {
  return tool.name ?? tool.kind ?? 'tool';
}
