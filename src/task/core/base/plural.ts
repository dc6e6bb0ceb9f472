/** How many there are of something, in words. */
export function many(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
