/** Collects what a client reports while it runs. Bounded, whatever it reports. */
import type { AgentProgress } from '../../process/adapter.ts';
import type { Heard } from '../../task/core/attempts/client-report.ts';

const LISTED_MAX = 50;
const SAID_MAX = 4000;
const CALLS_MAX = 10_000;

export interface Hearing {
  take(progress: AgentProgress): void;
  heard(): Heard;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function hearing(): Hearing {
  const told: Mutable<Omit<Heard, 'denied' | 'asked'>> = { said: '' };
  const denied = new Set<string>();
  const calls = new Map<string, string>();
  const refused = new Set<string>();
  const asked = new Set<string>();
  const deny = ({ tool: named, why, call }: Extract<AgentProgress, { kind: 'denied' }>): void => {
    const tool = named || calls.get(call ?? '') || '';
    // What names neither tool nor call is in the log of the hook.
    if (tool === '' || refused.has(call ?? '') || denied.size >= LISTED_MAX) return;
    if (call !== undefined) refused.add(call);
    denied.add(`${tool}: ${why}`);
  };
  return {
    take: (progress) => {
      switch (progress.kind) {
        case 'session':
          if (progress.id !== '') told.session = progress.id;
          return;
        case 'line':
          told.said = (progress.part === true ? told.said + progress.text : progress.text).slice(
            -SAID_MAX,
          );
          return;
        case 'noise':
          told.noise = progress.text.slice(-SAID_MAX);
          return;
        case 'result':
          return;
        case 'tool':
          if (progress.call !== undefined && calls.size < CALLS_MAX) {
            calls.set(progress.call, progress.name);
          }
          // What it wrote before was not its last message.
          told.said = '';
          return;
        case 'denied':
          deny(progress);
          return;
        case 'judged':
          told.judged = true;
          return;
        case 'question':
          if (asked.size < LISTED_MAX) asked.add(progress.text);
          return;
        case 'resets':
          told.resets = progress.text;
          return;
        case 'error':
          told.error = { what: progress.what, text: progress.text };
          return;
        case 'end':
          told.ended = progress.ok ? 'ok' : 'failed';
          // It continued after the error.
          if (progress.ok) delete told.error;
          return;
        case 'usage':
          use(told, progress);
      }
    },
    heard: () => ({ ...told, denied: [...denied], asked: [...asked] }),
  };
}

function use(
  told: Mutable<Omit<Heard, 'denied' | 'asked'>>,
  progress: Extract<AgentProgress, { kind: 'usage' }>,
): void {
  if (progress.model !== undefined) told.model = progress.model;
  if (progress.of_session === true) told.of_session = true;
  for (const key of ['input_tokens', 'output_tokens', 'cost_usd'] as const) {
    const now = progress[key];
    if (now === undefined) continue;
    told[key] = progress.total === true ? now : (told[key] ?? 0) + now;
  }
}
