/**
 * A work attempt whose agent no runner watched to its end, left by a dead runner or handed in by a person
 * or a host. Judged by the same evidence as a call of our own.
 */
import { join } from 'node:path';
import { syncFileSystems } from '../../process/gate.ts';
import type { Ending } from '../../task/core/attempts/client-report.ts';
import type { Attempt, WorkOutcome } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder, STOP_FILE, taskFolder } from '../../task/store/tasks/layout.ts';
import { redactDesk } from '../../workspace/tasks/redact.ts';
import { executorOf, type Role } from '../../agents/engine/roles.ts';
import { clientEnd, writeAsked } from '../call/client-outcome.ts';
import { conclude, concludeCall } from './conclude.ts';
import { settleLeft } from '../call/guarded-call.ts';
import { endingOf as endingFrom } from '../call/call.ts';
import { replayLog } from '../call/replay-log.ts';
import { finished, judge } from './evidence.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

/** An exit record counts in seconds, and the deadline from the record of the start. */
const RECORD_SLACK_MS = 2_000;

/** Takes over the newest outcome or exit record after the base (docs/protocol.md#recover). */
export async function adopt(running: Running, role: Role | undefined, left: Attempt) {
  const { ws, id } = running;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  const source = left.outcome?.adopted ?? left.number;
  if (left.outcome !== undefined) {
    const { outcome, code = 'recorded', reason } = left.outcome;
    return conclude(
      running,
      role,
      { outcome: outcome as WorkOutcome, code, reason },
      { adopted: source, left: left.outcome },
    );
  }
  const kept = attemptFolder(folder, source, true);
  const desk = join(kept, 'desk');
  const before = await replayLog(running, left);
  const settling = settleLeft(running, role, source, left.agent);
  const was_stopped = ws.disk.stat(join(kept, STOP_FILE)) !== undefined;
  const recorded = endingFrom(endingOf(left), before.report);
  const end = was_stopped ? { ...recorded, reason: 'cancelled' as const } : recorded;
  const { ending, checked } = await finished(running, role, desk, end, settling);
  const { settled, compared } = settling;
  const nothing = clientEnd(running, before.adapter, before.report, ending, {
    role,
    model: before.model,
  });
  const changed = compared === undefined || (settled ?? compared).changed.length > 0;
  if (nothing !== undefined) writeAsked(running, desk, before.report, changed);
  const limits = { timeout_ms: left.agent?.timeout_ms ?? 0, stall_ms: 0 };
  const violations = compared?.violations;
  const by = { number: source, lost: true, outcome: { adapter: before.adapter?.name } };
  const judged = judge(running, desk, ending, limits, { violations, nothing, by });
  const details = { adopted: source, settled, compared, before, checked, desk };
  return concludeCall(running, role, judged, details, { nothing, adapter: before.adapter });
}

const NO_LIMITS = { timeout_ms: 0, stall_ms: 0 };

/** From the exit record. An orphan that was stopped at its deadline has timed out. */
function endingOf(left: Attempt): Ending {
  const code = left.exit?.exit_code ?? null;
  const deadline = left.agent?.deadline ?? null;
  const late =
    deadline !== null &&
    left.exit !== undefined &&
    Date.parse(left.exit.ended) + RECORD_SLACK_MS >= Date.parse(deadline);
  const signalled = code !== null && code > 128;
  return { reason: late && signalled ? 'timed_out' : 'exited', code, signal: null };
}

/**
 * Ends the attempt of a person or a host: the files are there, or the task was moved by hand
 * (docs/concepts.md#the-desk). `files` is where they handed in; the task's folder when left out.
 */
export function settleAttempt(running: Running, files?: string): State | undefined {
  const { ws, contract } = running;
  const place = findPlace(running);
  if (place === undefined) return undefined;
  const role = contract === undefined ? undefined : executorOf(ws, contract);
  const { settled, compared } = settleLeft(running, role, running.number);
  const { violations } = compared ?? {};
  const handed = files ?? place.folder;
  if (files !== undefined) redactDesk(ws, files);
  // No process of ours has synced what a person or a host wrote.
  syncFileSystems(ws.programs, handed);
  const judged = judge(running, handed, undefined, NO_LIMITS, { violations });
  return conclude(running, role, judged, { settled, compared });
}
