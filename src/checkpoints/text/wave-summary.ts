/** How the tasks of a wave went, as lines of Markdown for people. Pure. */
import { oneLine } from '../../task/text/markdown/sections.ts';

export interface RunOfTask {
  readonly id: string;
  readonly title: string;
  /** `done`, `aborted`, or what else it is by now. */
  readonly end: string;
  readonly executors: readonly string[];
  readonly gates: readonly string[];
  /** Attempts of work and review, without the lost ones. */
  readonly attempts: number;
  readonly reviews: number;
  readonly seconds: number;
  readonly cost_usd: number;
  readonly tokens: number;
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
