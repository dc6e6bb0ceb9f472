/** The shape of SQUAD.yaml. Agents have their own shape; here is only what editors complete. */
import * as z from 'zod/mini';
import { ARTICLE_NUMBERS, ARTICLE_WORDS } from './constitution.ts';
import { lazily } from '../../task/core/base/lazy.ts';
import { name } from '../../task/core/model/contract-shape.ts';
import { agentConfigSchema, globs } from '../../task/core/model/policy.ts';

const text = lazily(() => z.string().check(z.maxLength(2000)));
const long = lazily(() => z.string().check(z.maxLength(60_000)));
const names = lazily(() => z.array(name()).check(z.maxLength(200)));
const nameOrNames = lazily(() => z.union([name(), names()]));
/** A list, one name, or several with commas. */
const listed = lazily(() =>
  z.pipe(
    z.optional(nameOrNames()),
    z.transform((value: string | string[] | undefined) => listOf(value)),
  ),
);
const member = lazily(() => z.pipe(z.optional(name()), z.transform(calledAs)));
/** Limits of agents that a squad can set for all its work. */
const limits = lazily(
  () =>
    z.pick(agentConfigSchema(), {
      retries_max: true,
      questions_max: true,
      reviews_max: true,
      timeout: true,
      cost_max: true,
      tokens_max: true,
      children_max: true,
      depth_max: true,
    }).shape,
);

function listOf(value: string | readonly string[] = []): readonly string[] {
  const given = typeof value === 'string' ? value.split(',') : value;
  return given.map((one) => one.trim()).filter((one) => one !== '');
}

/** With or without @; undefined where it is empty. */
function calledAs(value: string | undefined): string | undefined {
  return value?.trim().replace(/^@/, '') || undefined;
}

/** Includes every key of an agent's own file. */
const agentEntry = lazily(() =>
  z.looseObject({
    ...z.partial(agentConfigSchema()).shape,
    /** In a list. */
    name: z.optional(name()),
    /** Its instructions, here or in a file of the squad's folder. */
    prompt: z.optional(long()),
    prompt_file: z.optional(text()),
    // Default: the deliverables of plans.
    write_paths: z.optional(z.union([name(), globs()])),
    write: z.optional(z.union([name(), globs()])),
    create: z.optional(z.union([name(), globs()])),
    delete: z.optional(z.union([name(), globs()])),
    append: z.optional(z.union([name(), globs()])),
    /** True if it gives work to the others of the squad. */
    is_chief: z.optional(z.boolean()),
    /** Models to try after `model`. */
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

export const categorySchema = lazily(() =>
  z.pipe(
    z.looseObject({
      description: z.optional(text()),
      agent: z.optional(name()),
      reviewer: z.optional(name()),
      model: z.optional(name()),
      models: z.optional(names()),
      fallback: z.optional(nameOrNames()),
    }),
    z.transform(({ description, agent, reviewer, model, models, fallback }) => ({
      description,
      agent: agent?.replace(/^@/, ''),
      reviewer: reviewer?.replace(/^@/, ''),
      model,
      models: models ?? (fallback === undefined ? undefined : listOf(fallback)),
    })),
  ),
);
export type SquadCategory = Readonly<Partial<z.output<ReturnType<typeof categorySchema>>>>;

const checkEntry = lazily(() =>
  z.union([long(), z.record(z.string(), z.union([text(), z.boolean(), z.null()]))]),
);

/** Agents, categories and checks are read one by one, so that one error leaves out only one. */
const ownKeys = lazily(() => ({
  v: z.optional(z.literal(1)),
  /** Name of its folder. */
  name: z.optional(name()),
  /** The squad that gives what this one leaves open. */
  extends: z.optional(name()),
  description: z.pipe(
    z.optional(text()),
    z.transform((value = '') => value.replace(/\s+/g, ' ').trim()),
  ),
  version: z.pipe(
    z.optional(z.union([text(), z.number()])),
    z.transform((value) => value?.toString()),
  ),
  tags: listed(),
  /** Default: the agent with is_chief. */
  chief: member(),
  default_executor: member(),
  default_reviewer: member(),
  contract_type: z.optional(text()),
  /** `development` has stories and begins with documents; `task` has neither. */
  plan_type: z._default(z.enum(['development', 'task']), 'development'),
  /** With {{title}} and {{tasks}}, or {title} and {tasks}. */
  plan_template: z.optional(long()),
  checkpoint_mode: z._default(z.enum(['interactive', 'auto']), 'interactive'),
  /** Work without a reviewer goes to `default_reviewer`. */
  quality_gates: z._default(z.boolean(), true),
  story_driven: z._default(z.boolean(), true),
  /** How work that names no verifier is verified: `lsp_build_test`, `file_exists`, … */
  verification: z.pipe(
    z._default(z.union([name(), z.looseObject({ type: name() })]), 'lsp_build_test'),
    z.transform((value) => (typeof value === 'string' ? value : value.type)),
  ),
  skills: listed(),
  /** `before`: a plan that starts asks for the questions of work of this squad first. */
  ask: z.optional(z.enum(['off', 'before'])),
  articles: z.optional(
    z.partialRecord(z.enum(ARTICLE_NUMBERS as [string, ...string[]]), z.enum(ARTICLE_WORDS)),
  ),
  ...limits(),
}));

/** Drops unknown keys. */
export const squadOwnSchema = lazily(() => z.object(ownKeys()));
export type SquadOwn = Readonly<z.output<ReturnType<typeof squadOwnSchema>>>;

/** For work where neither contract nor agent sets a limit. */
export const squadLimits = lazily(() => z.object(limits()));
export type SquadLimits = Readonly<z.output<ReturnType<typeof squadLimits>>>;

/** For editors. */
export const squadSchema = lazily(() =>
  z.looseObject({
    ...ownKeys(),
    agents: z.optional(agents()),
    categories: z.optional(z.record(z.string(), categorySchema())),
    /** Name of a check, and its entries as under `verify:` of a contract. */
    checks: z.optional(
      z.record(z.string(), z.union([checkEntry(), z.array(checkEntry()).check(z.maxLength(50))])),
    ),
  }),
);
