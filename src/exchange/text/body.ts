/** The Markdown body of a task of another tool: what its sections mean, its boxes, and commands in these. Pure. */
import { scanMarkdown, type Line } from '../../task/text/markdown/line-scanner.ts';
import { bulletOf, visibleText } from '../../task/text/markdown/sections.ts';
import type { Criterion } from '../core/foreign.ts';
import { plainWord, type Words } from '../core/words.ts';
import { commandsIn } from './commands.ts';

/** A section of another title is an instruction below that title. */
export function bodyOf(text: string, words: Words) {
  const lines = scanMarkdown(text, { whole: false });
  const level = lines.some((line) => line.kind === 'heading' && line.level === 2) ? 2 : 6;
  const sections: { title: string; lines: Line[] }[] = [{ title: '', lines: [] }];
  for (const line of lines) {
    const isNew = line.kind === 'heading' && line.level <= level;
    if (isNew) sections.push({ title: line.title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  const objective: string[] = [];
  const instructions: string[] = [];
  const notes: { title: string; text: string }[] = [];
  const criteria: Criterion[] = [];
  for (const [i, { title, lines: own }] of sections.entries()) {
    const kind = words.heading(title);
    const { boxes, prose } = boxesOf(
      own,
      plainWord(title) === 'definition of done' ? 'Definition of done: ' : '',
    );
    criteria.push(...boxes);
    // Before the first heading, and below the title of the whole, is what it is about.
    const isFirst = kind === undefined && (i === 0 || (i === 1 && level === 2));
    if (kind === 'notes' && prose !== '') notes.push({ title, text: prose });
    else if (kind === 'objective' || isFirst) objective.push(prose);
    else if (prose !== '')
      instructions.push(kind === 'instructions' ? prose : `**${title}**\n\n${prose}`);
  }
  const [about, how] = [objective, instructions].map((some) => some.filter(Boolean).join('\n\n'));
  return {
    heading: lines.find(({ kind, level: depth }) => kind === 'heading' && depth === 1)?.title,
    criteria,
    notes,
    objective: about ?? '',
    instructions: how ?? '',
    commands: commandsIn(criteria.map((one) => one.text)),
  };
}

/** Boxes with the lines that continue them. Numbers such as `#1` are not part of a box. */
function boxesOf(lines: readonly Line[], prefix: string) {
  const boxes: { text: string; ticked: boolean }[] = [];
  const others: Line[] = [];
  let column: number | undefined;
  for (const line of lines) {
    const bullet = bulletOf(line);
    const last = column === undefined ? undefined : boxes.at(-1);
    if (bullet?.ticked !== undefined) {
      boxes.push({ text: prefix + bullet.text.replace(/^#\d+\s+/, ''), ticked: bullet.ticked });
      ({ column } = bullet);
    } else if (
      last &&
      ['text', 'indented'].includes(line.kind) &&
      (!bullet || bullet.column > (column ?? 0))
    ) {
      last.text += ` ${line.visible.trim()}`;
    } else {
      if (line.kind !== 'comment') column = undefined;
      others.push(line);
    }
  }
  return { boxes, prose: visibleText(others).replace(/\n{3,}/g, '\n\n') };
}
