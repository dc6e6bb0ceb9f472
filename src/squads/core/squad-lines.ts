/** The shapes of the lines of `squad`, and of SQUAD.yaml. */
import * as z from 'zod';
import { STRENGTHS } from '../../task/core/model/permissions.ts';
import { ARTICLE_NUMBERS } from './constitution.ts';
import { CONTRACT_TYPES } from '../../task/core/model/contract-shape.ts';
import { line, path, problems, text } from '../../task/core/lines/line-parts.ts';
import type { DataOf, LineOf } from '../../task/core/lines/line-types.ts';
import { squadSchema } from './squad-schema.ts';

const facts = {
  name: text,
  source: z.enum(['built-in', 'user', 'project']),
  file: text.describe('its SQUAD.yaml'),
  description: text,
  usable: z
    .boolean()
    .describe('false: it cannot be read; of the rest only its name and place are known'),
  why: text.describe('why it cannot be used, or the first thing that is wrong with it; else empty'),
  agents: z.array(text).describe('by the names that contracts use'),
  chief: text.describe('empty: none'),
};

export const lines = [
  line('squad', 'squad list: one of them', { ...facts }),
  line('squad_choice', 'squad list --for: the squad that words point to', {
    name: text,
    how: z.enum(['explicit', 'inferred', 'default']),
    confidence: z.number().describe('0 to 1'),
    why: text,
  }),
  line('squad_story', 'squad show', {
    ...facts,
    folder: text.describe('that it is in, absolute'),
    version: text,
    tags: z.array(text),
    default_executor: text.describe('empty: the default agent'),
    default_reviewer: text.describe('empty: qa'),
    contract_type: z.enum(CONTRACT_TYPES),
    plan_type: z.enum(['development', 'task']),
    checkpoint_mode: z.enum(['interactive', 'auto']),
    quality_gates: z.boolean(),
    story_driven: z.boolean(),
    verification: text,
    categories: z.array(
      z.strictObject({ name: text, description: text, agent: text, reviewer: text, model: text }),
    ),
    checks: z.array(z.strictObject({ name: text, entries: z.array(text) })),
    skills: z.array(text),
    articles: z.array(
      z.strictObject({
        number: z.enum(ARTICLE_NUMBERS as [string, ...string[]]),
        title: text,
        strength: z.enum(STRENGTHS),
      }),
    ),
    documents: z.array(text).describe('tasks, templates, checklists, workflows, in its folder'),
    workflows: z
      .array(z.strictObject({ file: text, description: text }))
      .describe('for agents and people to read; the runner ignores them'),
    plan_template: text,
    unknown: z.array(text).describe('agents and skills that it names and that do not exist'),
    problems,
  }),
  line('squads_checked', 'squad check', { squads: z.array(text), problems }),
  line('squad_made', 'squad new', { name: text, made: z.array(path) }),
] as const;

export const files = { squad: { shape: squadSchema(), title: 'SQUAD.yaml of a squad' } };

export type SquadLine = LineOf<typeof lines>;
export type SquadData<E extends SquadLine['event']> = DataOf<typeof lines, E>;
