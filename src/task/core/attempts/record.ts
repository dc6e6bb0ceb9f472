/**
 * The runner's own files inside an attempt, as data: owner.md, agent.md, exit.md, outcome.md,
 * lease.md, receipts.md (docs/protocol.md#the-files-of-an-attempt). Flat where people look; strict,
 * because only we write them: a record that does not fit is treated as absent and reported, never
 * guessed.
 */
import * as z from 'zod/mini';
import { CLIENT_ERRORS } from './client-report.ts';
import { OUTCOME_CODES } from './outcome-codes.ts';
import { lazily, objectOf } from '../base/lazy.ts';

export const ATTEMPT_KINDS = ['work', 'review', 'ask'] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

export const OWNER_KINDS = ['process', 'host', 'person'] as const;

export const WORK_OUTCOMES = [
  'complete',
  'failed',
  'blocked',
  'questions',
  'delegated',
  'timed_out',
  'stalled',
  'crashed',
  'violated',
  'stale',
  'interrupted',
] as const;
export const REVIEW_OUTCOMES = [
  'approved',
  'needs_work',
  'reject',
  'unverified',
  'awaits_person',
  'stale',
  'interrupted',
] as const;
export type WorkOutcome = (typeof WORK_OUTCOMES)[number];
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];
/** How a round of questions ended: `asked` is any end without questions. */
export const ASK_OUTCOMES = ['questions', 'asked', 'interrupted'] as const;
export type AskOutcome = (typeof ASK_OUTCOMES)[number];
export type OutcomeName = WorkOutcome | ReviewOutcome | AskOutcome;
export const OUTCOME_NAMES = [
  ...new Set<OutcomeName>([...WORK_OUTCOMES, ...REVIEW_OUTCOMES, ...ASK_OUTCOMES]),
];

/** Waits and ages are counted from it. */
const instant = () => z.string().check(z.refine(isInstant, 'expected a time in ISO 8601'));
const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** A process on a machine, distinguished from a later one with the same pid. */
export const processRefSchema = objectOf(() => ({
  pid: z.int(),
  /** Opaque: clock ticks since boot on Linux, a UTC date elsewhere. */
  start: z.string(),
  boot: z.string(),
  /** `readlink /proc/self/ns/pid`; empty where there is none. */
  pid_ns: z.string(),
  host: z.string(),
  /** /etc/machine-id; empty where there is none. */
  machine: z.string(),
}));

export const ownerSchema = lazily(() =>
  z.extend(processRefSchema(), {
    v: z.literal(1),
    task: z.string(),
    attempt: z.int(),
    kind: z.enum(ATTEMPT_KINDS),
    /** State in which a round of questions began, and to which it leads back. */
    from: z.optional(z.enum(['draft', 'ready'])),
    owner: z.enum(OWNER_KINDS),
    /** The executor, or the gate of a review; empty when no agent is called. */
    agent: z.string(),
    nonce: z.string(),
    /** Highest committed attempt when this one was claimed; a recovery keeps the base of the dead. */
    base: z.int(),
    claimed: z.string(),
    /** sha256 of contract.md at the claim. */
    contract: z.string(),
    /** sha256 over contract, answers, findings, resolution and notes at the claim. */
    inputs: z.string(),
    /** `<sha256 or absent> <path>` for each deliverable at the claim; `glob <pattern>` for a pattern. */
    baseline: z._default(z.array(z.string()), []),
  }),
);
export type OwnerRecord = z.infer<ReturnType<typeof ownerSchema>>;

/** anew.md: which decision of which checkpoint sent the task to review again. */
export const anewSchema = lazily(() =>
  z.object({ v: z.literal(1), checkpoint: z.string(), decision: z.string() }),
);

export const agentSchema = lazily(() =>
  z.extend(processRefSchema(), {
    v: z.literal(1),
    /** Name of the executor or reviewer, or of the check. */
    role: z.string(),
    adapter: z.string(),
    /** Value of CONTRACTS_MARK in the environment of everything that this start started. */
    mark: z.string(),
    started: z.string(),
    timeout_ms: z.nullable(z.number()),
    deadline: z.nullable(z.string()),
    /** Confinements, for a runner that takes it over; absent where there was none. */
    enforced: z.optional(z.array(z.string())),
    /** The model of the call, where one was named. */
    model: z.optional(z.string()),
    /** In a sandbox: what it could write, and what below that it could not. */
    writes: z.optional(z.array(z.string())),
    shut: z.optional(z.array(z.string())),
  }),
);
export type AgentRecord = z.infer<ReturnType<typeof agentSchema>>;

export const exitSchema = lazily(() => z.object({ exit_code: z.int(), ended: z.string() }));
export type ExitRecord = z.infer<ReturnType<typeof exitSchema>>;

export const outcomeSchema = objectOf(() => ({
  v: z.literal(1),
  attempt: z.int(),
  kind: z.enum(ATTEMPT_KINDS),
  outcome: z.enum(OUTCOME_NAMES),
  /** Absent in records of earlier versions. */
  code: z.optional(z.enum(OUTCOME_CODES)),
  reason: z.string(),
  at: instant(),
  /** Seconds from the start of the agent to its end; whole ones where its runner died before that. */
  seconds: z.optional(z.number()),
  agent: z.optional(z.string()),
  adapter: z.optional(z.string()),
  exit_code: z.optional(z.int()),
  signal: z.optional(z.string()),
  /** The client's session, to be resumed by the next attempt. */
  session: z.optional(z.string()),
  /** The gate that spoke in this review. */
  gate: z.optional(z.string()),
  /** The attempt whose result was taken over after a crash. */
  adopted: z.optional(z.int()),
  /** A reviewer that ended without a verdict. */
  no_verdict: z.optional(z.boolean()),
  /** Enforcements of permissions that were really in force. */
  enforced: z._default(z.array(z.string()), ['nothing']),
  /** Files of the workspace that changed while the agent ran; by whom is not known. */
  changed: z._default(z.array(z.string()), []),
  /** Files of `changed` that were not there before, where no git tree and no commit keeps that. */
  created: z.optional(z.array(z.string())),
  /** Deliverables that a claim had found, and that were not there when it ended. */
  gone: z.optional(z.array(z.string())),
  /** Changes outside its permissions, a line each: they made the outcome `violated`. */
  violations: z.optional(z.array(z.string())),
  /** Changes outside its permissions that somebody else may have made while it ran. */
  noticed: z.optional(z.array(z.string())),
  /** Refusals of a hook, a permission or the client while it ran. */
  denied: z.optional(z.array(z.string())),
  /** The use that the client reported; absent where it reports none. */
  input_tokens: z.optional(z.int()),
  output_tokens: z.optional(z.int()),
  cost_usd: z.optional(z.number()),
  /** The model of the call, or the one that the client reported. */
  model: z.optional(z.string()),
  /** The machine of the worker that called the agent, in that worker's words. */
  machine: z.optional(z.string()),
  /** Why the client failed, where it reported it; after `model` the next of the chain is tried. */
  error: z.optional(z.enum(CLIENT_ERRORS)),
  /** After an outage: when its limit ends, where the client reported it. */
  resets_at: z.optional(instant()),
  /**
   * Nothing was handed in. `silent`: no status was written, and the client began a session at most.
   * `same_again`: a script, which changed nothing that it works on; of a review, a check that failed as
   * before, so that another attempt can only end the same way.
   */
  no_result: z.optional(z.enum(['silent', 'working', 'same_again'])),
  /** With `isolation: worktree`: the branch, and what of it the runner verified last. */
  branch: z.optional(z.string()),
  commit: z.optional(z.string()),
  /** In the shared tree of a git repository: git trees of all files at the claim and at the end. */
  trees: z.optional(z.array(z.string())),
  /** Tasks that were worked on there at the same time. */
  beside: z.optional(z.array(z.string())),
  /** Processes that the agent left running and that were ended. */
  left_behind: z.optional(z.int()),
}));
export type OutcomeRecord = z.infer<ReturnType<typeof outcomeSchema>>;

/** ground.md: where the agent of an attempt with `isolation: worktree` works, written before it starts. */
export const workdirSchema = objectOf(() => ({
  v: z.literal(1),
  branch: z.string(),
  /** The commit that it began with: what it did is what differs from that. */
  base: z.string(),
  /** The commit whose changes stand in conflict with its own there, for it to settle. */
  merging: z.optional(z.string()),
  /** The files that hold git's marks of it. */
  files: z._default(z.array(z.string()), []),
}));
export type WorkdirRecord = z.infer<ReturnType<typeof workdirSchema>>;

/** clash.md: two sides that do not go together, in the attempt that came last before it was found. */
export const conflictSchema = objectOf(() => ({
  v: z.literal(1),
  /** Branches, or what else names the sides. */
  ours: z.string(),
  theirs: z.string(),
  /** `theirs` is the main checkout: the next attempt joins that as it is then. */
  main: z.boolean(),
  files: z.array(z.string()),
  /** Tasks whose commits changed these files on the other side. */
  tasks: z._default(z.array(z.string()), []),
}));
export type ConflictRecord = z.infer<ReturnType<typeof conflictSchema>>;

export const receiptSchema = objectOf(() => ({
  check: z.string(),
  passed: z.boolean(),
  /** null when no program was run. */
  exit_code: z.nullable(z.int()),
  at: z.string(),
  ms: z.number(),
  reason: z.string(),
  output: z._default(z.string(), ''),
  /** True if the first call found the same result: a pass then proves nothing new. */
  as_before: z.optional(z.boolean()),
}));
export type Receipt = z.infer<ReturnType<typeof receiptSchema>>;

/** A deliverable as it was when it was verified. */
export const deliveredSchema = objectOf(() => ({
  path: z.string(),
  bytes: z.int(),
  /** Absent for a file that is too large to be hashed. */
  sha256: z.optional(z.string()),
}));
export type Delivered = z.infer<ReturnType<typeof deliveredSchema>>;

export const receiptsSchema = objectOf(() => ({
  v: z.literal(1),
  /** sha256 of contract.md. */
  contract: z.string(),
  /** Fingerprint of the workspace that the checks ran on; empty when it is too large to take. */
  tree: z.string(),
  tests_changed: z._default(z.array(z.string()), []),
  /** Files and folders (with a slash) in its worktree that git ignored when the checks began. */
  ignored: z._default(z.array(z.string()), []),
  /** An empty list is left out when it is written. */
  receipts: z._default(z.array(receiptSchema()), []),
  deliverables: z._default(z.array(deliveredSchema()), []),
}));
export type ReceiptsRecord = z.infer<ReturnType<typeof receiptsSchema>>;

/** archived.md at the top of a task in the archive: what it was when it was put there. */
export const archivedSchema = objectOf(() => ({
  v: z.literal(1),
  task: z.string(),
  state: z.enum(['done', 'aborted']),
  /** The highest attempt then; with a later one this record is of an earlier time. */
  attempt: z.int(),
  at: z.string(),
}));

/** An attempt as its folder has it. */
export interface Attempt {
  readonly number: number;
  /** Fenced: its owner died or was overtaken. A lost attempt counts for nothing. */
  readonly lost: boolean;
  readonly kind: AttemptKind;
  readonly owner: OwnerRecord | undefined;
  readonly agent: AgentRecord | undefined;
  /** The check that was started last. */
  readonly check: AgentRecord | undefined;
  readonly exit: ExitRecord | undefined;
  readonly outcome: OutcomeRecord | undefined;
  /** lease.md is there: the owner has not finished rolling the outcome forward. */
  readonly leased: boolean;
  /** True if it holds a blocked.md: the task was blocked, and resolved before this attempt. */
  readonly blocked: boolean;
  /** Approved, and sent to review again after that by a checkpoint: it holds an anew.md. */
  readonly anew: boolean;
  /** True if it asked, and its questions are gone: it counts as interrupted. */
  readonly unasked?: true;
}

export function attemptName(number: number): string {
  return String(number).padStart(4, '0');
}
