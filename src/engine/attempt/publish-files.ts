/**
 * The files of an ended attempt, published at the top of its task: which of them become current, and
 * questions with the slots for their answers. Safe to repeat.
 */
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { addAnswerSlots } from '../../task/text/documents/edit.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { fromDesk, isFirst, publish } from './current-files.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { bytesOf, type Place, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Ended {
  readonly outcome: OutcomeRecord;
  /** The attempt's own desk, or that of the attempt it took over. */
  readonly desk: string;
  /** Written by the runner itself: the boxes for a person, the findings of verification. */
  readonly review?: string | undefined;
  /** A person's move ended it: the task is not moved, also when it is back home since. */
  readonly stays?: boolean;
}

export function publishFiles(running: Running, place: Place, ended: Ended): void {
  const names = filesOf(ended.outcome);
  for (const name of names) {
    const bytes = fromDesk(running, ended.desk, name);
    if (bytes === undefined) continue;
    if (isFirst(running, name, bytes)) continue;
    if (ended.desk === place.folder) addSlotsInPlace(running, place.folder, name, bytes);
    else publish(running, place.folder, name, withSlots(running, name, bytes, true));
  }
  if (ended.review !== undefined) {
    publish(running, place.folder, 'review.md', bytesOf(ended.review));
  }
}

/** Adds slots to questions in the task's folder, where a person handed them in. */
function addSlotsInPlace(running: Running, folder: string, name: string, bytes: Uint8Array): void {
  const slotted = withSlots(running, name, bytes, false);
  if (slotted !== bytes) {
    putIfUnchanged(running.ws.putting, `${folder}/${name}`, sha256(bytes), slotted);
  }
}

/** The files of an attempt that become current. A result beside questions stays on the desk. */
function filesOf(outcome: OutcomeRecord): readonly string[] {
  if (outcome.kind === 'review') {
    return ['approved', 'needs_work', 'reject'].includes(outcome.outcome) ? ['review.md'] : [];
  }
  if (outcome.kind === 'ask') return outcome.outcome === 'questions' ? ['questions.md'] : [];
  switch (outcome.outcome) {
    case 'questions':
      return ['questions.md', 'status.md'];
    case 'stale':
    case 'interrupted':
      return [];
    default:
      return ['result.md', 'status.md'];
  }
}

/** `own`: an agent wrote them, so answers in them do not count. A form has boxes instead. */
function withSlots(
  { ws, contract }: Running,
  name: string,
  bytes: Uint8Array,
  own: boolean,
): Uint8Array {
  if (name !== 'questions.md' || kindOf(ws, contract).decision !== undefined) return bytes;
  const text = decodeText(bytes, name);
  return text.ok ? bytesOf(addAnswerSlots(text.value, own ? text.value : undefined)) : bytes;
}
