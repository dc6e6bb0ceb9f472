/** Assumptions of a result, kept before its task moves to done: the same when repeated. */
import { problem } from '../../task/core/model/problem.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { briefOfWork } from '../../memory/engine/harvest.ts';
import { learningIn } from '../../memory/text/harvest.ts';
import type { Assumption } from '../core/assumption.ts';
import { askAndTell } from './ask.ts';
import { hasAssumptions } from './folder.ts';
import { changeAssumption, doneCount, keepAssumption, openAssumptions } from './store.ts';

const FROM_RESULT_MAX = 20;

type Said = Pick<Assumption, 'kind' | 'information' | 'confidence'>;

/** The lines of a result that are assumptions, or decisions that it needs. */
function saidIn(text: string): readonly Said[] {
  const { assumptions, decisions_needed } = parseResult(text);
  const of = (kind: Assumption['kind'], lines: readonly string[]): readonly Said[] =>
    lines.slice(0, FROM_RESULT_MAX).flatMap((line) => {
      // Where it does not say how sure it is, a person is to look.
      const found = learningIn(line, 0.5);
      return found === undefined ? [] : { ...found, kind };
    });
  return [...of('assumption', assumptions), ...of('decision', decisions_needed)];
}

export function collectAssumptions(running: Running, folder: string): void {
  const { ws, id, contract } = running;
  if (ws.config.assumptions === 'off') return;
  const said = saidIn(textIfThere(ws.disk, `${folder}/result.md`) ?? '');
  if (said.length === 0 && !hasAssumptions(ws)) return;
  const brief = briefOfWork(running, folder);
  for (const one of openAssumptions(ws).open) {
    if (brief.includes(`\`${one.file}\``))
      changeAssumption(ws, one, ({ uses }) => ({ uses: [...new Set([...uses, id])] }));
  }
  const plan = contract?.head.plan;
  const created = ws.machine.now().toISOString();
  const more = { plan, source: [id], uses: [], asked: false, done: doneCount(ws), created };
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
