/** The front matter of a contract, key by key (docs/reference/contract.md#contractmd). */
import { ID_META, isTaskId } from './id.ts';
import { lazily, strictObjectOf } from '../base/lazy.ts';
import * as z from 'zod/mini';
import { durationMs, durationSchema } from '../base/duration.ts';

// What a key of a contract can hold, twice: for zod, which decides, and as a plain test of the values that nearly
// all contracts have. For such values zod is not even loaded; the test says false if unsure.
type Test = (value: unknown) => boolean;

const never: Test = () => false;

function optional<T extends z.ZodMiniType>(make: () => T, isPlain = never) {
  return { schema: lazily(() => z.optional(make())), isPlain };
}

/** Gives a key that is left out `value`. */
function withDefault<T extends z.ZodMiniType>(
  make: () => T,
  value: Parameters<typeof z._default<T>>[1],
  isPlain = never,
) {
  return { schema: lazily(() => z._default(make(), value)), isPlain, value };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 2000;
const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 128;
const isId = (value: unknown): boolean => typeof value === 'string' && isTaskId(value);
const isCommand = (value: unknown): boolean => isText(value) && value !== '';
const isOneOf =
  (words: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && words.includes(value);
const isListOf =
  (isItem: (value: unknown) => boolean, most = 500) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= most && value.every(isItem);

export const CONTRACT_TYPES = [
  'story',
  'campaign',
  'case',
  'project',
  'feature-spec',
  'task',
  'checkpoint',
  'custom',
  'assumptions',
] as const;

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

export type Priority = (typeof PRIORITIES)[number];

const text = lazily(() => z.string().check(z.maxLength(2000)));

const isInstant = (value: string): boolean => !Number.isNaN(Date.parse(value));
const instant = lazily(() =>
  text().check(z.refine(isInstant, 'a time that exists, such as 2026-01-31T12:00:00Z')),
);

export const name = lazily(() => z.string().check(z.minLength(1), z.maxLength(128)));

/** Joined into paths later: anything but an id could lead out of the folders of tasks. */
const taskId = lazily(() =>
  z.string().check(z.refine(isTaskId, 'the id of a task'), z.meta(ID_META)),
);

export const count = lazily(() => z.int().check(z.minimum(0), z.maximum(100)));

/** A list, or one entry written without the dash. */
const listOf = <T extends z.ZodMiniType>(item: T, most = 500) =>
  z.union([z.array(item).check(z.maxLength(most)), alone(item)]);

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

const lines = lazily(() => z.array(z.string().check(z.minLength(1), z.maxLength(2000))));

/** How a worktree is prepared: commands, and files that git ignores. A contract only leaves some out. */
export const worktreeSchema = strictObjectOf(() => ({
  setup: z.optional(lines()),
  copy: z.optional(lines()),
  cleanup: z.optional(lines()),
}));

const isDuration = (value: unknown): boolean =>
  typeof value === 'string' && durationMs(value) !== undefined;

/** Every key that the runner knows. The order is the order in which `new` writes them. */
/** Users of the network, the strictest first: nobody; agents and no checks; all. */
export const NETWORKS = ['none', 'agents', 'open'] as const;

export const SHAPE = {
  v: withDefault(
    () => z.literal(1),
    1,
    (value) => value === 1,
  ),
  id: optional(
    () => z.string(),
    (value) => typeof value === 'string',
  ),
  title: optional(text, isText),
  type: withDefault(() => z.enum(CONTRACT_TYPES), 'task', isOneOf(CONTRACT_TYPES)),
  agent: optional(name, isName),
  squad: optional(name, isName),
  category: optional(name, isName),
  workflow: optional(name, isName),
  phase: optional(name, isName),
  plan: optional(name, isName),
  wave: optional(() => z.union([z.int().check(z.minimum(0), z.maximum(10_000)), name()])),
  parent: optional(taskId, isId),
  priority: withDefault(() => z.enum(PRIORITIES), 'medium', isOneOf(PRIORITIES)),
  created: optional(instant, (value) => isText(value) && isInstant(String(value))),
  delegated_by: optional(text, isText),
  depends_on: withDefault(() => listOf(taskId()), [], isListOf(isId)),
  context_files: withDefault(() => listOf(text()), [], isListOf(isText)),
  context_from: withDefault(() => listOf(taskId()), [], isListOf(isId)),
  deliverables: withDefault(() => listOf(text()), [], isListOf(isText)),
  verify: withDefault(() => listOf(verifyEntry(), 100), [], isListOf(isCommand, 100)),
  quality_gate: withDefault(() => listOf(name()), [], isListOf(isName)),
  skills: withDefault(() => listOf(name()), [], isListOf(isName)),
  write: optional(() => listOf(text()), isListOf(isText)),
  retries_max: optional(count),
  questions_max: optional(count),
  reviews_max: optional(count),
  cost_max: optional(() => z.number().check(z.minimum(0), z.maximum(1_000_000))),
  tokens_max: optional(() => z.int().check(z.minimum(0), z.maximum(1_000_000_000_000))),
  timeout: optional(durationSchema, isDuration),
  stall: optional(durationSchema, isDuration),
  complexity: optional(() => z.enum(['low', 'medium', 'high'])),
  isolation: optional(() => z.enum(['shared', 'worktree'])),
  worktree: optional(worktreeSchema),
  sandbox: optional(() => z.enum(['auto', 'bwrap', 'none'])),
  network: optional(() => z.enum(NETWORKS)),
  rerun: optional(() => z.enum(['auto', 'ask'])),
  ask: optional(() => z.enum(['before'])),
  adapter: optional(name, isName),
  model: optional(name, isName),
  tags: withDefault(() => listOf(name()), [], isListOf(isName)),
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

/** undefined also for a plan without one, which says no more than its plan does. */
export function workflowOf({ workflow }: Pick<ContractHead, 'workflow'>): string | undefined {
  return workflow === 'plan' ? undefined : workflow;
}

/** `debug, phase fix`; empty where there is neither. */
export function workflowWords(head: Pick<ContractHead, 'workflow' | 'phase'>): string {
  const { phase } = head;
  const parts = [workflowOf(head), phase === undefined ? undefined : `phase ${phase}`];
  return parts.filter((one) => one !== undefined).join(', ');
}
