/** The contract of `plan new` in words. */
import type { Squad } from '../../squads/core/squad.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';

interface Named {
  readonly name: string;
  readonly description?: string | undefined;
}

export interface PlanRequest {
  readonly request: string;
  readonly file: string;
  readonly squad: Squad;
  /** Why this squad. */
  readonly chosen: string;
  readonly agents: readonly Named[];
  readonly verifiers: readonly string[];
  /** Further squads of the request. */
  readonly also: readonly string[];
  /** Paths of the squad's own documents. */
  readonly documents: readonly string[];
  /** Other squads, which may get sections. */
  readonly squads: readonly Named[];
}

export function requirementsOf(plan: PlanRequest): string {
  const { squad } = plan;
  const categories = [...squad.categories].map(([name, one]) => ({ ...one, name }));
  return [
    `Write \`${plan.file}\`, and only what belongs to this plan. No work starts before a person starts the plan.`,
    '',
    `The request, word for word:`,
    '',
    ...plan.request.split(/\r?\n/).map((line) => `> ${line}`.trimEnd()),
    '',
    `Squad: \`${squad.name}\` (${plan.chosen}). ${oneLine(squad.description)}`,
    '',
    ...alsoOf(plan),
    ...listed('Agents', plan.agents),
    ...listed('Categories, for an item that names no executor', categories),
    ...(squad.skills.length === 0 ? [] : [`Skills: ${squad.skills.join(', ')}`, '']),
    `Verifiers: ${plan.verifiers.join(', ')}, \`@agent\` for a review, or a check of your own such as \`run: npm test\``,
    '',
    ...listed(
      `How this squad works; read what the request needs (its folder: \`contracts squad show ${squad.name} --json\`, \`folder\`)`,
      plan.documents.map((name) => ({ name })),
    ),
    ...rulesOf(squad),
    '',
    ...listed('Other squads, each with a section `## … (squad: name)` of its own', plan.squads),
    'The form:',
    '',
    ...formOf(plan),
  ].join('\n');
}

function alsoOf({ squad, also }: PlanRequest): string[] {
  if (also.length === 0) return [];
  const names = also.map((name) => `\`${name}\``).join(' and ');
  return [
    `The request also names ${names}: each has a part of the work, in a section \`## … (squad: name)\` of its own. The plan itself says \`Squad: ${squad.name}\`.`,
    '',
  ];
}

function listed(name: string, all: readonly Named[]): string[] {
  if (all.length === 0) return [];
  const rows = all.map((one) => {
    const about = oneLine(one.description ?? '');
    return `- \`${one.name}\`${about === '' ? '' : `: ${about}`}`;
  });
  return [`${name}:`, '', ...rows, ''];
}

function rulesOf(squad: Squad): string[] {
  const stories = squad.story_driven
    ? ' Its work is written as stories: each has acceptance criteria, steps, an executor and a gate.'
    : '';
  const kind =
    squad.plan_type === 'development'
      ? `The first wave makes the documents that the next ones need (requirements, architecture), the later ones build.${stories}`
      : 'Tasks alone: no stories, no documents for their own sake.';
  const { default_executor: worker, default_reviewer: judge } = squad;
  const reviewer = judge === undefined ? 'a person' : `\`${judge}\``;
  const gates = squad.quality_gates
    ? `An item that names no reviewer is reviewed by ${reviewer}; a reviewer never reviews its own work.`
    : 'An item that names no reviewer has no review, only its verifier.';
  const asked =
    squad.checkpoint_mode === 'auto'
      ? 'No decision is asked for between waves, unless the plan says `Checkpoint: interactive` or an agent.'
      : 'Between waves a person is asked, unless the plan says `Checkpoint: auto` or an agent.';
  const executor =
    worker === undefined ? '' : ` An item that names no executor is done by \`${worker}\`.`;
  return [
    'Rules:',
    '',
    `- ${kind}`,
    `- Each item becomes a contract of type ${squad.contract_type}.${executor}`,
    `- ${gates}`,
    `- ${asked}`,
    '- Two items of one wave never write the same file. An item names what it needs from another one under `depends`.',
    '- Below an item, write what its executor must know and cannot look up; write its criteria as nested boxes.',
    '- Write what you decided yourself under `## Assumptions`, without boxes.',
  ];
}

/** The squad's own form, else a complete example. */
function formOf({ squad, agents }: PlanRequest): string[] {
  const own = (squad.plan_template ?? '').trim();
  const names = agents.map(({ name }) => name);
  const known = [squad.default_executor, names[0]].filter((name) => name !== undefined);
  const [first = 'builder', second = 'builder'] = known;
  const other = names.find((name) => name !== first) ?? second;
  const type = squad.plan_type === 'development' ? '' : `Contract Type: ${squad.contract_type}\n`;
  const lines = own === '' ? exampleOf(squad.name, type, first, other) : own;
  const longest = Math.max(2, ...(lines.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  const filled =
    own === ''
      ? []
      : [
          '',
          `The squad's own form: fill in its names in braces. Items look like this: \`- [ ] **Title** (id: short, executor: @${first}, verify: file_exists, files: path, depends: other)\`; a heading \`## Wave 2: Title\` begins a wave.`,
        ];
  return [`${mark}markdown`, ...lines.split('\n'), mark, ...filled];
}

function exampleOf(squad: string, type: string, first: string, other: string): string {
  return `# Plan: Title
Squad: ${squad}
${type}
Its purpose, and how to see that it is done.

## Wave 1: Ground

- [ ] **Find out what is there** (id: ground, executor: @${first}, verify: report)
  - [ ] each source is named

## Wave 2: Work

- [ ] **Make it** (id: make, executor: @${first}, verify: file_exists, files: docs/it.md, depends: ground)
  What its executor must know.
- [ ] **Show it to those who use it** (id: show, executor: @${other}, verify: checklist, depends: make)
  - [ ] three of them have tried it

## Assumptions

- What was not said, and is taken for granted.`;
}

export function interviewOf({ file, squad }: PlanRequest): string {
  const own =
    squad.plan_type === 'development'
      ? [
          'What already exists, and which parts of it must not change?',
          'What limits it: platforms, versions, data, time, who may deploy?',
          'How can one see that it works: which tests, which behaviour, on which machine?',
        ]
      : [
          'What already exists: earlier work, material, a voice or rules to keep to?',
          'What limits it: time, money, channels, the law, who must agree?',
          'Who decides that it is done, and how?',
        ];
  const questions = ['Who is it for, and what will they do with it?', ...own];
  return [
    'Ask first. Read the request and what is in the workspace; then ask the person, in `questions.md`, the questions below that neither answers, in your own words and at most five, and stop:',
    '',
    ...questions.map((question) => `- ${question}`),
    '',
    `With the answers, write the plan and check it: \`contracts plan check\` reports its problems. \`${file}\` is checked again by the runner, and then reviewed.`,
  ].join('\n');
}
