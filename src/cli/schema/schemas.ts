/**
 * The shapes that the package ships as JSON Schemas, by the name of their file in schemas/. Read by
 * scripts/make-schemas.mjs and the tests; no verb loads this.
 */
import * as z from 'zod';
import { contractHeadSchema } from '../../task/core/model/contract-shape.ts';
import {
  plainHeadSchema,
  resultHeadSchema,
  reviewHeadSchema,
  statusHeadSchema,
} from '../../task/core/model/document-schemas.ts';
import { problem } from '../../task/core/lines/line-parts.ts';
import { LINES, type LineShape } from './all-lines.ts';
import { agentConfigSchema, configSchema } from '../../task/core/model/policy.ts';
import {
  agentSchema,
  archivedSchema,
  exitSchema,
  outcomeSchema,
  ownerSchema,
  receiptsSchema,
} from '../../task/core/attempts/record.ts';

export interface Shipped {
  readonly shape: z.core.$ZodType;
  readonly says: string;
  /** Keys that are not in the shape are refused by what reads it. */
  readonly closed?: boolean;
}

const OWN: Readonly<Record<string, Shipped>> = {
  config: { shape: configSchema(), says: '.contracts/config.yaml', closed: true },
  agent: { shape: agentConfigSchema(), says: 'Front matter of .contracts/agents/*.md' },
  contract: { shape: contractHeadSchema(), says: 'Front matter of contract.md' },
  status: { shape: statusHeadSchema, says: 'Front matter of status.md' },
  questions: { shape: plainHeadSchema, says: 'Front matter of questions.md' },
  result: { shape: resultHeadSchema, says: 'Front matter of result.md' },
  review: { shape: reviewHeadSchema, says: 'Front matter of review.md' },
  blocked: { shape: plainHeadSchema, says: 'Front matter of blocked.md' },
  archived: { shape: archivedSchema(), says: 'archived.md of a task in the archive' },
  'attempt-owner': { shape: ownerSchema(), says: 'owner.md of an attempt' },
  'attempt-agent': { shape: agentSchema(), says: 'agent.md and check.md of an attempt' },
  'attempt-exit': { shape: exitSchema(), says: 'exit.md of a desk' },
  'attempt-outcome': { shape: outcomeSchema(), says: 'outcome.md of an attempt' },
  'attempt-receipts': { shape: receiptsSchema(), says: 'receipts.md of an attempt' },
};

/** `shapes` in `cli/shapes.ts` of a capability. */
export interface MoreShapes {
  readonly lines: readonly LineShape[];
  readonly schemas: Readonly<Record<string, Shipped>>;
}

/** Every line of `--json`, as one union on `event`. */
export function linesOf(more: readonly MoreShapes[]) {
  return z.discriminatedUnion('event', [...LINES, ...more.flatMap(({ lines }) => lines)]);
}

export function schemasOf(more: readonly MoreShapes[]): Readonly<Record<string, Shipped>> {
  const lines = { shape: linesOf(more), says: 'One line of --json' };
  return Object.assign({ lines, ...OWN }, ...more.map(({ schemas }) => schemas));
}

/** Shapes that stand in many places and get a name of their own in the schemas. */
export const NAMED_PARTS: Readonly<Record<string, z.core.$ZodType>> = { problem };
