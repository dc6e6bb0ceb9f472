/**
 * A permission request of an agent: what it asks for, and which of its options answers it. The answer
 * comes from the authority of the attempt; nobody sits there who could be asked. Tools that change no
 * file by themselves are allowed: what they do all the same is seen when the trees are compared.
 */
import type {
  PermissionOption,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { judgePath, type Grounds, type Wanted } from './paths.ts';

/** Of a tool call what its parts said so far; a permission request need not repeat it. */
export type Tool = Pick<
  ToolCallUpdate,
  'kind' | 'title' | 'name' | 'content' | 'locations' | 'rawInput'
>;

export interface Answer {
  readonly allowed: boolean;
  /** Why it is refused, or why it should be: with soft authority it is told and let through. */
  readonly why: string;
}

const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'read',
  'search',
  'think',
  'fetch',
  'switch_mode',
]);

export function judgeTool(grounds: Grounds, tool: Tool): Answer {
  const kind = tool.kind ?? 'other';
  if (CHANGES_NOTHING.has(kind) || kind === 'execute') return { allowed: true, why: '' };
  const wanted = wantedBy(tool);
  if (wanted.length === 0 && kind !== 'other') {
    return { allowed: false, why: 'it does not say which file it would change' };
  }
  const refusals = wanted.flatMap((one) => {
    const judged = judgePath(grounds, one);
    return judged.allowed ? [] : [judged];
  });
  const why = refusals.map((one) => one.why).join('; ');
  return { allowed: !refusals.some((one) => one.strong), why };
}

const PATH_KEYS = [
  'file_path',
  'filePath',
  'path',
  'abs_path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'source',
  'destination',
] as const;

/** Every file that the call names, once. */
function wantedBy(tool: Tool): readonly Wanted[] {
  const kind = tool.kind === 'delete' ? 'delete' : 'write';
  const found = new Map<string, Wanted>();
  for (const part of tool.content ?? []) {
    if (part.type !== 'diff') continue;
    const old = part.oldText ?? '';
    const grows = old !== '' && part.newText.startsWith(old);
    found.set(part.path, { path: part.path, kind, grows });
  }
  const named = [...(tool.locations ?? []).map(({ path }) => path), ...pathsIn(tool.rawInput)];
  for (const path of named) if (!found.has(path)) found.set(path, { path, kind });
  return [...found.values()];
}

function pathsIn(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = input as Readonly<Record<string, unknown>>;
  const named = PATH_KEYS.map((key) => fields[key]).filter((one) => typeof one === 'string');
  const changes = fields['changes'];
  // A patch of several files: path -> what happens to it.
  const patched = typeof changes === 'object' && changes !== null ? Object.keys(changes) : [];
  return [...named, ...(Array.isArray(changes) ? [] : patched)];
}

/** By kind, as each agent has its own ids; the narrowest first. */
export function answerBy(
  options: readonly PermissionOption[],
  allowed: boolean,
): RequestPermissionResponse {
  const kinds = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds
    .map((kind) => options.find((one) => one.kind === kind))
    .find((one) => one !== undefined);
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
