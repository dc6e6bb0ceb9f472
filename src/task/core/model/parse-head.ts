/** The front matter of a contract, typed as by the whole shape, but fast enough for thousands of them. */
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

/** Head of an empty contract: every contract is laid over it. */
export const EMPTY_HEAD = Object.fromEntries(
  Object.entries(SHAPE).flatMap(([key, one]) => ('value' in one ? [[key, one.value]] : [])),
) as unknown as ContractHead;
for (const value of Object.values(EMPTY_HEAD)) Object.freeze(value);

/** Only the keys that are given are checked: all keys would cost more than reading the files. */
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

/** By Object.assign, since a spread takes ten times as long, for thousands of contracts. */
function headFromGiven(given: Partial<ContractHead>): ContractHead {
  return Object.assign({}, EMPTY_HEAD, given);
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
