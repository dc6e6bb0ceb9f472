/** Files that an agent hands in by tools, as those that agents write by hand. Pure. */
import type { DeskInput } from './tools.ts';

/** A line, whatever the agent gave. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** A block whose headings cannot end its section. */
const block = (text: string): string => text.trim().replaceAll(/^(#{1,6} )/gm, '\\$1');

export function questionsText(task: string, { questions }: DeskInput<'ask_question'>): string {
  const each = questions.map(({ question, options = [] }, i) =>
    [`${i + 1}. ${line(question)}`, ...options.map((one) => `   - [ ] ${line(one)}`)].join('\n'),
  );
  return `# Questions: ${task}\n\n## Questions\n\n${each.join('\n')}\n`;
}

export function statusText(
  task: string,
  { step, completed = [] }: DeskInput<'report_status'>,
): string {
  const done = completed.map((one) => `- [x] ${line(one)}`);
  const list = done.length === 0 ? '' : `\n## Completed\n\n${done.join('\n')}\n`;
  return `# Task Status: ${task}\n\n- Status: IN_PROGRESS\n- Current Step: ${line(step)}\n${list}`;
}

export function resultText(task: string, given: DeskInput<'submit_result'>): string {
  const { status, criteria = [], deliverables = [], validation = '', notes = '' } = given;
  const held = criteria.map(
    ({ text, holds, evidence }) => `- [${holds ? 'x' : ' '}] ${line(text)} — ${line(evidence)}`,
  );
  const sections = [
    ['Success Criteria', held.join('\n')],
    ['Deliverables', deliverables.map((one) => `- ${line(one)}`).join('\n')],
    ['Validation', block(validation)],
    ['Notes', block(notes)],
  ].filter(([, text]) => text !== '');
  const body = sections.map(([title, text]) => `\n## ${title}\n\n${text}\n`).join('');
  return `# Task Result: ${task}\n\n- Status: ${status}\n${body}`;
}
