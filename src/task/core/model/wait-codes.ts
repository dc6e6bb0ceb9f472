/** Why a task waits, and whose turn it then is. */
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
  asked_since: 'nobody',
  not_asked: 'nobody',
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
  client_fault: 'person',
  verdict: 'person',
  blocked: 'person',
} as const satisfies Record<string, WaitsFor>;

export type WaitCode = keyof typeof WAITS;

export const WAIT_CODES = Object.keys(WAITS) as [WaitCode, ...WaitCode[]];
