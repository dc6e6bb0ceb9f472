/** Codes, then words: how each code of an outcome and of a finding reads. Other tests assert codes. */
import { describe, expect, test } from 'vitest';
import { FINDINGS, OUTCOMES, ended, finding } from '../../../src/engine/core/words/outcomes.ts';
import { Fault } from '../../../src/task/core/model/problem.ts';
import { OUTCOME_CODES } from '../../../src/task/core/attempts/outcome-codes.ts';

const fault = new Error('no space is left');

const ENDED = [
  [ended('moved_by_hand', { to: 'draft', when: 'while it ran' }), 'moved to draft while it ran'],
  [ended('moved_by_hand', { to: undefined, when: 'while it ran' }), 'removed while it ran'],
  [ended('stopped'), 'stopped before it ended'],
  [ended('not_started', { error: 'EAGAIN' }), 'could not be started: EAGAIN'],
  [ended('not_started', {}), 'could not be started: unknown error'],
  [ended('fault', fault), 'no space is left'],
  [ended('contract_unreadable'), 'the contract cannot be read'],
  [ended('contract_changed', { when: 'now' }), 'the contract was edited now'],
  [ended('may_have_run'), 'runner and agent died together; it may have run in part (rerun: ask)'],
  [ended('folder_taken', fault), 'no space is left'],
  [ended('merge_conflict', fault), 'no space is left'],
  [
    ended(
      'not_settled',
      new Fault('git', 'no space is left', { fix: 'Free some, then step again' }),
    ),
    'its files could not be committed: no space is left. They are still in its worktree. Free some, then retry: its agent is not called again for them',
  ],
  [ended('beyond_permissions', { lines: ['a'] }), 'outside its permissions: a'],
  [
    ended('beyond_permissions', { lines: ['a', 'b', 'c'] }),
    'outside its permissions: a (and 2 more)',
  ],
  [ended('questions', { count: 1, has_result: false }), 'asks a question'],
  [
    ended('questions', { count: 2, has_result: true }),
    'asks 2 questions; the result it also wrote is kept, not judged',
  ],
  [ended('decision', { decision: 'GO' }), 'says GO'],
  [ended('no_questions'), 'says it has no questions'],
  [ended('no_word'), 'wrote neither questions nor that it has none'],
  [
    ended('not_read_only', { lines: ['create a', 'create b'] }),
    'the round is void, as it may only read: create a (and 1 more); the changes stay',
  ],
  [ended('round_cut_short'), 'its runner ended before it had answered'],
  [ended('undecided', { ticked: [] }), 'decided nothing: no box is ticked in questions.md'],
  [
    ended('undecided', { ticked: ['GO', 'ABORT'] }),
    'decided nothing: GO and ABORT are both ticked in questions.md',
  ],
  [ended('timed_out', { ms: 90_000 }), 'stopped after 90 s'],
  [ended('timed_out', { ms: 600_000 }), 'stopped after 10 min'],
  [ended('stalled', { ms: 1_500 }), 'stopped: no output, status or changed file for 1.5 s'],
  [ended('output_limit'), 'printed more than the output limit'],
  [ended('machine_lost', { why: 'far has reported nothing' }), 'far has reported nothing'],
  [ended('queue_lost', { why: 'the queue lost it' }), 'the queue lost it'],
  [ended('worker_refused', { why: 'no key' }), 'no key'],
  [ended('signal', { how: 'killed by SIGKILL' }), 'killed by SIGKILL, no result'],
  [ended('exit_code', { code: 3 }), 'exit 3, no result'],
  [ended('no_result'), 'no result'],
  [ended('result_unreadable', { why: 'it is a link' }), 'result.md cannot be read: it is a link'],
  [ended('other_task', { task: 'b' }), 'result.md is of another task, b'],
  [
    ended('no_status', { unread: [{ line: 3, found: '- Status: DONE-ISH' }] }),
    'result.md has no readable status: line 3 has "- Status: DONE-ISH"; expected COMPLETE, FAILED or BLOCKED',
  ],
  [
    ended('no_status', {
      unread: [
        { line: 2, found: 'status: FAILED' },
        { line: 5, found: '- Status: COMPLETE' },
      ],
    }),
    'result.md has no readable status: line 2 has "status: FAILED", line 5 has "- Status: COMPLETE"; expected COMPLETE, FAILED or BLOCKED',
  ],
  [
    ended('no_status', { unread: [] }),
    'result.md has no status; expected COMPLETE, FAILED or BLOCKED',
  ],
  [ended('complete'), 'says it is complete'],
  [ended('unchanged'), 'nothing was changed; says it is complete'],
  [ended('failed', { text: '\n- tried glue\n- and tape' }), 'tried glue'],
  [ended('failed', { text: '' }), 'says it failed'],
  [ended('blocked', { text: '1. a key' }), 'a key'],
  [ended('blocked', { text: '' }), 'says it is blocked'],
  [ended('delegated', { names: ['a', 'b'] }), 'gives work to others: a, b'],
  [ended('no_child', { problems: ['a', 'b'] }), 'no child was made: a; b'],
  [
    ended('unsettled', { files: ['a', 'b'] }),
    "the conflict is not settled: git's marks are still in a, b",
  ],
  [
    ended('git_cannot_take', { lines: ['a', 'b'] }),
    'git cannot take all that it left: a (and 1 more); make it a file that can be read, outside other repositories, or remove it',
  ],
  [ended('verified', {}), 'verification passed'],
  [
    ended('verified', { proves_nothing: true }),
    'verification passed, as it did before the work: it proves nothing new',
  ],
  [ended('approved', { by: 'critic', text: '' }), 'approved by critic'],
  [ended('needs_work', { by: 'critic', text: '\n- thin\n' }), 'thin'],
  [ended('needs_work', { by: 'critic', text: '' }), 'critic says it needs work'],
  [ended('reject', { by: 'critic', text: 'no' }), 'no'],
  [ended('reject', { by: 'critic', text: '' }), 'rejected by critic'],
  [
    ended('approval_lapsed', { files: ['a.ts', 'b.ts'] }),
    'a.ts, b.ts changed after the approval, which no longer counts',
  ],
  [
    ended('approval_lapsed', { files: ['1', '2', '3', '4', '5', '6', '7'] }),
    '1, 2, 3, 4, 5 (and 2 more) changed after the approval, which no longer counts',
  ],
  [ended('awaits_verdict'), 'verification passed; waits for a verdict'],
  [
    ended('no_verdict', { gate: 'critic', violations: [], unread: undefined, why: undefined }),
    'critic ended without a verdict',
  ],
  [
    ended('no_verdict', { gate: 'critic', violations: [], unread: undefined, why: 'exit 1' }),
    'critic ended without a verdict: exit 1',
  ],
  [
    ended('no_verdict', { gate: 'critic', violations: [], unread: 'r.md:3', why: undefined }),
    'critic wrote a review that gives no verdict: r.md:3',
  ],
  [
    ended('no_verdict', { gate: 'critic', violations: ['a'], unread: undefined, why: undefined }),
    'critic went outside its permissions, so its verdict does not count: a',
  ],
] as const;

const FOUND = [
  [
    finding('check_failed', { check: 'run: true', reason: 'exit 1' }),
    'check `run: true` failed: exit 1',
  ],
  [finding('deliverable_missing', { path: 'a.md', why: 'is empty' }), 'deliverable a.md is empty'],
  [
    finding('criterion_open', { number: 1, text: 'A', where: 7 }),
    'criterion 1 is not ticked, or is denied, in line 7 of result.md: A',
  ],
  [
    finding('criterion_open', { number: 2, text: 'B', where: undefined }),
    'criterion 2 has no box in result.md, under any heading: B',
  ],
  [finding('result_incomplete', { is_read: true }), 'result.md does not say COMPLETE'],
  [finding('result_incomplete', { is_read: false }), 'result.md cannot be read'],
] as const;

describe('words', () => {
  test.each(ENDED.map(([judged, words]) => [judged.code, words, judged.reason]))(
    '%s: %s',
    (_code, words, reason) => expect(reason).toBe(words),
  );
  test.each(FOUND.map(([found, words]) => [found.code, words, found.words]))(
    '%s: %s',
    (_code, words, made) => expect(made).toBe(words),
  );
  test('each code of the two tables has an example', () => {
    const codes = new Set<string>([...ENDED, ...FOUND].map(([{ code }]) => code));
    const rows = [...Object.keys(OUTCOMES), ...Object.keys(FINDINGS)];
    expect(rows.filter((code) => !codes.has(code))).toEqual([]);
  });
  test('each code of an outcome has words in exactly one table', () => {
    const rows = [...Object.keys(OUTCOMES), ...Object.keys(FINDINGS)];
    expect(new Set(rows).size).toBe(rows.length);
    const elsewhere = OUTCOME_CODES.filter((code) => !rows.includes(code));
    // Of clients (clients/core/client-end.ts), of answers that were lost, and of old records.
    const others = elsewhere.filter((code) => !code.startsWith('client_'));
    expect(others).toEqual(['questions_lost', 'not_delivered', 'recorded']);
  });
});
