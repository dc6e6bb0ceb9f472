/**
 * What is kept in `runs/` of a plan: how a wave went, and why a task stopped. Markdown for people, written
 * once and never read back. Pure.
 */
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { oneLine, plainTitle } from '../../task/text/markdown/sections.ts';

export interface RunOfTask {
  readonly id: string;
  readonly title: string;
  /** `done`, `aborted`, or what else it is by now. */
  readonly end: string;
  readonly executors: readonly string[];
  readonly gates: readonly string[];
  /** Of work and of reviews, the lost ones left out. */
  readonly attempts: number;
  readonly reviews: number;
  readonly seconds: number;
  readonly cost_usd: number;
  readonly tokens: number;
}

export interface RunOfWave {
  readonly plan: string;
  readonly number: number;
  readonly title: string;
  readonly at: string;
  readonly tasks: readonly RunOfTask[];
  /** Titles of items that a person closed without a task. */
  readonly by_hand: readonly string[];
}

export function renderWave(wave: RunOfWave): string {
  const name = oneLine(wave.title).replace(/^wave\s+#?\d+\s*[:.–—-]?\s*/i, '');
  const lines = [
    `# Wave ${wave.number}${name === '' ? '' : `: ${name}`}`,
    '',
    `- Plan: ${wave.plan}`,
    `- Ended: ${wave.at}`,
    ...summaryOf(wave.tasks),
  ];
  if (wave.by_hand.length > 0) {
    lines.push('', '## Closed by Hand', '', ...wave.by_hand.map((title) => `- ${oneLine(title)}`));
  }
  return `${lines.join('\n')}\n`;
}

/** How many tasks ended in which way, what they used, and a row for each. */
export function summaryOf(tasks: readonly RunOfTask[]): readonly string[] {
  const sum = (key: 'attempts' | 'reviews' | keyof Spent): number =>
    tasks.reduce((all, task) => all + task[key], 0);
  const all = { seconds: sum('seconds'), cost_usd: sum('cost_usd'), tokens: sum('tokens') };
  return [
    `- Tasks: ${ends(tasks)}`,
    `- Attempts: ${sum('attempts')} of work, ${sum('reviews')} of review`,
    `- Agents: ${spent(all)}`,
    '',
    '| task | end | who | reviewed by | attempts | agents |',
    '| --- | --- | --- | --- | --- | --- |',
    ...tasks.map(rowOf),
  ];
}

function ends(tasks: readonly RunOfTask[]): string {
  const counts = new Map<string, number>();
  for (const { end } of tasks) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].map(([end, n]) => `${n} ${end}`).join(', ');
}

function rowOf(task: RunOfTask): string {
  const cells = [
    `${task.title} (\`${task.id}\`)`,
    task.end,
    task.executors.join(', '),
    task.gates.join(', '),
    `${task.attempts} + ${task.reviews}`,
    spent(task),
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

type Spent = Pick<RunOfTask, 'seconds' | 'cost_usd' | 'tokens'>;

function spent({ seconds, cost_usd, tokens }: Spent): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const time = minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
  const cost = cost_usd === 0 ? '' : `, $${cost_usd.toFixed(2)}`;
  return `${time}${cost}${tokens === 0 ? '' : `, ${tokens} tokens`}`;
}

export interface RunThatStopped {
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  readonly agent: string;
  /** As it stands in the task's folder. */
  readonly blocked: string;
  readonly at: string;
}

/** All that blocked.md says but its title and the slot for an answer. */
export function renderStop(stop: RunThatStopped): string {
  const lines = scanMarkdown(stop.blocked);
  const first = lines.find(({ kind, level }) => kind === 'heading' && level === 1);
  const slot = lines.find(
    ({ kind, title }) => kind === 'heading' && plainTitle(title) === 'resolution',
  );
  const from = first === undefined ? 0 : first.start + first.raw.length;
  const said = stop.blocked.slice(from, slot?.start).trim();
  const agent = stop.agent === '' ? [] : [`- Agent: ${oneLine(stop.agent)}`];
  const head = [
    `- Task: \`${stop.id}\``,
    `- Attempt: ${stop.attempt}`,
    ...agent,
    `- At: ${stop.at}`,
  ];
  const title = `# Stopped: ${oneLine(stop.title)}`;
  return `${[title, '', ...head, '', said].join('\n').trim()}\n`;
}
