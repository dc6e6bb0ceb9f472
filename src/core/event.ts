/**
 * What a step did, as data: one event a line in `--json`, one line of words on a terminal. The
 * shape is versioned (`v`), documented in docs/json.md and only ever grows.
 */
import type { WaitsFor } from './decide.ts';
import type { Problem } from './problem.ts';
import type { AttemptKind, OutcomeName } from './record.ts';
import type { State } from './state.ts';
import type { Trigger } from './transitions.ts';

export type Event =
  | {
      readonly event: 'moved';
      readonly task: string;
      readonly from: State;
      readonly to: State;
      readonly trigger: Trigger;
      readonly reason: string;
      readonly attempt?: number;
    }
  | {
      readonly event: 'claimed';
      readonly task: string;
      readonly attempt: number;
      readonly kind: AttemptKind;
      readonly agent: string;
      readonly reason: string;
    }
  | {
      readonly event: 'called';
      readonly task: string;
      readonly attempt: number;
      readonly agent: string;
      readonly adapter: string;
    }
  | {
      readonly event: 'ended';
      readonly task: string;
      readonly attempt: number;
      readonly kind: AttemptKind;
      readonly outcome: OutcomeName;
      readonly reason: string;
      readonly seconds?: number;
    }
  | {
      readonly event: 'checked';
      readonly task: string;
      readonly attempt: number;
      readonly check: string;
      readonly passed: boolean;
      readonly reason: string;
    }
  | {
      readonly event: 'progress';
      readonly task: string;
      readonly attempt: number;
      readonly text: string;
    }
  | {
      readonly event: 'recovered';
      readonly task: string;
      readonly attempt: number;
      readonly reason: string;
    }
  | {
      readonly event: 'wrote';
      readonly task: string;
      readonly file: string;
      readonly reason: string;
    }
  | {
      readonly event: 'waits';
      readonly task: string;
      readonly state: State;
      readonly on: WaitsFor;
      readonly reason: string;
      readonly fix: string;
      readonly problems?: readonly Problem[];
    }
  | {
      /** One of several gates; the last one is said with the move. */
      readonly event: 'gate_approved';
      readonly task: string;
      readonly attempt: number;
      readonly gate: string;
      readonly number: number;
      readonly of: number;
      readonly waits_for: string;
    }
  | { readonly event: 'lost_race'; readonly task: string; readonly reason: string }
  | {
      readonly event: 'moved_by_hand';
      readonly task: string;
      readonly to: State | 'elsewhere';
      readonly reason: string;
    }
  | { readonly event: 'problem'; readonly problem: Problem }
  | {
      readonly event: 'fault';
      readonly task?: string;
      readonly reason: string;
      readonly fix: string;
    };

/** The version of the shapes above, in every JSON line as `v`. */
export const EVENT_VERSION = 1;
