/** The known word that a mistyped one was meant to be. Pure; knows no list of its own. */

/** The one within two edits, or as many as are said, when there is one. */
export function nearest(word: string, known: Iterable<string>, edits = 2): string | undefined {
  const plain = word.toLowerCase().replace(/[\s-]/g, '_');
  return plain.length > 40 ? undefined : within(plain, known, edits);
}

/** The nearest task id; dashes are letters like others in it. */
export function nearestId(word: string, ids: Iterable<string>): string | undefined {
  return word.length > 66 ? undefined : within(word.toLowerCase(), ids, 2);
}

/** A sentence before a cure: the known one that a mistyped name is near to. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearestId(name, known);
  return near === undefined ? '' : `Did you mean ${near}? `;
}

function within(plain: string, known: Iterable<string>, edits: number): string | undefined {
  let best: string | undefined;
  let bestDistance = edits + 1;
  for (const one of known) {
    // Letters too many or too few are edits: of a hundred thousand ids few are worth a table.
    if (Math.abs(one.length - plain.length) >= bestDistance) continue;
    const distance = editDistance(plain, one);
    if (distance < bestDistance && distance < one.length / 2) {
      best = one;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters changed, too many, too few; two that changed places are one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const turned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const turn = turned ? before[j - 2]! + 1 : swap;
      next.push(Math.min(swap, turn, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
