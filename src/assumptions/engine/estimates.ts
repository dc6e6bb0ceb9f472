/** How sure agents called what they took for granted, by their own results, and what people said of it. */
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Estimate } from '../../workspace/tasks/capability.ts';
import { sameAs } from '../../memory/core/similar.ts';
import { confidenceIn, voicesIn } from '../../memory/engine/estimates.ts';
import { saidIn } from './collect.ts';
import { closedAssumptions, openAssumptions } from './store.ts';

/** The number in its file is the lowest that any task named, and anybody may edit it: so it is not asked. */
export function estimatesOfAssumptions(ws: Workspace): readonly Estimate[] {
  const voices = voicesIn(ws);
  const all = [
    ...openAssumptions(ws).open.map((one) => ({ one, verdict: undefined })),
    ...(['confirmed', 'rejected'] as const).flatMap((verdict) =>
      closedAssumptions(ws, verdict).map((one) => ({ one, verdict })),
    ),
  ];
  return all.flatMap(({ one, verdict }) => {
    if (one.kind === 'decision') return [];
    return [...new Set(one.source)].flatMap((id) => {
      const voice = voices(id);
      if (voice === undefined) return [];
      const { result, ...more } = voice;
      const lines = saidIn(result, NaN).filter(({ kind }) => kind === 'assumption');
      return [{ ...more, confidence: confidenceIn(sameAs(one, lines)?.confidence), verdict }];
    });
  });
}
