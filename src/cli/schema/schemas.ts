/**
 * The shapes that the package ships as JSON Schemas, by the name of their file in schemas/. Read by
 * scripts/make-schemas.mjs and the tests; no verb loads this.
 */
import type * as z from 'zod/mini';
import { contractHeadSchema } from '../../task/core/model/contract-shape.ts';
import {
  plainHeadSchema,
  resultHeadSchema,
  reviewHeadSchema,
  statusHeadSchema,
} from '../../task/core/model/document-schemas.ts';
import { problem } from '../../task/core/lines/line-parts.ts';
import { capabilitiesIn, type Shipped } from '../../workspace/tasks/capability.ts';
import { lineSchema } from './all-lines.ts';
import { agentConfigSchema, configSchema } from '../../task/core/model/policy.ts';
import {
  agentSchema,
  archivedSchema,
  exitSchema,
  outcomeSchema,
  ownerSchema,
  receiptsSchema,
} from '../../task/core/attempts/record.ts';

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

/** With those that capabilities add. */
export async function schemasOf(capabilities: readonly object[]) {
  const shapes = await Promise.all(
    capabilitiesIn(capabilities).flatMap((one) => one.shapes?.() ?? []),
  );
  const lines = lineSchema(shapes);
  const files = Object.assign({}, OWN, ...shapes.map(({ files }) => files)) as typeof OWN;
  return { lines, files: { lines: { shape: lines, says: 'One line of --json' }, ...files } };
}

/** Shapes that stand in many places and get a name of their own in the schemas. */
export const NAMED_PARTS: Readonly<Record<string, z.core.$ZodType>> = { problem };
