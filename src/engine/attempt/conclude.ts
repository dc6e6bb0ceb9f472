/**
 * The end of a work attempt: its outcome as a record, with what a person reads below it, committed,
 * and the task rolled forward from there. Whoever was taken over meanwhile is told so by the commit,
 * and moves nothing.
 */
import { join } from 'node:path';
import { checkName } from '../../core/contract.ts';
import { FAILURES } from '../../core/count.ts';
import type { Judgement } from '../../core/judge.ts';
import type { OutcomeRecord, WorkOutcome } from '../../core/record.ts';
import type { State } from '../../core/state.ts';
import { attemptFolder } from '../../store/layout.ts';
import { sentence } from '../../text/sections.ts';
import type { Called } from './call.ts';
import type { Role } from '../preflight.ts';
import { rollForward } from './roll.ts';
import { commitOutcome, release, type Running } from './running.ts';

interface Details {
  readonly called?: Called;
  readonly changed?: readonly string[];
  readonly adopted?: number;
  readonly left?: OutcomeRecord;
}

/** Commit and roll forward. undefined when this attempt had been taken over. */
export function conclude(
  running: Running,
  role: Role | undefined,
  judged: Judgement<WorkOutcome>,
  details: Details,
): State | undefined {
  const { number } = running;
  const outcome = workOutcome(running, role, judged, details);
  const place = commitOutcome(running, outcome, bodyOf(running, outcome));
  if (place === undefined) {
    release(running);
    return undefined;
  }
  const source = details.adopted;
  const desk = join(attemptFolder(place.folder, source ?? number, source !== undefined), 'desk');
  const given = running.owner.owner === 'person' ? place.folder : desk;
  return rollForward(running, place, { outcome, desk: given, stays: judged.by_hand === true });
}

function workOutcome(
  running: Running,
  role: Role | undefined,
  judged: Judgement<WorkOutcome>,
  { called, changed, adopted, left }: Details,
): OutcomeRecord {
  const code = called?.ending.code ?? left?.exit_code;
  const session = called?.session ?? left?.session;
  const enforced = called?.enforced ?? left?.enforced ?? [];
  return {
    v: 1,
    attempt: running.number,
    kind: 'work',
    outcome: judged.outcome,
    reason: judged.reason,
    at: running.ws.machine.now().toISOString(),
    ...(called === undefined ? {} : { seconds: called.seconds }),
    agent: running.owner.agent,
    ...(role === undefined ? {} : { adapter: role.adapter_name }),
    ...(code === undefined || code === null ? {} : { exit_code: code }),
    ...(called === undefined || called.ending.signal === null
      ? {}
      : { signal: called.ending.signal }),
    ...(session === undefined ? {} : { session }),
    ...(adopted === undefined ? {} : { adopted }),
    enforced: enforced.length === 0 ? ['nothing'] : [...enforced],
    changed: [...(changed ?? left?.changed ?? [])],
    ...(called === undefined || called.left_behind === 0
      ? {}
      : { left_behind: called.left_behind }),
  };
}

function bodyOf(running: Running, outcome: OutcomeRecord): string {
  const lines = [
    `# Attempt ${running.number}: ${outcome.outcome}`,
    '',
    sentence(outcome.reason),
    '',
  ];
  const { contract } = running;
  if (contract !== undefined && contract.checks.length > 0 && outcome.outcome === 'complete') {
    lines.push(`Checks to pass in review: ${contract.checks.map(checkName).join(', ')}.`, '');
  }
  lines.push('Nothing confined this agent: no sandbox and no worktree was in force.', '');
  if (FAILURES.has(outcome.outcome)) lines.push('What it printed is in `output.log`.', '');
  if (outcome.left_behind !== undefined) {
    lines.push(`It left ${outcome.left_behind} processes running; they were ended.`, '');
  }
  if (outcome.changed.length > 0) {
    lines.push('Files that changed in the workspace while it ran:', '');
    lines.push(...outcome.changed.map((path) => `- ${JSON.stringify(path)}`), '');
  }
  return lines.join('\n');
}
