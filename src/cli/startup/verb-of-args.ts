/**
 * The verb that the arguments name, and the file of the built command that holds it, before anything that
 * parses is loaded. Cannot fail: what it does not understand is in the file of all verbs.
 */

/** The place of the first word: before it are flags alone, of which -C and --dir take a value. */
export function verbAt(argv: readonly string[]): number {
  let at = 0;
  while (argv[at]?.startsWith('-')) at += argv[at] === '-C' || argv[at] === '--dir' ? 2 : 1;
  return at;
}

/** The first word, or the second after `help`. */
export function wantedWord(argv: readonly string[]): string | undefined {
  const at = verbAt(argv);
  return argv[at] === 'help' ? argv.slice(at + 1).find((one) => !one.startsWith('-')) : argv[at];
}

/** `list -C x --ids` for `-C x list --ids`, which means the same; any other line as it is. */
export function verbFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (argv[at] === '-C' || argv[at] === '--dir') at += 2;
  const verb = argv[at];
  if (at === 0 || verb === undefined) return argv;
  return [verb, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** No verb, and no question about the command itself. */
export function isBare(argv: readonly string[]): boolean {
  return argv[verbAt(argv)] === undefined && !argv.some((one) => /^-(-?h|-?V$)/i.test(one));
}

/**
 * `names` for a `list` that needs the names of folders alone, `all` for a brief, to which capabilities add. A verb
 * below another may be in another file.
 */
export function familyOf(argv: readonly string[], families: ReadonlyMap<string, string>): string {
  const word = wantedWord(argv);
  if (word === undefined) return isBare(argv) ? 'all' : 'help';
  if (isOfNames(verbFirst(argv))) return 'names';
  if (word === 'show' && argv.includes('--brief')) return 'all';
  return families.get(argv.slice(0, 2).join(' ')) ?? families.get(word) ?? 'all';
}

const FLAGS_OF_NAMES = new Set(['--all', '--ids', '--json']);

function isOfNames([verb, ...words]: readonly string[]): boolean {
  const given = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '--dir') i++;
    else if (!FLAGS_OF_NAMES.has(word)) return false;
    given.add(word);
  }
  return verb === 'list' && given.has('--ids') && !given.has('--json');
}
