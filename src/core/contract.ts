/**
 * A contract: what is wanted, by whom it is executed, how it is verified (DESIGN §4).
 * The front matter is checked strictly here; turning text into the raw mapping is the text room's.
 * Unknown keys are kept and warned about; a wrong type is refused.
 */
import * as z from 'zod/mini';
import { ID_META, isTaskId } from './id.ts';
import { isCommand, isId, isListOf, isName, isOneOf, isText, kind } from './kind.ts';
import { lazily } from './lazily.ts';

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

/** `10m`, `90s`, `1h`, `500ms`. At most seven days. */
const DURATION_PATTERN = /^(\d{1,9})(ms|s|m|h)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION_MAX_MS = 7 * 24 * 3_600_000;

/** Milliseconds, or undefined when the text is not a duration that we accept. */
export function durationMs(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text);
  if (match === null) return undefined;
  const ms = Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN);
  return ms > 0 && ms <= DURATION_MAX_MS ? ms : undefined;
}

const AGE_PATTERN = /^(\d{1,6})([dwhms])$/;
const AGE_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** How long ago, up to years: `30d`, `2w`, `12h`; undefined for anything else. */
export function ageMs(text: string): number | undefined {
  const match = AGE_PATTERN.exec(text);
  return match === null ? undefined : Number(match[1]) * (AGE_MS[match[2] ?? ''] ?? Number.NaN);
}

export const durationSchema = lazily(() =>
  z.string().check(
    z.refine((text) => durationMs(text) !== undefined, 'a duration such as 90s, 10m or 1h'),
    // For the JSON Schema, which cannot say: at most seven days.
    z.meta({ pattern: DURATION_PATTERN.source, not: { pattern: '^0*[a-z]' } }),
  ),
);
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
const SHAPE = {
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
  timeout: kind(() => z.optional(durationSchema()), isDuration),
  complexity: kind(() => z._default(z.enum(['low', 'medium', 'high']), 'medium')),
  isolation: kind(() => z.optional(z.enum(['shared', 'worktree']))),
  sandbox: kind(() => z.optional(z.enum(['auto', 'bwrap', 'none']))),
  rerun: kind(() => z.optional(z.enum(['auto', 'ask']))),
  adapter: kind(() => z.optional(name()), isName),
  model: kind(() => z.optional(name()), isName),
  tags: kind(() => z._default(listOf(name()), []), isListOf(isName)),
} as const;

export const HEAD_KEYS: readonly string[] = Object.keys(SHAPE);

type HeadKey = keyof typeof SHAPE;
type Shape = { readonly [K in HeadKey]: ReturnType<(typeof SHAPE)[K]['schema']> };

function shapeOf(keys: readonly string[]): Shape {
  const entries = keys.map((key) => [key, SHAPE[key as HeadKey].schema()]);
  return Object.fromEntries(entries) as Shape;
}

export const contractHeadSchema = lazily(() => z.strictObject(shapeOf(HEAD_KEYS)));

export type ContractHead = z.infer<ReturnType<typeof contractHeadSchema>>;

const KEY_SETS_MAX = 64;
const picked = new Map<string, z.ZodMiniType<Partial<ContractHead>>>();

/** What the shape makes of an empty head, written out: every contract is laid over it. */
const EMPTY_HEAD: ContractHead = {
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

/** One verification, as data. `named` is a name that a squad may define. */
export type Check =
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'file_exists'; readonly path: string }
  | { readonly kind: 'checklist' }
  | { readonly kind: 'matches'; readonly path: string; readonly pattern: string }
  | { readonly kind: 'template'; readonly path: string; readonly headings: string }
  | { readonly kind: 'named'; readonly name: string };

export interface Criterion {
  /** 1-based, in the order of the contract. */
  readonly number: number;
  readonly text: string;
  /** 1-based line in contract.md. */
  readonly line: number;
}

export interface Contract {
  readonly head: ContractHead;
  readonly title: string;
  readonly checks: readonly Check[];
  readonly objective: string;
  readonly requirements: string;
  readonly instructions: string;
  readonly criteria: readonly Criterion[];
  /** `context_files` of the head and the list under `## Context Files`, without repeats. */
  readonly context_files: readonly string[];
  /** The ```sh blocks under `## Steps`, for the shell adapter. */
  readonly steps: readonly string[];
  /** Keys that we do not know, kept as they are. */
  readonly unknown_keys: readonly string[];
  /** 1-based lines of what is given, by path: `agent`, `verify.0`, `context_files/<the path>`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The name of the gate that means a person. */
export const PERSON = 'person';

/** The text by which a check is called in receipts, criteria and messages. */
export function checkName(check: Check): string {
  switch (check.kind) {
    case 'run':
      return `run: ${check.command}`;
    case 'file_exists':
      return `file_exists: ${check.path}`;
    case 'checklist':
      return 'checklist';
    case 'matches':
      return `matches: ${check.path} /${check.pattern}/`;
    case 'template':
      return `template: ${check.path} ${check.headings}`;
    case 'named':
      return check.name;
  }
}

/**
 * Who must approve. A contract that asks for nothing that the runner itself can see (no check but
 * the agent's own checklist, no deliverable, no gate) gets a person: an agent's word is never
 * enough (DESIGN §5).
 */
export function gatesOf(contract: Contract): readonly string[] {
  if (contract.head.quality_gate.length > 0) return contract.head.quality_gate;
  const seen =
    contract.checks.some((check) => check.kind !== 'checklist') ||
    contract.head.deliverables.length > 0;
  return seen ? [] : [PERSON];
}
