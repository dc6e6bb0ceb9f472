/** Assumptions of a result, kept before its task moves to done: the same when repeated. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { problem } from '../../task/core/model/problem.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { learningIn } from '../../memory/text/harvest.ts';
import type { Assumption } from '../core/assumption.ts';
import { hasAssumptions } from './folder.ts';
import { changeAssumption, doneCount, keepAssumption, openAssumptions } from './store.ts';

const FROM_RESULT_MAX = 20;

type Said = Pick<Assumption, 'kind' | 'information' | 'confidence'>;

/** The lines of a result that are assumptions, or decisions that it needs. */
export function saidIn(text: string): readonly Said[] {
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
  const { ws, id, contract, task } = running;
  if (ws.config.assumptions === 'off') return;
  const said = saidIn(textIfThere(ws.disk, `${folder}/result.md`) ?? '');
  if (said.length === 0 && !hasAssumptions(ws)) return;
  const work = lastEnded(task.attempts, 'work')?.number ?? 0;
  const brief = textIfThere(ws.disk, `${attemptFolder(folder, work)}/desk/brief.md`) ?? '';
  for (const one of openAssumptions(ws).open) {
    if (brief.includes(`\`${one.file}\``))
      changeAssumption(ws, one, ({ uses }) => ({ uses: [...new Set([...uses, id])] }));
  }
  const more = {
    plan: contract?.head.plan,
    source: [id],
    uses: [],
    asked: false,
    done: doneCount(ws),
  };
  const created = ws.machine.now().toISOString();
  for (const one of said) {
    const rejected = keepAssumption(ws, { ...one, ...more, created });
    if (rejected === undefined) continue;
    const [message, file] = [`${id} assumes what a person rejected`, rejected.file];
    const about = { found: one.information, fix: `Take it up again: contracts reopen ${id}` };
    running.emit({
      event: 'problem',
      problem: problem({ code: 'conflict', severity: 'warning', file, message, ...about }),
    });
  }
}
