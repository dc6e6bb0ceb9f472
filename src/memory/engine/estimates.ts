/** How sure agents called what they taught, by their own results, and what people said of it. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { isPerson, PERSON } from '../../task/core/model/contract.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { findAny } from '../../engine/queries/find-task.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Estimate } from '../../workspace/tasks/capability.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { isByPerson, type Kept } from '../core/learning.ts';
import { saysAllOf } from '../core/similar.ts';
import { learningIn } from '../text/harvest.ts';
import { readMemory } from './store.ts';

type Voice = Omit<Estimate, 'confidence' | 'verdict'> & { readonly result: string };

/** The agent of a task, and its result; undefined: a person's, or there is no such task. Each is read once. */
export function voicesIn(ws: Workspace): (id: string) => Voice | undefined {
  const known = new Map<string, Voice | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, voiceOf(ws, id));
    return known.get(id);
  };
}

function voiceOf(ws: Workspace, id: string): Voice | undefined {
  const found = findAny(ws, id);
  if (!found.ok) return undefined;
  const { task, folder } = found.value;
  const { owner, outcome } = lastEnded(task.attempts, 'work') ?? {};
  const agent = owner?.agent || outcome?.agent || '';
  if (owner?.owner === PERSON || isPerson(agent)) return undefined;
  const { plan = '' } = task.contract.ok ? task.contract.value.head : {};
  const at_ms = Date.parse(outcome?.at ?? '') || 0;
  const result = textIfThere(ws.disk, `${folder}/result.md`) ?? '';
  return { agent, client: outcome?.adapter ?? '', plan, at_ms, result };
}

/** `sure` of what names no number. */
export function confidenceIn(sure: number | undefined): number | undefined {
  return sure !== undefined && sure >= 0 && sure <= 1 ? sure : undefined;
}

/** Learnings and candidates that the result of a task that is there says. */
export function estimatesOfLearnings(ws: Workspace): readonly Estimate[] {
  const voices = voicesIn(ws);
  const { learnings, candidates } = readMemory(ws);
  return [...learnings, ...candidates].flatMap((one) => {
    const { source } = one;
    // Whoever says it after a person did has read it in a brief.
    const first = source.includes(PERSON) ? source.slice(0, source.indexOf(PERSON)) : source;
    return [...new Set(first)].flatMap((id) => {
      const voice = voices(id);
      if (voice === undefined) return [];
      const { result, ...more } = voice;
      const lines = parseResult(result).learnings.flatMap((line) => learningIn(line, NaN) ?? []);
      const said = lines.find((line) => saysAllOf(one, { ...line, ...redacted(ws, line) }));
      if (said === undefined) return [];
      return [{ ...more, confidence: confidenceIn(said.confidence), verdict: verdictOn(one) }];
    });
  });
}

function redacted(ws: Workspace, { information }: { readonly information: string }) {
  return redactedRecord(ws, { information });
}

/** `memory feedback` is the later word. */
function verdictOn(one: Kept): Estimate['verdict'] {
  if (one.feedback < 0) return 'rejected';
  return isByPerson(one) || one.feedback > 0 ? 'confirmed' : undefined;
}
