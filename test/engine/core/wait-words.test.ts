/** Codes, then words: how each reason to wait reads, and what ends it. Other tests assert codes. */
import { describe, expect, test } from 'vitest';
import { wait } from '../../../src/engine/core/words/waits.ts';
import { WAIT_CODES } from '../../../src/task/core/model/wait-codes.ts';
import { problem } from '../../../src/task/core/model/problem.ts';

const WHY = { id: 'a', total: 1 };
const review = { ticked: [], boxes: 3, verdict: undefined, findings: '' } as const;
const unread = { line: 3, found: 'done' };
const bad = problem({
  code: 'bad_value',
  file: 'a.md',
  line: 2,
  message: 'no title',
  fix: 'Add one',
});

const ROWS = [
  [wait('problem', { problems: [] }), 'cannot be read', 'contracts check'],
  [
    wait('problem', { problems: [bad, bad] }),
    'a.md:2:1: error: no title. Add one (and 1 more)',
    'contracts check',
  ],
  [
    wait('two_states', { states: ['ready', 'done'] }),
    'is in ready and in done; neither folder is changed',
    'contracts doctor',
  ],
  [wait('ended', { id: 'a', state: 'done' }), 'is done', 'contracts retry a --again'],
  [wait('no_move', { reason: 'is done' }), 'is done', ''],
  [wait('unconfirmed', { id: 'a' }), 'not confirmed yet', 'contracts confirm a'],
  [wait('asked_since', undefined), 'another round has asked it since', ''],
  [wait('not_asked', { state: 'draft' }), 'a script, a person and a host are not asked', ''],
  [
    wait('not_asked', { state: 'review' }),
    'it is in review: only drafts and ready tasks are asked',
    '',
  ],
  [
    wait('contract_changed', { id: 'a', unclear: true }),
    'the answer is neither take nor restore; the contract changed while an agent ran that could write it, see questions.md',
    'contracts answer a take, or contracts answer a restore',
  ],
  [wait('untrusted', { reason: 'r', fix: 'f' }), 'r', 'f'],
  [
    wait('dependency_aborted', { id: 'b', state: 'aborted', next: '' }),
    'dependency b is aborted',
    'contracts retry b --again, or take it out of depends_on',
  ],
  [
    wait('dependency_cycle', { cycle: ['a', 'b', 'a'], key: 'depends_on' }),
    'depends on itself: a → b → a',
    'edit depends_on',
  ],
  [
    wait('dependency_unknown', { id: 'b', made_by: 'contracts plan start p', key: 'depends_on' }),
    'depends on b, which does not exist',
    'contracts plan start p, or edit depends_on',
  ],
  [
    wait('dependency_archived', { id: 'b' }),
    'depends on b, which is archived without an approval',
    'take b out of depends_on, or move it to done/',
  ],
  [
    wait('parent_aborted', { id: 'a', parent: 'p' }),
    'its parent p is aborted',
    'contracts abort a, or contracts retry p --again',
  ],
  [
    wait('dependencies', { pending: [{ id: 'b', state: 'ready' }] }),
    'waits for b (ready)',
    'contracts show b',
  ],
  [
    wait('children', { children: [{ id: 'b', state: 'ready' }] }),
    'waits for its children b (ready)',
    'contracts show b',
  ],
  [
    wait('same_file', { id: 'b', path: 'x.md' }),
    'waits for b, which writes x.md too',
    'contracts show b',
  ],
  [wait('budget', { reason: 'r', fix: 'f' }), 'r', 'f'],
  [
    wait('run_budget', { used: '2 USD', key: 'usd' }),
    'this run has used 2 USD (run_usd)',
    'contracts run again, or raise run_usd in config.yaml',
  ],
  [wait('pause', { id: 'a', reason: 'r' }), 'r', 'contracts note a "…" to try at once'],
  [
    wait('day_budget', { used: '$2.00 of $2.00' }),
    'the calls of today have used $2.00 of $2.00 (day_cost_max)',
    'contracts run tomorrow, or raise day_cost_max in config.yaml',
  ],
  [wait('paused', { reason: '' }), 'everything is paused', 'contracts pause --end'],
  [wait('paused', { reason: 'lunch' }), 'everything is paused: lunch', 'contracts pause --end'],
  [wait('run_until', { until: '07:00' }), 'this run begins nothing after 07:00', 'contracts run'],
  [wait('slots', { parallel: 2 }), 'all 2 slots are taken', ''],
  [wait('slots', { parallel: 2, of: 'claude' }), 'all 2 slots of claude are taken', ''],
  [wait('slots', { parallel: 1, by: 'a' }), 'the only slot is taken', 'contracts show a'],
  [wait('slots', { parallel: 1, of: 'review' }), 'the only slot of review is taken', ''],
  [wait('next_step', { gate: undefined }), 'is tried again by the next step', ''],
  [wait('next_step', { gate: 'qa' }), 'qa is asked by the next step', ''],
  [wait('held', { reason: 'r', fix: 'f' }), 'r', 'f'],
  [
    wait('turn', { turn: 'plan p', other: 'b' }),
    'plan p allows one task at a time: b is running',
    '',
  ],
  [wait('running', { id: 'a', name: 'try 2' }), 'try 2 is running', 'contracts logs a -f'],
  [
    wait('running_elsewhere', { name: 'try 2', host: 'h' }),
    'try 2 runs on h',
    'contracts doctor --recover NAME, if that machine is gone for good',
  ],
  [
    wait('orphaned', { id: 'a', name: 'try 2' }),
    'try 2 is still running although its runner has exited; waiting for it',
    'contracts logs a -f, or contracts abort a',
  ],
  [
    wait('owner_unreadable', { attempt: 3 }),
    'owner.md of attempt 3 cannot be read',
    'contracts doctor',
  ],
  [wait('to_delegate', { id: 'a' }), 'waits for a host to take it', 'contracts delegate a'],
  [
    wait('delegated', { id: 'a', name: 'try 2' }),
    'delegated to a host as try 2',
    'contracts collect a',
  ],
  [
    wait('status_unread', { id: 'a', unread }),
    'result.md has no readable status: active_tasks/in_progress/a/result.md:3 has "done"',
    'write Status: COMPLETE, Status: FAILED or Status: BLOCKED there',
  ],
  [
    wait('in_hands', { id: 'a', has_result: true }),
    'a person is working on it',
    'fill in active_tasks/in_progress/a/result.md, or write questions.md there; once it is done: contracts approve a',
  ],
  [
    wait('in_hands', { id: 'a', has_result: true, before: 1 }),
    'a person is working on it; what was written before is in active_tasks/in_progress/a/attempts/0001/',
    'fill in active_tasks/in_progress/a/result.md, or write questions.md there; once it is done: contracts approve a',
  ],
  [
    wait('no_questions', undefined),
    'there is no questions.md',
    'write questions.md, or move the folder on',
  ],
  [
    wait('question_gone', { number: 2, text: 'Why?' }),
    'question 2 is no longer in questions.md: Why?',
    'put it back there and answer it, or move the folder to ready/',
  ],
  [
    wait('questions', { id: 'a', open: [{ text: 'Why?' }], total: 2 }),
    'asks a question (1 of 2 answered): Why?',
    'contracts answer a',
  ],
  [
    wait('questions', { ...WHY, open: [{ text: 'Why?', unread: { why: 'nothing', found: '?' } }] }),
    '"?" is no answer; asks a question: Why?',
    'contracts answer a',
  ],
  [
    wait('questions', {
      ...WHY,
      open: [{ text: 'Why?', unread: { why: 'contradicts', found: '- [x] red\nblue' } }],
    }),
    '"- [x] red blue" is a tick and a text that contradict each other; asks a question: Why?',
    'leave one of them in active_tasks/questions/a/questions.md',
  ],
  [
    wait('questions', {
      ...WHY,
      open: [{ text: 'Why?', unread: { why: 'section', found: '## My answers' } }],
    }),
    '"## My answers" is a section of its own, and no answer; asks a question: Why?',
    'put each answer below its ### Answer in active_tasks/questions/a/questions.md',
  ],
  [
    wait('unanswered', { id: 'a', name: 'try 2', has_questions: false }),
    'try 2 asked questions and has no answer yet',
    'contracts note a "…"',
  ],
  [
    wait('decision_paused', { id: 'a', reason: 'paused', word: 'GO' }),
    'paused',
    'contracts answer a GO',
  ],
  [
    wait('decision', { id: 'a', boxes: 4, ticked: [], who: 'qa', words: ['GO', 'STOP', 'WAIT'] }),
    'waits for GO, STOP or WAIT by a person, since qa has not decided',
    'contracts answer a GO',
  ],
  [wait('no_result', undefined), 'there is no result.md', 'write result.md, or move the folder on'],
  [wait('unprepared', { message: 'm', fix: 'f' }), 'm', 'f'],
  [wait('client_fault', { message: 'm', fault: 'login', fix: 'f' }), 'm', 'f, then contracts run'],
  [wait('client_fault', { message: 'm', fault: 'program', fix: 'f' }), 'm', 'f'],
  [
    wait('verdict', { id: 'a', review, without: undefined }),
    'waits for a verdict in review.md',
    'contracts approve a, or needs-work, or reject',
  ],
  [
    wait('blocked', { id: 'a', why: 'no key', word: undefined }),
    'no key',
    'contracts retry a "…", or contracts retry a',
  ],
  [
    wait('blocked', { id: 'a', why: 'no key', word: undefined, criterion: true }),
    'no key',
    'contracts edit a contract, or contracts retry a "…", or contracts retry a',
  ],
  [
    wait('blocked', { id: 'a', why: 'no key', word: 'GO' }),
    'no key',
    'contracts answer a GO, or contracts retry a',
  ],
] as const;

describe('reasons to wait', () => {
  test.each(ROWS)('%o', ({ reason, fix }, expected, command) => {
    expect([reason, fix]).toEqual([expected, command]);
  });

  test('each code has a row', () => {
    expect([...new Set(ROWS.map(([{ code }]) => code))].sort()).toEqual([...WAIT_CODES].sort());
  });
});
