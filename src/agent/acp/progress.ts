/**
 * What an agent tells while it works, as our events: its words by whole lines, its tools once each,
 * its use at the end. Holds the words of a line that is not whole yet; otherwise pure.
 */
import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { AgentProgress } from '../adapter.ts';
import { mergeTool, toolName, type Tool } from './permission.ts';

/** A longer line of the log would be cut in the middle of its JSON. */
const TEXT_CHARS_MAX = 4000;
const TOOLS_MAX = 1000;

export interface Listener {
  hear(update: SessionUpdate): readonly AgentProgress[];
  /** The rest of its words. */
  end(): readonly AgentProgress[];
  /** What is known of a tool call by now. */
  tool(id: string): Tool | undefined;
  cost_usd(): number | undefined;
}

export function makeListener(): Listener {
  let words = '';
  let cost: number | undefined;
  const tools = new Map<string, { readonly tool: Tool; readonly said: boolean }>();
  const spoken = (): readonly AgentProgress[] => {
    const text = words.trim();
    words = '';
    return text === '' ? [] : [{ kind: 'line', text: text.slice(0, TEXT_CHARS_MAX) }];
  };
  const heard = (more: string): readonly AgentProgress[] => {
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
    hear: (update) => {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return update.content.type === 'text' ? heard(update.content.text) : [];
        case 'tool_call':
        case 'tool_call_update': {
          const known = tools.get(update.toolCallId);
          const tool = mergeTool(known?.tool, update);
          if (known === undefined && tools.size >= TOOLS_MAX) {
            tools.delete(tools.keys().next().value ?? '');
          }
          const detail = tool.title ?? tool.locations?.[0]?.path ?? '';
          const now = known?.said !== true && detail !== '';
          tools.set(update.toolCallId, { tool, said: now || known?.said === true });
          return now ? [...spoken(), toolEvent(tool, detail)] : [];
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

function toolEvent(tool: Tool, detail: string): AgentProgress {
  return { kind: 'tool', name: toolName(tool), detail: detail.slice(0, TEXT_CHARS_MAX) };
}

/** The protocol's own count, else the one that Gemini sends beside it. */
export function usageOf(
  response: PromptResponse | undefined,
  cost_usd: number | undefined,
): AgentProgress | undefined {
  const usage = response?.usage;
  const quota = fieldsOf(fieldsOf(response?._meta?.['quota'])['token_count']);
  const input = usage?.inputTokens ?? quota['input_tokens'];
  const output = usage?.outputTokens ?? quota['output_tokens'];
  const told = {
    ...(isCount(input) ? { input_tokens: input } : {}),
    ...(isCount(output) ? { output_tokens: output } : {}),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  };
  return Object.keys(told).length === 0 ? undefined : { kind: 'usage', total: true, ...told };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
