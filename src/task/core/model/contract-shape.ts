/**
 * The front matter of a contract, key by key (docs/reference/contract.md#contractmd): what zod says of
 * each, and a plain test for the values that most contracts have. A wrong type is refused; unknown keys
 * are the text room's.
 */
import { ID_META, isTaskId } from './id.ts';
import { isCommand, isId, isListOf, isName, isOneOf, isText, kind } from './field.ts';
import { lazily } from '../base/lazy.ts';
import * as z from 'zod/mini';
import { durationMs, durationSchema } from '../base/duration.ts';

export const CONTRACT_TYPES = [
  'story',
  'campaign',
  'case',
  'project',
  'feature-spec',
  'task',
  'checkpoint',
  'custom',
] as const;

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

export type Priority = (typeof PRIORITIES)[number];

const text = lazily(() => z.string().check(z.maxLength(2000)));

const name = lazily(() => z.string().check(z.minLength(1), z.maxLength(128)));

/** Joined into paths later: anything but an id could lead out of the folders of tasks. */
const taskId = lazily(() =>
  z.string().check(z.refine(isTaskId, 'the id of a task'), z.meta(ID_META)),
);

const count = lazily(() => z.int().check(z.minimum(0), z.maximum(100)));

/** A list, or one entry written without the dash. */
const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.union([z.array(item).check(z.maxLength(500)), alone(item)]);

/** One entry that stands for a list of one. */
const alone = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    item,
    z.transform((one: z.output<T>) => [one]),
  );

const verifyEntry = lazily(() =>
  z.union([
    z.string().check(z.minLength(1), z.maxLength(2000)),
    z.record(z.string(), z.union([text(), z.boolean(), z.null()])).check(
      z.refine((map) => Object.keys(map).length === 1, 'a mapping with exactly one key'),
      z.meta({ minProperties: 1, maxProperties: 1 }),
    ),
  ]),
);

const isDuration = (value: unknown): boolean =>
  typeof value === 'string' && durationMs(value) !== undefined;

/** Every key that the runner knows. The order is the order in which `new` writes them. */
export const SHAPE = {
  v: kind(
    () => z._default(z.literal(1), 1),
    (value) => value === 1,
  ),
  id: kind(
    () => z.optional(z.string()),
    (value) => typeof value === 'string',
  ),
  title: kind(() => z.optional(text()), isText),
  type: kind(() => z._default(z.enum(CONTRACT_TYPES), 'task'), isOneOf(CONTRACT_TYPES)),
  agent: kind(() => z.optional(name()), isName),
  squad: kind(() => z.optional(name()), isName),
  category: kind(() => z.optional(name()), isName),
  workflow: kind(() => z.optional(name()), isName),
  phase: kind(() => z.optional(name()), isName),
  plan: kind(() => z.optional(name()), isName),
  wave: kind(() => z.optional(z.union([z.int().check(z.minimum(0), z.maximum(10_000)), name()]))),
  parent: kind(() => z.optional(taskId()), isId),
  priority: kind(() => z._default(z.enum(PRIORITIES), 'medium'), isOneOf(PRIORITIES)),
  created: kind(() => z.optional(text()), isText),
  delegated_by: kind(() => z.optional(text()), isText),
  depends_on: kind(() => z._default(listOf(taskId()), []), isListOf(isId)),
  context_files: kind(() => z._default(listOf(text()), []), isListOf(isText)),
  context_from: kind(() => z._default(listOf(taskId()), []), isListOf(isId)),
  deliverables: kind(() => z._default(listOf(text()), []), isListOf(isText)),
  verify: kind(
    () =>
      z._default(
        z.union([z.array(verifyEntry()).check(z.maxLength(100)), alone(verifyEntry())]),
        [],
      ),
    isListOf(isCommand, 100),
  ),
  quality_gate: kind(() => z._default(listOf(name()), []), isListOf(isName)),
  skills: kind(() => z._default(listOf(name()), []), isListOf(isName)),
  write: kind(() => z.optional(listOf(text())), isListOf(isText)),
  retries_max: kind(() => z.optional(count())),
  questions_max: kind(() => z.optional(count())),
  reviews_max: kind(() => z.optional(count())),
  cost_max: kind(() => z.optional(z.number().check(z.minimum(0), z.maximum(1_000_000)))),
  tokens_max: kind(() => z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000_000_000)))),
  timeout: kind(() => z.optional(durationSchema()), isDuration),
  stall: kind(() => z.optional(durationSchema()), isDuration),
  complexity: kind(() => z._default(z.enum(['low', 'medium', 'high']), 'medium')),
  isolation: kind(() => z.optional(z.enum(['shared', 'worktree']))),
  sandbox: kind(() => z.optional(z.enum(['auto', 'bwrap', 'none']))),
  rerun: kind(() => z.optional(z.enum(['auto', 'ask']))),
  adapter: kind(() => z.optional(name()), isName),
  model: kind(() => z.optional(name()), isName),
  tags: kind(() => z._default(listOf(name()), []), isListOf(isName)),
} as const;

export const HEAD_KEYS: readonly string[] = Object.keys(SHAPE);

export type HeadKey = keyof typeof SHAPE;

export type Shape = { readonly [K in HeadKey]: ReturnType<(typeof SHAPE)[K]['schema']> };

export function shapeOf(keys: readonly string[]): Shape {
  const entries = keys.map((key) => [key, SHAPE[key as HeadKey].schema()]);
  return Object.fromEntries(entries) as Shape;
}

export const contractHeadSchema = lazily(() => z.strictObject(shapeOf(HEAD_KEYS)));

export type ContractHead = z.infer<ReturnType<typeof contractHeadSchema>>;
