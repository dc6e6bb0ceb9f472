/** What an agent reports, as our events: its words in whole lines, each tool once, its use at the end. */
import type {
  PromptResponse,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { AgentProgress } from '../../process/adapter.ts';
import { fields } from '../../task/core/base/json.ts';
import { sum, toolResult } from '../calls/client-events.ts';
import { mergeTool, toolName, type Tool } from './permission.ts';

/** A longer line of the log would be cut in the middle of its JSON. */
const TEXT_CHARS_MAX = 4000;
const TOOLS_MAX = 1000;

export interface Listener {
  eventsOf(update: SessionUpdate): readonly AgentProgress[];
  /** The rest of its words. */
  end(): readonly AgentProgress[];
  tool(id: string): Tool | undefined;
  cost_usd(): number | undefined;
}

export function makeListener(): Listener {
  let words = '';
  let cost: number | undefined;
  const tools = new Map<string, { readonly tool: Tool; readonly reported: boolean }>();
  const spoken = (): readonly AgentProgress[] => {
    const text = words.trim();
    words = '';
    return text === '' ? [] : [{ kind: 'line', text: text.slice(0, TEXT_CHARS_MAX) }];
  };
  const addWords = (more: string): readonly AgentProgress[] => {
    const [first = '', ...rest] = more.split('\n');
    words += first;
    const events: AgentProgress[] = [];
    for (const line of rest) {
      events.push(...spoken());
      words = line;
    }
    return words.length > TEXT_CHARS_MAX ? [...events, ...spoken()] : events;
  };
  return {
    eventsOf: (update) => {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return update.content.type === 'text' ? addWords(update.content.text) : [];
        case 'tool_call':
        case 'tool_call_update': {
          const known = tools.get(update.toolCallId);
          const tool = mergeTool(known?.tool, update);
          if (known === undefined && tools.size >= TOOLS_MAX) {
            tools.delete(tools.keys().next().value ?? '');
          }
          const detail = detailOf(tool, update.status === 'pending');
          const isNew = known?.reported !== true && detail !== '';
          const reported = isNew || known?.reported === true;
          tools.set(update.toolCallId, { tool, reported });
          return [
            ...(isNew ? [...spoken(), toolEvent(tool, detail, update.toolCallId)] : []),
            ...(reported ? resultOf(update) : []),
          ];
        }
        case 'usage_update':
          if (update.cost?.currency === 'USD') cost = update.cost.amount;
          return [];
        default:
          return [];
      }
    },
    end: spoken,
    tool: (id) => tools.get(id)?.tool,
    cost_usd: () => cost,
  };
}

/** At its begin a tool's title may be its name alone; its command or file follows. */
function detailOf({ kind, title, locations, rawInput }: Tool, begins: boolean): string {
  const { command } = fields(rawInput);
  const file = kind === 'edit' || kind === 'read' ? locations?.[0]?.path : undefined;
  if (typeof command === 'string') return command;
  return file ?? (begins && (kind === 'execute' || kind === 'edit') ? '' : (title ?? ''));
}

function toolEvent(tool: Tool, detail: string, call: string): AgentProgress {
  return { kind: 'tool', name: toolName(tool), detail: detail.slice(0, TEXT_CHARS_MAX), call };
}

function resultOf(update: ToolCallUpdate): readonly AgentProgress[] {
  const { toolCallId, status, content, rawOutput } = update;
  if (status !== 'completed' && status !== 'failed') return [];
  const { metadata, exit_code, exitCode } = fields(rawOutput);
  const code = fields(metadata)['exit'] ?? exit_code ?? exitCode;
  const texts = (content ?? []).map((one) =>
    one.type === 'content' && one.content.type === 'text' ? one.content.text : '',
  );
  return toolResult(toolCallId, texts.join('\n'), { failed: status === 'failed', exit_code: code });
}

/** The protocol's own count, else the one that Gemini sends beside it. */
export function usageOf(
  response: PromptResponse | undefined,
  cost_usd: number | undefined,
): AgentProgress | undefined {
  const usage = response?.usage;
  const quota = fields(fields(response?._meta?.['quota'])['token_count']);
  // Some count in the total alone what was read from a cache.
  const all = usage && usage.totalTokens - usage.outputTokens - (usage.thoughtTokens ?? 0);
  const input = usage ? Math.max(usage.inputTokens, all ?? 0) : quota['input_tokens'];
  const output = usage?.outputTokens ?? quota['output_tokens'];
  const used = { input_tokens: sum(input), output_tokens: sum(output), cost_usd };
  const nothing = Object.values(used).every((one) => one === undefined);
  return nothing ? undefined : { kind: 'usage', total: true, ...used };
}
