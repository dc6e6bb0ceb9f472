/**
 * SQUAD.yaml, key by key: the names that are in use, with agents as a map or as a list. Keys that are
 * not here are kept and told. What its agents may be is the agents' own shape; a squad reads it from
 * several dialects, so that here only what an editor should complete is said of them.
 */
import * as z from 'zod/mini';
import { ARTICLE_NUMBERS, ARTICLE_WORDS } from './constitution.ts';
import { lazily } from '../../task/core/base/lazy.ts';
import { agentConfigSchema } from '../../task/core/model/policy.ts';

const text = lazily(() => z.string().check(z.maxLength(2000)));
const long = lazily(() => z.string().check(z.maxLength(60_000)));
const name = lazily(() => z.string().check(z.minLength(1), z.maxLength(128)));
const names = lazily(() => z.array(name()).check(z.maxLength(200)));
const globs = lazily(() => z.array(z.string().check(z.minLength(1), z.maxLength(200))));
const nameOrNames = lazily(() => z.union([name(), names()]));

/** An agent of a squad; every key of an agent's own file as well. */
const agentEntry = lazily(() =>
  z.looseObject({
    ...z.partial(agentConfigSchema()).shape,
    /** In a list: who it is. */
    name: z.optional(name()),
    /** Its instructions, here or in a file of the squad's folder. */
    prompt: z.optional(long()),
    prompt_file: z.optional(text()),
    // What it may write; the deliverables of plans where left out.
    write_paths: z.optional(z.union([name(), globs()])),
    write: z.optional(z.union([name(), globs()])),
    create: z.optional(z.union([name(), globs()])),
    delete: z.optional(z.union([name(), globs()])),
    append: z.optional(z.union([name(), globs()])),
    /** Gives work to the others of the squad. */
    is_chief: z.optional(z.boolean()),
    /** Models that are tried after `model`. */
    fallback: z.optional(nameOrNames()),
    skills: z.optional(nameOrNames()),
    tools: z.optional(z.union([name(), names(), z.record(z.string(), z.boolean())])),
    delegates_to: z.optional(nameOrNames()),
    tags: z.optional(nameOrNames()),
    mode: z.optional(text()),
    temperature: z.optional(z.number()),
  }),
);

const agents = lazily(() =>
  z.union([
    z.array(z.union([name(), agentEntry()])).check(z.maxLength(200)),
    z.record(z.string(), z.union([agentEntry(), z.null()])),
  ]),
);

export const categoryEntrySchema = lazily(() =>
  z.looseObject({
    description: z.optional(text()),
    agent: z.optional(name()),
    reviewer: z.optional(name()),
    model: z.optional(name()),
    models: z.optional(names()),
    fallback: z.optional(nameOrNames()),
  }),
);

const checkEntry = lazily(() =>
  z.union([long(), z.record(z.string(), z.union([text(), z.boolean(), z.null()]))]),
);

/** The squad without agents, categories and checks, of which one that is wrong is left out alone. */
const ownKeys = lazily(() => {
  const { retries_max, questions_max, reviews_max, timeout, cost_max, tokens_max } =
    agentConfigSchema().shape;
  const { children_max, depth_max } = agentConfigSchema().shape;
  return {
    v: z.optional(z.literal(1)),
    /** As its folder is called. */
    name: z.optional(name()),
    /** The squad from which it takes what it does not have itself. */
    extends: z.optional(name()),
    description: z.optional(text()),
    version: z.optional(z.union([text(), z.number()])),
    tags: z.optional(nameOrNames()),
    /** Who gives work to the others; else the agent that says is_chief. */
    chief: z.optional(name()),
    default_executor: z.optional(name()),
    default_reviewer: z.optional(name()),
    contract_type: z.optional(text()),
    /** How a plan for this squad is written: `development` has stories, documents first; `task` has not. */
    plan_type: z._default(z.enum(['development', 'task']), 'development'),
    /** With {{title}} and {{tasks}}, or {title} and {tasks}. */
    plan_template: z.optional(long()),
    checkpoint_mode: z._default(z.enum(['interactive', 'auto']), 'interactive'),
    /** Work without a reviewer of its own is reviewed by `default_reviewer`. */
    quality_gates: z._default(z.boolean(), true),
    story_driven: z._default(z.boolean(), true),
    /** How work that names no verifier is verified. */
    verification: z._default(z.union([name(), z.looseObject({ type: name() })]), 'lsp_build_test'),
    skills: z.optional(nameOrNames()),
    articles: z.optional(
      z.partialRecord(z.enum(ARTICLE_NUMBERS as [string, ...string[]]), z.enum(ARTICLE_WORDS)),
    ),
    retries_max,
    questions_max,
    reviews_max,
    timeout,
    cost_max,
    tokens_max,
    children_max,
    depth_max,
  };
});

export const squadOwnSchema = lazily(() => z.looseObject(ownKeys()));
export type SquadOwn = z.infer<ReturnType<typeof squadOwnSchema>>;

/** The whole, as editors are told it. */
export const squadSchema = lazily(() =>
  z.looseObject({
    ...ownKeys(),
    agents: z.optional(agents()),
    categories: z.optional(z.record(z.string(), categoryEntrySchema())),
    /** Verifiers of the squad: a name, and entries as under `verify:` of a contract. */
    checks: z.optional(
      z.record(z.string(), z.union([checkEntry(), z.array(checkEntry()).check(z.maxLength(50))])),
    ),
  }),
);
