/** What happens next with one task, as a value: the actions, and whose turn it is while a task waits. */
import type { Problem } from './problem.ts';
import type { AttemptKind, OwnerKind } from '../attempts/record.ts';
import type { State } from './state.ts';

export const WAITS_FOR = [
  'person',
  'task',
  'agent',
  'host',
  'slot',
  'step',
  'time',
  'nobody',
] as const;

export type WaitsFor = (typeof WAITS_FOR)[number];

/** Each reason to wait, and whose turn it then is. Codes only ever grow (docs/reference/json.md). */
export const WAITS = {
  problem: 'person',
  two_states: 'person',
  ended: 'nobody',
  no_move: 'nobody',
  unconfirmed: 'person',
  contract_changed: 'person',
  untrusted: 'person',
  dependency_aborted: 'person',
  dependency_cycle: 'person',
  dependency_unknown: 'person',
  dependency_archived: 'person',
  parent_aborted: 'person',
  dependencies: 'task',
  children: 'task',
  same_file: 'task',
  budget: 'person',
  run_budget: 'person',
  day_budget: 'person',
  paused: 'person',
  run_until: 'person',
  pause: 'time',
  slots: 'slot',
  next_step: 'step',
  held: 'person',
  turn: 'task',
  running: 'agent',
  running_elsewhere: 'agent',
  orphaned: 'agent',
  owner_unreadable: 'person',
  to_delegate: 'host',
  delegated: 'host',
  status_unread: 'person',
  in_hands: 'person',
  no_questions: 'person',
  question_gone: 'person',
  questions: 'person',
  unanswered: 'person',
  decision: 'person',
  decision_paused: 'person',
  no_result: 'person',
  unprepared: 'person',
  verdict: 'person',
  blocked: 'person',
} as const satisfies Record<string, WaitsFor>;

export type WaitCode = keyof typeof WAITS;

export const WAIT_CODES = Object.keys(WAITS) as [WaitCode, ...WaitCode[]];

export type Action =
  | {
      readonly kind: 'wait';
      readonly code: WaitCode;
      readonly on: WaitsFor;
      readonly reason: string;
      /** The command or edit that ends the wait; empty when time alone does. */
      readonly fix: string;
      readonly problems: readonly Problem[];
      /** An instant, where it waits for time to pass. */
      readonly until?: string;
    }
  | {
      readonly kind: 'write';
      readonly what:
        'answer_slots' | 'blocked' | 'form' | 'decision' | 'confirm' | 'take' | 'restore';
      readonly reason: string;
    }
  | {
      readonly kind: 'claim';
      readonly attempt: number;
      readonly work: AttemptKind;
      readonly owner: OwnerKind;
      /** The gate of a review; empty when there is none, `person` when the boxes are read. */
      readonly gate: string;
      /** True when the highest attempt is open and its owner dead: it is fenced first. */
      readonly recovers: boolean;
      readonly reason: string;
    }
  | { readonly kind: 'settle'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'stop'; readonly attempt: number; readonly reason: string }
  | {
      readonly kind: 'move';
      readonly from: State;
      readonly to: State;
      /** Of the table, or of the rows of its kind. */
      readonly trigger: string;
      readonly reason: string;
    };

export type Wait = Extract<Action, { kind: 'wait' }>;
