/** The story of a task in words: what is wanted, what happened, what is next. */
import { colours as pc } from './colour.ts';
import type { AttemptStory, Story } from '../engine/verbs/show.ts';
import { escapeText } from '../text/terminal.ts';
import { colourState } from './output.ts';

export function storyLines(story: Story): string[] {
  const lines = [
    `${pc.bold(escapeText(story.title) || story.id)}`,
    `${colourState(story.state)}  ${story.folder}`,
    '',
    ...indent(story.objective === story.title ? '' : story.objective, '  '),
  ];
  const facts: [string, string][] = [
    ['executor', story.adapter === '' ? '' : `${story.agent} (${story.adapter})`],
    ['checks', story.checks.join(', ')],
    ['gates', story.gates.join(', ')],
    ['depends on', story.depends_on.map((one) => `${one.id} (${one.state})`).join(', ')],
  ];
  for (const [name, value] of facts) {
    if (value !== '') lines.push(`  ${name.padEnd(11)} ${escapeText(value)}`);
  }
  lines.push(
    '',
    'Success criteria',
    ...story.criteria.map((text) => `  - ${escapeText(text)}`),
    '',
  );
  if (story.attempts.length > 0)
    lines.push('What happened', ...story.attempts.flatMap(attemptLines), '');
  for (const note of story.notes) lines.push(`Note ${note.name}`, ...indent(note.text, '  '), '');
  for (const text of story.resolutions) lines.push('Resolution', ...indent(text, '  '), '');
  if (story.current_step !== '') lines.push(`Now: ${escapeText(story.current_step)}`, '');
  lines.push(nextLine(story));
  return squeeze(lines);
}

function attemptLines(attempt: AttemptStory): string[] {
  const who = attempt.agent === '' ? '' : ` by ${escapeText(attempt.agent)}`;
  const took = attempt.seconds === undefined ? '' : `, ${attempt.seconds} s`;
  const end = attempt.outcome ?? (attempt.lost ? 'lost, taken over' : 'open');
  const from = attempt.adopted === undefined ? '' : ` (taken over from attempt ${attempt.adopted})`;
  const reason = attempt.reason === '' ? '' : `: ${escapeText(attempt.reason)}`;
  return [
    `  ${String(attempt.number).padStart(4, '0')}  ${attempt.kind}${who}  ${pc.bold(end)}${reason}${from}${took}`,
    ...attempt.questions.flatMap(({ question, answer }) => [
      `        asked: ${escapeText(question)}`,
      `        ${answer === '' ? 'not answered yet' : `answer: ${escapeText(answer)}`}`,
    ]),
    ...attempt.receipts.map(
      (receipt) =>
        `        ${receipt.passed ? pc.green('passed') : pc.red('failed')} ${escapeText(receipt.check)}${receipt.passed ? '' : ` (${escapeText(receipt.reason)})`}`,
    ),
    ...(attempt.last_words === undefined
      ? []
      : [
          `        the end of ${attempt.last_words.file}:`,
          ...indent(attempt.last_words.text, '        | '),
        ]),
    ...(attempt.findings === '' ? [] : indent(attempt.findings, '        ')),
  ];
}

function nextLine(story: Story): string {
  const fix = story.fix === '' ? '' : `  → ${escapeText(story.fix)}`;
  return `${escapeText(story.reason)}${pc.dim(fix)}`;
}

function indent(text: string, by: string): string[] {
  return text.trim() === ''
    ? []
    : escapeText(text.trim(), { multiline: true })
        .split('\n')
        .map((line) => (line === '' ? '' : `${by}${line}`));
}

/** No two empty lines in a row. */
function squeeze(lines: readonly string[]): string[] {
  return lines.filter((line, i) => line !== '' || lines[i - 1] !== '');
}
