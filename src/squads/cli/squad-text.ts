/** Prints squads: a line of the list, and all about one. */
import type { SquadRow, SquadStory } from '../engine/list-squads.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { factLines, groupLines } from '../../cli/output/catalog-text.ts';
import { dataOf } from '../../cli/output/output.ts';
import { wrap, type Column } from '../../cli/output/text-width.ts';
import type { lines } from '../core/squad-lines.ts';

export const squadData = dataOf<typeof lines>();

const SHAPES: readonly Column[] = [{ least: 12 }, { least: 20 }];

export function squadLines(rows: readonly SquadRow[], limit: number): string[] {
  const cellsOf = ({ name, usable, why, description }: SquadRow): string[] => [
    escapeText(name),
    escapeText(usable ? description : `cannot be used: ${why}`),
  ];
  const lines = groupLines(rows, cellsOf, SHAPES, limit);
  return [...lines, '', 'More about one: contracts squad show NAME'];
}

export function squadStoryLines(story: SquadStory, limit: number): string[] {
  const lines = factLines(story, factsOf(story), limit);
  const categories = story.categories.map((one) => categoryWords(one, story));
  const checks = story.checks.map(({ name, entries }) => `${name}: ${entries.join('; ')}`);
  const workflows = story.workflows.map(({ file, description }) =>
    description === '' ? file : `${file}: ${description}`,
  );
  return [
    ...lines,
    ...listed('Categories', categories, limit),
    ...listed('Checks', checks, limit),
    ...listed('Workflows, to be read', workflows, limit),
  ];
}

function categoryWords(
  { name, agent, reviewer, description }: SquadStory['categories'][number],
  story: SquadStory,
): string {
  const by = reviewer === '' ? '' : `reviewed by ${marked(reviewer, story)}`;
  const who = [marked(agent, story), by].filter(Boolean).join(', ');
  return `${name}${who === '' ? '' : ` (${who})`}${description === '' ? '' : `: ${description}`}`;
}

function marked(name: string, { unknown }: SquadStory): string {
  return unknown.includes(name) ? `${name} (unknown)` : name;
}

function listed(heading: string, entries: readonly string[], limit: number): string[] {
  if (entries.length === 0) return [];
  return ['', heading, ...entries.flatMap((one) => wrap(`  ${escapeText(one)}`, limit, 4))];
}

function factsOf(story: SquadStory): readonly (readonly [string, string])[] {
  const { plan_type, checkpoint_mode, story_driven, quality_gates } = story;
  const gates = quality_gates
    ? `by ${marked(story.default_reviewer || 'qa', story)}`
    : 'only on request';
  return [
    ['from', `${story.file} (${story.source})`],
    ['version', story.version],
    ['agents', story.agents.map((one) => marked(one, story)).join(', ')],
    ['chief', marked(story.chief, story)],
    [
      'work',
      `by ${marked(story.default_executor || 'the default agent', story)}, as ${story.contract_type}`,
    ],
    ['reviewed', gates],
    ['verified', story.verification],
    ['plans', `${plan_type}${story_driven ? ', by stories' : ''}; checkpoints ${checkpoint_mode}`],
    ['skills', story.skills.map((one) => marked(one, story)).join(', ')],
    ['articles', story.articles.map(({ number, strength }) => `${number} ${strength}`).join(', ')],
    ['documents', story.documents.join(', ')],
    ['tags', story.tags.join(', ')],
  ];
}
