/**
 * Confidence that agents named, beside what people confirmed. A share of a few is chance, so it is left out
 * (docs/reference/stats.md#confidence). Pure.
 */
import type { ConfidenceRow } from './stats-lines.ts';

/** A statement of an agent, with what a person said of it. */
interface Estimate {
  readonly agent: string;
  readonly confidence: number | undefined;
  readonly verdict: 'confirmed' | 'rejected' | undefined;
}

/** So many must be decided by people before there is a share. */
export const DECIDED_MIN = 5;
const STEPS = [...Array(10).keys()];

/** Steps of all, then of each agent by name; what names no number comes last. */
export function confidenceRows(all: readonly Estimate[]): readonly ConfidenceRow[] {
  const agents = [...new Set(all.map(({ agent }) => agent))].toSorted();
  const groups = [
    { by: 'total' as const, name: '', of: all },
    ...agents.map((name) => {
      return { by: 'agent' as const, name, of: all.filter(({ agent }) => agent === name) };
    }),
  ];
  return groups.flatMap(({ of, ...whose }) =>
    [...STEPS, undefined].flatMap((step) => {
      const own = of.filter(({ confidence }) => stepOf(confidence) === step);
      return own.length === 0 ? [] : [{ ...whose, ...figuresOf(step, own) }];
    }),
  );
}

function stepOf(confidence: number | undefined): number | undefined {
  return confidence && Math.min(STEPS.length - 1, Math.floor(rounded(confidence * STEPS.length)));
}

function figuresOf(step: number | undefined, own: readonly Estimate[]) {
  const count = (as: Estimate['verdict']) => own.filter(({ verdict }) => verdict === as).length;
  const [confirmed, rejected] = [count('confirmed'), count('rejected')];
  const decided = confirmed + rejected;
  const sum = own.reduce((before, { confidence = 0 }) => before + confidence, 0);
  return {
    ...(step !== undefined && {
      from: step / STEPS.length,
      to: (step + 1) / STEPS.length,
      called: rounded(sum / own.length),
    }),
    said: own.length,
    confirmed,
    rejected,
    undecided: own.length - decided,
    ...(decided >= DECIDED_MIN && { share: rounded(confirmed / decided) }),
  };
}

/** Six decimals at most: of a machine 0.29 * 100 is a little less than 29. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
