/** Merge conflicts in a text: all three marks, each at the start of its line and in their order. */
export interface Conflict {
  /** 1-based line of `<<<<<<<`. */
  readonly line: number;
  /** What comes after `<<<<<<<` and `>>>>>>>`: the names of the two sides. */
  readonly sides: readonly [string, string];
}

export function conflictsIn(text: string): Conflict[] {
  if (!text.includes('<<<<<<< ')) return [];
  const found: Conflict[] = [];
  let open: { line: number; ours: string; halved: boolean } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.startsWith('<<<<<<< ')) {
      open = { line: index + 1, ours: line.slice(8).trim(), halved: false };
    } else if (open !== undefined && line === '=======') {
      open.halved = true;
    } else if (open?.halved === true && line.startsWith('>>>>>>> ')) {
      found.push({ line: open.line, sides: [open.ours, line.slice(8).trim()] });
      open = undefined;
    }
  }
  return found;
}
