/** Merge conflicts in a text: all three marks, each at the start of its line and in their order. */
import { problem, type Problem } from '../../core/model/problem.ts';
import { scanMarkdown } from './line-scanner.ts';

interface Conflict {
  /** 1-based line of `<<<<<<<`. */
  readonly line: number;
  /** Names of the two sides, behind `<<<<<<<` and `>>>>>>>`. */
  readonly sides: readonly [string, string];
}

const MARK = /^(<{7}|={7}|>{7})(?:[ \t]+(.*?))?[ \t]*$/;
/** A sentence about marks; no name that git gives to a side. */
const SENTENCE = /\s[^()]*\.$/;

function conflictsIn(text: string): Conflict[] {
  if (!text.includes('<<<<<<<')) return [];
  const found: Conflict[] = [];
  let open: { line: number; ours: string; halved: boolean } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, mark, name = ''] = MARK.exec(line) ?? [];
    if (mark === undefined || SENTENCE.test(name)) continue;
    if (mark.startsWith('<')) open = { line: index + 1, ours: name, halved: false };
    else if (open !== undefined && mark.startsWith('=')) open.halved ||= name === '';
    else if (open?.halved === true && mark.startsWith('>')) {
      found.push({ line: open.line, sides: [open.ours, name] });
      open = undefined;
    }
  }
  return found;
}

/**
 * Each as an error. Code counts too, since a step may run it, except in prose, where it may be an example,
 * and in a block of `text`, as imports quote their source.
 */
export function conflictProblems(text: string, file: string, is_prose = false): Problem[] {
  const all = conflictsIn(text);
  const lines = all.length > 0 ? scanMarkdown(text) : [];
  const found = all.filter(({ line }) => {
    if (lines[line - 1]?.kind !== 'code') return true;
    const fence = lines.slice(0, line - 1).findLast(({ kind }) => kind === 'fence');
    return !is_prose && fence?.title !== 'text';
  });
  return found.map(({ line, sides }) =>
    problem({
      code: 'conflict',
      file,
      line,
      message: 'a merge left both sides here',
      found: sides.filter((side) => side !== '').join(' and ') || 'no names',
      fix: 'Keep one of them, and remove the lines of marks',
    }),
  );
}
