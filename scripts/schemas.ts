/** The shapes that the package ships as JSON Schemas, by the name of their file in schemas/. The command never loads this. */
import type * as z from 'zod/mini';
import { contractHeadSchema } from '../src/task/core/model/contract-shape.ts';
import {
  plainHeadSchema,
  resultHeadSchema,
  reviewHeadSchema,
  statusHeadSchema,
} from '../src/task/core/model/document-schemas.ts';
import { problem } from '../src/task/core/lines/line-parts.ts';
import { capabilitiesIn, type Shipped } from '../src/workspace/tasks/capability.ts';
import { lineSchema } from '../src/cli/schema/all-lines.ts';
import { agentConfigSchema, configSchema } from '../src/task/core/model/policy.ts';
import {
  agentSchema,
  archivedSchema,
  exitSchema,
  outcomeSchema,
  ownerSchema,
  receiptsSchema,
} from '../src/task/core/attempts/record.ts';

const OWN: Readonly<Record<string, Shipped>> = {
  config: { shape: configSchema(), title: '.contracts/config.yaml', closed: true },
  agent: { shape: agentConfigSchema(), title: 'Front matter of .contracts/agents/*.md' },
  contract: { shape: contractHeadSchema(), title: 'Front matter of contract.md' },
  status: { shape: statusHeadSchema, title: 'Front matter of status.md' },
  questions: { shape: plainHeadSchema, title: 'Front matter of questions.md' },
  result: { shape: resultHeadSchema, title: 'Front matter of result.md' },
  review: { shape: reviewHeadSchema, title: 'Front matter of review.md' },
  blocked: { shape: plainHeadSchema, title: 'Front matter of blocked.md' },
  archived: { shape: archivedSchema(), title: 'archived.md of a task in the archive' },
  'attempt-owner': { shape: ownerSchema(), title: 'owner.md of an attempt' },
  'attempt-agent': { shape: agentSchema(), title: 'agent.md and check.md of an attempt' },
  'attempt-exit': { shape: exitSchema(), title: 'exit.md of a desk' },
  'attempt-outcome': { shape: outcomeSchema(), title: 'outcome.md of an attempt' },
  'attempt-receipts': { shape: receiptsSchema(), title: 'receipts.md of an attempt' },
};

export async function schemasOf(capabilities: readonly object[]) {
  const shapes = await Promise.all(
    capabilitiesIn(capabilities).flatMap((one) => one.shapes?.() ?? []),
  );
  const lines = lineSchema(shapes);
  const files = Object.assign({}, OWN, ...shapes.map(({ files }) => files)) as typeof OWN;
  return { lines, files: { lines: { shape: lines, title: 'One line of --json' }, ...files } };
}

/** Shapes in many places, which get a name of their own in the schemas. */
export const NAMED_PARTS: Readonly<Record<string, z.core.$ZodType>> = { problem };
