/** The known word that a mistyped one was meant to be. Pure; knows no list of its own. */

/** The one within two edits, when there is one. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const plain = word.toLowerCase().replace(/[\s-]/g, '_');
  if (plain.length > 40) return undefined;
  let best: string | undefined;
  let bestDistance = 3;
  for (const one of known) {
    const distance = editDistance(plain, one);
    if (distance < bestDistance && distance < one.length / 2) {
      best = one;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
