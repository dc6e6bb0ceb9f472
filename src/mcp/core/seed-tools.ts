/**
 * Tools under other systems' names, with their inputs and outputs, for hosts that were written for them: each is one
 * call of a verb, or one for each of several tasks. What they make is a draft that a person confirms.
 */
import * as z from 'zod';
import type { Fields } from '../../task/core/base/json.ts';
import { newWords } from './new-task.ts';
import type { Tool } from './tools.ts';

const text = z.string();
const words = z.array(text);

export interface SeedTool extends Tool {
  readonly group: (typeof GROUPS)[number];
  /** Ids of tasks that it changes: of a confirmed one, what a person agreed to would change. */
  readonly drafts?: (given: never) => readonly string[];
  /** Command lines for what was given. */
  readonly words: (given: never) => readonly (readonly string[])[];
  /** Its output, of the lines that each of them printed. */
  readonly shape: (lines: readonly (readonly Fields[])[], given: never) => object;
}

export const GROUPS = ['teams', 'skills', 'memory', 'plans'] as const;

const lineOf = (lines: readonly Fields[] = [], ...events: readonly string[]): Fields =>
  lines.find(({ event }) => events.includes(String(event))) ?? {};
const made = (lines: readonly Fields[] = []) => lineOf(lines, 'created')['id'];
const bare = (line: Fields): Fields =>
  Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'v' && key !== 'event'));

const skilled = z.strictObject({ skill: text, agent: text, prompt: text });
type Skilled = z.infer<typeof skilled>;
const newFor = ({ skill, agent, prompt }: Skilled) =>
  newWords({ title: prompt, agent: `${skill}/${agent}` });
const update = z.strictObject({
  taskId: text,
  owner: text.optional(),
  addBlockedBy: words.optional(),
  addBlocks: words.optional(),
});
type Update = z.infer<typeof update>;
const stored = z.strictObject({
  information: text,
  type: text.optional(),
  entities: words.optional(),
  tags: text.optional(),
});

const SEED_TOOLS: Readonly<Record<string, SeedTool>> = {
  'task-create': {
    group: 'teams',
    description: 'Draft a task.',
    input: z.strictObject({
      subject: text,
      description: text.optional(),
      owner: text.optional(),
      blockedBy: words.optional(),
    }),
    words: ({ subject, description, owner, blockedBy }: Readonly<Record<string, never>>) => [
      newWords({
        title: description === undefined ? subject : `${subject}: ${String(description)}`,
        agent: owner,
        depends_on: blockedBy,
      }),
    ],
    shape: ([lines]) => ({
      id: made(lines),
      next: `A person types: contracts confirm ${made(lines)}`,
    }),
  },
  'task-update': {
    group: 'teams',
    description: 'Change owner or order of a draft.',
    input: update,
    drafts: ({ taskId, addBlocks = [] }: Update) => [taskId, ...addBlocks],
    words: ({ taskId, owner, addBlockedBy, addBlocks }: Update) => [
      [
        'edit',
        ...(owner === undefined ? [] : [`--set=agent=${owner}`]),
        ...(addBlockedBy ?? []).map((one) => `--add=depends_on=${one}`),
        ...(addBlocks ?? []).map((one) => `--add=blocks=${one}`),
        '--',
        taskId,
      ],
    ],
    shape: ([lines = []]) => ({ success: true, ...bare(lineOf(lines, 'edited')) }),
  },
  skill_list: {
    group: 'skills',
    description: 'Agents, or those of one skill.',
    input: z.strictObject({ skill: text.optional() }),
    reads: true,
    words: () => [['agents', '--all']],
    shape: ([lines = []], { skill }: { readonly skill?: string }) => ({
      agents: lines
        .filter(({ event, name }) => event === 'agent' && isOf(String(name), skill))
        .map(({ name, description, model }) => ({ name, description, model })),
    }),
  },
  skill_agent: {
    group: 'skills',
    description: 'Draft a task for an agent of a skill.',
    input: z.strictObject({ skill_name: text, agent_name: text, prompt: text }),
    words: ({ skill_name, agent_name, prompt }: Readonly<Record<string, string>>) => [
      newFor({ skill: skill_name ?? '', agent: agent_name ?? '', prompt: prompt ?? '' }),
    ],
    shape: ([lines], { agent_name, prompt }: Readonly<Record<string, string>>) => ({
      success: true,
      status: 'HANDOFF_INTENT',
      metadata: { handoff: { target_agent: agent_name, prompt, task_id: made(lines) } },
      next: `A person types: contracts confirm ${made(lines)}; then delegate it`,
    }),
  },
  skill_spawn_batch: {
    group: 'skills',
    description: 'Draft several at once.',
    input: z.strictObject({ tasks: z.array(skilled).min(1).max(50) }),
    words: ({ tasks }: { readonly tasks: readonly Skilled[] }) => tasks.map(newFor),
    shape: (lines) => ({ task_ids: lines.map(made) }),
  },
  skill_gather: {
    group: 'skills',
    description: 'What of these is done.',
    input: z.strictObject({ task_ids: words.min(1).max(50) }),
    reads: true,
    words: ({ task_ids }: { readonly task_ids: readonly string[] }) =>
      task_ids.map((id) => ['show', '--', id]),
    shape: (lines) => {
      const stories = lines.map((one) => lineOf(one, 'story'));
      const isDone = ({ state }: Fields) => state === 'done' || state === 'aborted';
      const short = ({ id, state, title }: Fields) => ({ id, state, title });
      return {
        completed: stories.filter(isDone).map(short),
        pending: stories.filter((one) => !isDone(one)).map(short),
      };
    },
  },
  'memory-lane_find': {
    group: 'memory',
    description: 'Learnings that fit these words.',
    input: z.strictObject({ query: text, limit: z.int().min(1).max(50).optional() }),
    reads: true,
    words: ({ query, limit = 10 }: { readonly query: string; readonly limit?: number }) => [
      ['memory', 'find', `--limit=${limit}`, '--', query],
    ],
    shape: ([lines = []]) => ({
      memories: lines
        .filter(({ event }) => event === 'learning')
        .map(({ id, type, information, confidence }) => ({ id, type, information, confidence })),
    }),
  },
  'memory-lane_store': {
    group: 'memory',
    description: 'Keep a learning.',
    input: stored,
    // An agent's word, as the learnings of a result: what it calls a person's waits for one.
    words: ({ information, type, entities = [], tags }: z.infer<typeof stored>) => [
      [
        'memory',
        'add',
        '--by=host',
        ...(type === undefined ? [] : [`--type=${type}`]),
        ...entities.map((one) => `--entity=${one}`),
        ...(tags === undefined ? [] : [`--tag=${tags}`]),
        '--',
        information,
      ],
    ],
    shape: ([lines]) => ({ id: lineOf(lines, 'memory_changed')['id'] }),
  },
  plan_read: {
    group: 'plans',
    description: 'Items of a plan and their states.',
    input: z.strictObject({ name: text }),
    reads: true,
    words: ({ name }: { readonly name: string }) => [['plan', 'status', '--all', '--', name]],
    shape: ([lines = []]) => ({ lines: lines.map(bare) }),
  },
};

const isOf = (name: string, skill: string | undefined): boolean =>
  skill === undefined || name.startsWith(`${skill}/`);

/** Tools of these groups, with commas between, or of all; undefined for a group that is none. */
export function seedToolsOf(asked: string): readonly (readonly [string, SeedTool])[] | undefined {
  const groups = asked.split(',').map((one) => one.trim());
  const known = new Set<string>([...GROUPS, 'all']);
  if (!groups.every((one) => known.has(one))) return undefined;
  return Object.entries(SEED_TOOLS).filter(
    ([, { group }]) => groups.includes('all') || groups.includes(group),
  );
}
