/**
 * A front matter as it was given, typed: as the whole shape has it, but in less time, since thousands
 * of contracts are read at every look; and back to what was given beyond the defaults.
 */
import * as z from 'zod/mini';
import {
  SHAPE,
  contractHeadSchema,
  shapeOf,
  type ContractHead,
  type HeadKey,
  type Shape,
} from './contract-shape.ts';

const KEY_SETS_MAX = 64;

const picked = new Map<string, z.ZodMiniType<Partial<ContractHead>>>();

/** What the shape makes of an empty head, written out: every contract is laid over it. */
export const EMPTY_HEAD: ContractHead = {
  v: 1,
  type: 'task',
  priority: 'medium',
  depends_on: [],
  context_files: [],
  context_from: [],
  deliverables: [],
  verify: [],
  quality_gate: [],
  skills: [],
  complexity: 'medium',
  tags: [],
};
for (const value of Object.values(EMPTY_HEAD)) Object.freeze(value);

/**
 * As the whole schema has it, but only the keys that are given are looked at: asking each of
 * thousands of contracts about all 33 keys costs more than reading the files.
 */
export function parseContractHead(
  given: Readonly<Record<string, unknown>>,
): z.core.util.SafeParseResult<ContractHead> {
  if (isPlainHead(given)) return { success: true, data: headFromGiven(given) };
  const parsed = schemaOf(Object.keys(given)).safeParse(given);
  // The whole schema names what is wrong in its own order.
  if (!parsed.success) return contractHeadSchema().safeParse(given);
  return { success: true, data: headFromGiven(parsed.data) };
}

/** zod would take it as it is. */
function isPlainHead(
  given: Readonly<Record<string, unknown>>,
): given is Readonly<Partial<ContractHead>> {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(SHAPE, key) || !SHAPE[key as HeadKey].isPlain(given[key])) return false;
  }
  return true;
}

/** What a typed head says beyond the defaults: enough to have it again by `headFromGiven`. */
export function givenOf(head: ContractHead): Partial<ContractHead> {
  const plain: Readonly<Record<string, unknown>> = EMPTY_HEAD;
  return Object.fromEntries(Object.entries(head).filter(([key, value]) => plain[key] !== value));
}

/** Key by key, in one order, so that the heads of thousands of contracts are of one shape: quick. */
export function headFromGiven(given: Partial<ContractHead>): ContractHead {
  const plain: Readonly<Record<string, unknown>> = EMPTY_HEAD;
  const said: Readonly<Record<string, unknown>> = given;
  const head: ContractHead = {
    v: given.v ?? EMPTY_HEAD.v,
    type: given.type ?? EMPTY_HEAD.type,
    priority: given.priority ?? EMPTY_HEAD.priority,
    depends_on: given.depends_on ?? EMPTY_HEAD.depends_on,
    context_files: given.context_files ?? EMPTY_HEAD.context_files,
    context_from: given.context_from ?? EMPTY_HEAD.context_from,
    deliverables: given.deliverables ?? EMPTY_HEAD.deliverables,
    verify: given.verify ?? EMPTY_HEAD.verify,
    quality_gate: given.quality_gate ?? EMPTY_HEAD.quality_gate,
    skills: given.skills ?? EMPTY_HEAD.skills,
    complexity: given.complexity ?? EMPTY_HEAD.complexity,
    tags: given.tags ?? EMPTY_HEAD.tags,
  };
  const more = head as unknown as Record<string, unknown>;
  for (const key in said) if (!(key in plain)) more[key] = said[key];
  return head;
}

function schemaOf(keys: readonly string[]): z.ZodMiniType<Partial<ContractHead>> {
  const name = keys.join(' ');
  const known = picked.get(name);
  if (known !== undefined) return known;
  if (picked.size >= KEY_SETS_MAX || !keys.every((key) => Object.hasOwn(SHAPE, key))) {
    return contractHeadSchema();
  }
  const made = z.strictObject(shapeOf(keys) as Partial<Shape>);
  picked.set(name, made as z.ZodMiniType<Partial<ContractHead>>);
  return made as z.ZodMiniType<Partial<ContractHead>>;
}
