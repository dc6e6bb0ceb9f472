/**
 * The command line of a person's editor, split into words without a shell. Knows nothing of tasks and
 * starts nothing.
 */

/**
 * The words of a command line as a shell would quote them: spaces part, '…' and "…" keep together,
 * a backslash takes the next character as it is (in double quotes only before " and \). Nothing is
 * expanded or run. undefined when a quote is not closed, or there is no word.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    const next = line[i + 1];
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = '';
    } else if (char === '\\' && next !== undefined && escapes(quote, next)) {
      word = (word ?? '') + next;
      i++;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return quote !== '' || words.length === 0 ? undefined : words;
}

function escapes(quote: string, next: string): boolean {
  return quote === '' || (quote === '"' && (next === '"' || next === '\\'));
}
