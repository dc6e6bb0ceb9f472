/** How far a plan is, in words: in few lines, within the width, and with what a person can do now. */
import { describe, expect, test } from 'vitest';
import { width } from '../../src/cli/output/text-width.ts';
import { statusLines } from '../../src/plans/cli/plan-text.ts';
import type { PlanRow, PlanStatus, PlanTask } from '../../src/plans/engine/start/plan-status.ts';

function task(id: string, more: Partial<PlanTask> = {}): PlanTask {
  return {
    id,
    state: 'done',
    agent: 'marketing/writer',
    waits_for: 'nothing',
    code: 'nothing',
    reason: '',
    fix: '',
    ...more,
  };
}

function row(n: number, wave: number, mark: string, own: PlanTask): PlanRow {
  const title = `Thing ${n} with a title that goes on and on, further than there is room for at all`;
  return { key: `thing-${n}`, kind: 'task', title, line: n, wave, depth: 0, mark, tasks: [own] };
}

/** 200 items in 10 waves: the first is done, one item of the second asks. */
function large(): PlanStatus {
  const rows = Array.from({ length: 200 }, (_, i) => {
    const wave = 1 + Math.floor(i / 20);
    const id = `launch_thing-${i}_abcd`;
    if (wave === 1) return row(i, wave, 'x', task(id));
    if (i === 20) {
      const asks = {
        waits_for: 'person',
        reason: 'asks a question',
        fix: `contracts answer ${id}`,
      } as const;
      return row(i, wave, '~', task(id, { state: 'questions', ...asks }));
    }
    const reason = `waits for launch_thing-${i - 1}_abcd (ready)`;
    return row(i, wave, ' ', task(id, { state: 'ready', waits_for: 'task', reason }));
  });
  const counts = { items: 200, done: 20, dropped: 0, working: 1, blocked: 0, open: 179 };
  const waves = Array.from({ length: 10 }, (_, i) => ({
    number: i + 1,
    title: `Wave ${i + 1}: Part`,
  }));
  const named = { plan: 'launch', title: 'Launch', file: 'plan.md', squad: 'marketing' };
  const state = { paused: false, started: true, percent: 10, problems: [] };
  return { ...named, ...state, waves, rows, counts };
}

describe('plan status', () => {
  test('the tasks of one item are told together in what waits for them', () => {
    const reason = 'waits for e_one_aaaa (ready), e_two_bbbb (in_progress), e_two_cccc (ready)';
    const rows = [
      row(1, 1, ' ', task('e_one_aaaa')),
      { ...row(2, 1, '~', task('e_two_bbbb')), tasks: [task('e_two_bbbb'), task('e_two_cccc')] },
      row(3, 1, ' ', task('e_last_dddd', { state: 'ready', waits_for: 'task', reason })),
    ];
    const text = statusLines({ ...large(), rows }, 200, true).join('\n');
    expect(text).toContain('waits for thing-1 (ready), thing-2 (in_progress, ready)');
  });

  test('what a person can do is wrapped between words', () => {
    const fix =
      'fill in active_tasks/in_progress/launch_thing-20_abcd/result.md, or write questions.md';
    const plan = large();
    const rows = plan.rows.map((one) => ({
      ...one,
      tasks: one.tasks.map((own) => (own.fix === '' ? own : { ...own, fix })),
    }));
    const lines = statusLines({ ...plan, rows }, 80, false);
    expect(lines.slice(-2)).toEqual([
      '  fill in active_tasks/in_progress/launch_thing-20_abcd/result.md, or write',
      '    questions.md',
    ]);
  });

  test.each([60, 80, 200])('of 200 items, in %d columns', (cells) => {
    const lines = statusLines(large(), cells, false);
    for (const line of lines) expect(width(line), line).toBeLessThanOrEqual(cells);
    expect(lines.length).toBeLessThan(45);
    expect(lines[0]).toContain('20 of 200 done, 10%');
    expect(lines[1]).toBe('1 at work, 179 open');
    expect(lines.find((line) => line.startsWith('Wave 10: Part  0 of 20 done'))).toBeDefined();
    expect(lines.slice(-2)).toEqual(['Waits for you:', '  contracts answer launch_thing-20_abcd']);
    const asking = lines.find((line) => line.includes('questions'));
    expect(asking).toMatch(/\[~\] {2}Thing 20 .* questions {2}writer/);
  });

  test('other tasks are called as their items are', () => {
    const lines = statusLines(large(), 200, false);
    expect(lines.find((line) => line.includes('Thing 22 '))).toMatch(
      /waits for thing-21 \(ready\)$/,
    );
  });

  test('with all of it, every item has its line', () => {
    const lines = statusLines(large(), 80, true);
    expect(lines.filter((line) => /\[[x~ ]\] {2}Thing \d+/.test(line))).toHaveLength(200);
  });

  test('paused, and not started', () => {
    const paused = statusLines({ ...large(), paused: true, started: false }, 80, false);
    expect(paused[1]).toBe('paused: contracts plan pause launch --end');
    expect(paused.at(-1)).toBe('Not started: contracts plan start launch --dry-run');
  });
});
