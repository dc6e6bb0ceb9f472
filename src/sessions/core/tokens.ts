/**
 * Tokens of a text, not fewer than a model of today counts: its own tokenizer is a megabyte. Pure. Measured against
 * o200k in test/sessions: three letters of a word are one, of what is no word two of three are; other ASCII characters
 * one each; what is beyond ASCII one for each byte of its UTF-8 but the first.
 */
const PARTS = /[A-Za-z]{1,24}|\d{1,24}| {1,24}|[^]/gu;
const NO_WORD = /^[A-Z]{4,}$|[bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ]{4}/;

export function tokensAtMost(text: string): number {
  return (text.match(PARTS) ?? []).reduce((sum, part) => sum + tokensOf(part), 0);
}

function tokensOf(part: string): number {
  if (/^\d/.test(part)) return Math.ceil(part.length / 3);
  if (/^[A-Za-z]/.test(part)) return Math.ceil(part.length / (NO_WORD.test(part) ? 1.5 : 3));
  if (part === ' ') return 0;
  return part.startsWith(' ') ? 1 : Math.max(1, Buffer.byteLength(part) - 1);
}

/** The beginning that has at most so many tokens; whole lines where there are some. */
export function cutToTokens(text: string, most: number): string {
  let [sum, end] = [0, 0];
  for (const part of text.match(PARTS) ?? []) {
    sum += tokensOf(part);
    if (sum > most) {
      const line = text.lastIndexOf('\n', end);
      return text.slice(0, line > 0 ? line : end);
    }
    end += part.length;
  }
  return text;
}
