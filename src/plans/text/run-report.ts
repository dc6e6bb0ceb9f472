/** Reports of a plan for people: how a wave went, and why a task is blocked. Never read back. Pure. */
import { summaryOf, type RunOfTask } from '../../checkpoints/text/wave-summary.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { oneLine, plainTitle } from '../../task/text/markdown/sections.ts';

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

export interface RunThatStopped {
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  readonly agent: string;
  readonly blocked: string;
  readonly at: string;
}

/** blocked.md without its title and the slot for an answer. */
export function renderStop(stop: RunThatStopped): string {
  const lines = scanMarkdown(stop.blocked);
  const first = lines.find(({ kind, level }) => kind === 'heading' && level === 1);
  const slot = lines.find(
    ({ kind, title }) => kind === 'heading' && plainTitle(title) === 'resolution',
  );
  const from = first === undefined ? 0 : first.start + first.raw.length;
  const body = stop.blocked.slice(from, slot?.start).trim();
  const agent = stop.agent === '' ? [] : [`- Agent: ${oneLine(stop.agent)}`];
  const head = [
    `- Task: \`${stop.id}\``,
    `- Attempt: ${stop.attempt}`,
    ...agent,
    `- At: ${stop.at}`,
  ];
  const title = `# Stopped: ${oneLine(stop.title)}`;
  return `${[title, '', ...head, '', body].join('\n').trim()}\n`;
}
