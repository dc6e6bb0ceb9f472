/** Why an attempt ended as it did, beside the sentence. They only ever grow (docs/reference/json.md). */
export const OUTCOME_CODES = [
  ...(['moved_by_hand', 'stopped', 'not_started', 'fault', 'contract_changed'] as const),
  ...(['contract_unreadable', 'may_have_run', 'folder_taken', 'merge_conflict'] as const),
  'not_settled',
  ...(['beyond_permissions', 'questions', 'questions_lost', 'decision', 'undecided'] as const),
  ...(['timed_out', 'stalled', 'output_limit', 'signal', 'exit_code', 'no_result'] as const),
  ...(['result_unreadable', 'other_task', 'no_status', 'complete', 'failed', 'blocked'] as const),
  'unchanged',
  ...(['delegated', 'no_child', 'unsettled', 'git_cannot_take', 'not_delivered'] as const),
  ...(['client_login', 'client_version', 'client_model', 'client_outage'] as const),
  ...(['client_session', 'client_limit', 'client_other', 'client_stopped'] as const),
  ...([
    'client_denied',
    'client_silent',
    'client_setup',
    'client_no_model',
    'client_too_long',
    'client_account',
  ] as const),
  ...(['check_failed', 'deliverable_missing', 'criterion_open', 'result_incomplete'] as const),
  ...(['verified', 'approved', 'needs_work', 'reject', 'awaits_verdict', 'no_verdict'] as const),
  'approval_lapsed',
  ...(['machine_lost', 'queue_lost', 'worker_refused'] as const),
  ...(['no_questions', 'no_word', 'not_read_only', 'round_cut_short'] as const),
  /** Taken over from a record of a version without codes. */
  'recorded',
] as const;
export type OutcomeCode = (typeof OUTCOME_CODES)[number];

/** Outcomes that use up a retry. */
export const FAILED = ['failed', 'timed_out', 'stalled', 'crashed', 'violated'] as const;
