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
import { lineSchema } from './all-lines.ts';
import { squadSchema } from '../../squads/core/squad-schema.ts';
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

export const SCHEMAS: Readonly<Record<string, Shipped>> = {
  lines: { shape: lineSchema, says: 'One line of --json' },
  config: { shape: configSchema(), says: '.contracts/config.yaml', closed: true },
  agent: { shape: agentConfigSchema(), says: 'Front matter of .contracts/agents/*.md' },
  squad: { shape: squadSchema(), says: 'SQUAD.yaml of a squad' },
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

/** Shapes that stand in many places and get a name of their own in the schemas. */
export const NAMED_PARTS: Readonly<Record<string, z.core.$ZodType>> = { problem };
