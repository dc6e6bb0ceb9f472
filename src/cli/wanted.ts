/**
 * Which verb the arguments name, before anything is loaded that could parse them; and the file of the
 * built command that holds it. Knows no verb; cannot fail: what it does not understand is for all.
 */

/**
 * The first word, or the second after `help`. The options of the program itself come before it: -C
 * and --dir take a value.
 */
export function wantedWord(argv: readonly string[]): string | undefined {
  const words: string[] = [];
  for (let i = 0; i < argv.length && words.length < 2; i++) {
    const word = argv[i] ?? '';
    if (words.length === 0 && (word === '-C' || word === '--dir')) i++;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words[0] === 'help' ? words[1] : words[0];
}

/** `help` where no word is given at all: it has no verb. */
export function familyOf(argv: readonly string[], families: ReadonlyMap<string, string>): string {
  const word = wantedWord(argv);
  return word === undefined ? 'help' : (families.get(word) ?? 'all');
}
