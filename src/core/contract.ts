/**
 * A contract: what is wanted, by whom it is executed, how it is verified (DESIGN §4).
 * The front matter is checked strictly here; turning text into the raw mapping is the text room's.
 * Unknown keys are kept and warned about; a wrong type is refused.
 */
import * as z from 'zod';
import { ID_META, isTaskId } from './id.ts';

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

export const durationSchema = z
  .string()
  .refine((text) => durationMs(text) !== undefined, 'a duration such as 90s, 10m or 1h')
  // For the JSON Schema, which cannot say: at most seven days.
  .meta({ pattern: DURATION_PATTERN.source, not: { pattern: '^0*[a-z]' } });
const text = z.string().max(2000);
const name = z.string().min(1).max(128);
/** Joined into paths later: anything but an id could lead out of the folders of tasks. */
const taskId = z.string().refine(isTaskId, 'the id of a task').meta(ID_META);
const count = z.int().min(0).max(100);
/** A list, or one entry written without the dash. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(500), item.transform((one) => [one])]);

const verifyEntry = z.union([
  z.string().min(1).max(2000),
  z
    .record(z.string(), z.union([z.string().max(2000), z.boolean(), z.null()]))
    .refine((map) => Object.keys(map).length === 1, 'a mapping with exactly one key')
    .meta({ minProperties: 1, maxProperties: 1 }),
]);

/** Every key that the runner knows. The order is the order in which `new` writes them. */
export const contractHeadSchema = z.strictObject({
  v: z.literal(1).default(1),
  id: z.string().optional(),
  title: text.optional(),
  type: z.enum(CONTRACT_TYPES).default('task'),
  agent: name.optional(),
  squad: name.optional(),
  category: name.optional(),
  workflow: name.optional(),
  phase: name.optional(),
  plan: name.optional(),
  wave: z.union([z.int().min(0).max(10_000), name]).optional(),
  parent: taskId.optional(),
  priority: z.enum(PRIORITIES).default('medium'),
  created: text.optional(),
  delegated_by: text.optional(),
  depends_on: listOf(taskId).default([]),
  context_files: listOf(text).default([]),
  context_from: listOf(taskId).default([]),
  deliverables: listOf(text).default([]),
  verify: z
    .union([z.array(verifyEntry).max(100), verifyEntry.transform((one) => [one])])
    .default([]),
  quality_gate: listOf(name).default([]),
  skills: listOf(name).default([]),
  write: listOf(text).optional(),
  retries_max: count.optional(),
  questions_max: count.optional(),
  reviews_max: count.optional(),
  timeout: durationSchema.optional(),
  complexity: z.enum(['low', 'medium', 'high']).default('medium'),
  isolation: z.enum(['shared', 'worktree']).optional(),
  sandbox: z.enum(['auto', 'bwrap', 'none']).optional(),
  rerun: z.enum(['auto', 'ask']).optional(),
  adapter: name.optional(),
  model: name.optional(),
  tags: listOf(name).default([]),
});

export type ContractHead = z.infer<typeof contractHeadSchema>;

type HeadKey = keyof typeof contractHeadSchema.shape;

const KEY_SETS_MAX = 64;
let defaults: ContractHead | undefined;
const picked = new Map<string, z.ZodType<Partial<ContractHead>>>();

function emptyHead(): ContractHead {
  const head = contractHeadSchema.parse({});
  for (const value of Object.values(head)) Object.freeze(value);
  return head;
}

/**
 * As the whole schema has it, but only the keys that are given are looked at: asking each of
 * thousands of contracts about all 33 keys costs more than reading the files.
 */
export function parseContractHead(
  given: Readonly<Record<string, unknown>>,
): z.ZodSafeParseResult<ContractHead> {
  const parsed = schemaOf(Object.keys(given)).safeParse(given);
  // The whole schema names what is wrong in its own order.
  if (!parsed.success) return contractHeadSchema.safeParse(given);
  return { success: true, data: { ...(defaults ??= emptyHead()), ...parsed.data } };
}

function schemaOf(keys: readonly string[]): z.ZodType<Partial<ContractHead>> {
  const name = keys.join(' ');
  const known = picked.get(name);
  if (known !== undefined) return known;
  const { shape } = contractHeadSchema;
  if (picked.size >= KEY_SETS_MAX || !keys.every((key) => Object.hasOwn(shape, key))) {
    return contractHeadSchema;
  }
  const entries = keys.map((key) => [key, shape[key as HeadKey]]);
  const made = z.strictObject(Object.fromEntries(entries) as Partial<typeof shape>);
  picked.set(name, made as z.ZodType<Partial<ContractHead>>);
  return made as z.ZodType<Partial<ContractHead>>;
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
