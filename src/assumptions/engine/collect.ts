/** Assumptions of a result, kept before its task moves to done: the same when repeated. */
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import { problem } from '../../task/core/model/problem.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { briefOfWork, withTask } from '../../memory/engine/harvest.ts';
import { learningIn } from '../../memory/text/harvest.ts';
import type { Assumption } from '../core/assumption.ts';
import { askAndTell } from './ask.ts';
import { hasAssumptions } from './folder.ts';
import { changeAssumption, doneCount, keepAssumption, openAssumptions } from './store.ts';

const FROM_RESULT_MAX = 20;

type Said = Pick<Assumption, 'kind' | 'information' | 'confidence'>;

/** The lines of a result that are assumptions, or decisions that it needs. `sure`: where a line names no number; a person is to look. */
export function saidIn(text: string, sure = 0.5): readonly Said[] {
  const { assumptions, decisions_needed } = parseResult(text);
  const of = (kind: Assumption['kind'], lines: readonly string[]): readonly Said[] =>
    lines.slice(0, FROM_RESULT_MAX).flatMap((line) => {
      const found = learningIn(line, sure);
      return found === undefined ? [] : { ...found, kind };
    });
  return [...of('assumption', assumptions), ...of('decision', decisions_needed)];
}

/** Work came back: what its brief showed loses weight. */
export function assumptionsReturned(
  running: Running,
  folder: string,
  outcome: OutcomeRecord,
): void {
  if (!hasAssumptions(running.ws)) return;
  const brief = briefOfWork(running, folder, outcome);
  noteShown(running, brief, (now) => withTask(now, 'returned', running.id));
}

function noteShown(
  { ws }: Running,
  brief: string,
  change: (one: Assumption) => Partial<Assumption>,
): void {
  for (const one of openAssumptions(ws).open)
    if (brief.includes(`\`${one.file}\``)) changeAssumption(ws, one, change);
}

export function collectAssumptions(running: Running, folder: string): void {
  const { ws, id, contract } = running;
  if (ws.config.assumptions === 'off') return;
  const said = saidIn(textIfThere(ws.disk, `${folder}/result.md`) ?? '');
  if (said.length === 0 && !hasAssumptions(ws)) return;
  noteShown(running, briefOfWork(running, folder), ({ uses }) => ({
    uses: [...new Set([...uses, id])],
  }));
  const plan = contract?.head.plan;
  const created = ws.machine.now().toISOString();
  const shown = { uses: [], returned: [] };
  const more = { plan, source: [id], ...shown, asked: false, done: doneCount(ws), created };
  for (const one of said) {
    const { file } = keepAssumption(ws, { ...one, ...more }) ?? {};
    if (file === undefined) continue;
    const message = `${id} assumes what a person rejected`;
    const about = {
      found: one.information,
      fix: `Take it up again: contracts retry ${id} --again`,
    };
    const found = problem({ code: 'conflict', severity: 'warning', file, message, ...about });
    running.emit({ event: 'problem', problem: found });
  }
  // Before the next task of the plan is begun.
  askAndTell(running, 1);
}
