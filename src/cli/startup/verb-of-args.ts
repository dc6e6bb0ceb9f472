/**
 * Which verb the arguments name, before anything is loaded that could parse them; and the file of the
 * built command that holds it. Cannot fail: what it does not understand is for all.
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

/**
 * The verb first, and what the program itself was told before it (-C, --dir) behind it, where it means
 * the same: `list -C x --ids` for `-C x list --ids`. Any other line as it is.
 */
export function verbFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (argv[at] === '-C' || argv[at] === '--dir') at += 2;
  const verb = argv[at];
  if (at === 0 || verb === undefined) return argv;
  return [verb, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/**
 * `help` where no word is given at all: it has no verb. `names` for a `list` of what is told by the names
 * of folders, as all of it is written.
 */
export function familyOf(argv: readonly string[], families: ReadonlyMap<string, string>): string {
  const word = wantedWord(argv);
  if (word === undefined) return 'help';
  return isOfNames(verbFirst(argv)) ? 'names' : (families.get(word) ?? 'all');
}

const FLAGS_OF_NAMES = new Set(['--all', '--ids', '--json']);

function isOfNames([verb, ...words]: readonly string[]): boolean {
  const given = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '--dir') i++;
    else if (word === '--by' && words[i + 1] === 'state') i++;
    else if (!FLAGS_OF_NAMES.has(word)) return false;
    given.add(word);
  }
  return verb === 'list' && (given.has('--by') || (given.has('--ids') && !given.has('--json')));
}
