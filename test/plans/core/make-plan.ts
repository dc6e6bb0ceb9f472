/** Plans and what is around them, made by hand: what is not named is empty. */
import { createHash } from 'node:crypto';
import type { PlanAround } from '../../../src/plans/core/plan-draft.ts';
import type { PlanDocument, PlanItem } from '../../../src/plans/core/plan-document.ts';
import type { Squad } from '../../../src/squads/core/squad.ts';

export function item(key: string, more: Partial<PlanItem> = {}): PlanItem {
  return {
    key,
    number: 1,
    kind: 'task',
    title: key,
    box: { line: 1, offset: 0, meaning: 'open' },
    keys: {},
    executors: [],
    reviewers: [],
    verify: [],
    depends: [],
    context_from: [],
    skills: [],
    tags: [],
    deliverables: [],
    context_files: [],
    paths: [],
    criteria: [],
    text: '',
    ...more,
  };
}

/** Items are numbered, and each stands two lines below the one before. */
export function planOf(items: readonly PlanItem[], more: Partial<PlanDocument> = {}): PlanDocument {
  const placed = items.map((one, i) => ({
    ...one,
    number: i + 1,
    box: { ...one.box, line: 2 * i + 3 },
  }));
  const numbers = [...new Set(items.flatMap(({ wave }) => wave ?? []))].sort((a, b) => a - b);
  const waves = numbers.map((number) => ({ number, title: `Wave ${number}`, line: 1 }));
  const none = { criteria: [], boxes: [], warnings: [] };
  return { title: 'A plan', objective: '', waves, ...none, items: placed, ...more };
}

export function squadOf(name: string, agents: readonly string[], more: Partial<Squad> = {}): Squad {
  return {
    name,
    description: '',
    source: 'project',
    file: `.contracts/squads/${name}/SQUAD.yaml`,
    folder: `/squads/${name}`,
    tags: [],
    agents: agents.map((one) => ({ name: one, full: `${name}/${one}`, is_chief: false })),
    categories: new Map(),
    contract_type: 'task',
    plan_type: 'task',
    checkpoint_mode: 'interactive',
    quality_gates: false,
    story_driven: false,
    verification: 'checklist',
    checks: new Map(),
    skills: [],
    articles: [],
    ...more,
  };
}

export interface Surroundings extends Partial<Omit<PlanAround, 'squad' | 'squads' | 'agents'>> {
  readonly names?: readonly string[];
  readonly teams?: readonly Squad[];
  readonly tasks?: readonly string[];
}

export function around({ names, teams = [], tasks = [], ...more }: Surroundings = {}): PlanAround {
  const known = names ?? ['dev', 'qa', 'po', 'builder', 'human', 'analyst'];
  return {
    plan: 'launch',
    file: '.contracts/plans/launch/plan.md',
    hash: (...parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    squad: (name) => teams.find((one) => one.name === name),
    squads: () => teams.map(({ name }) => name),
    squadProblem: () => undefined,
    agent: (name) => {
      const members = teams.flatMap(({ agents }) => agents.map(({ full }) => full));
      return [...known, ...members].find((one) => one === name);
    },
    agents: () => known,
    mayCreate: () => true,
    writes: () => ['**'],
    categories: new Map(),
    checks: new Map(),
    detected: (name) => (name === 'tests' ? ['run: npm test'] : undefined),
    isTask: (id) => tasks.includes(id),
    ...more,
  };
}
