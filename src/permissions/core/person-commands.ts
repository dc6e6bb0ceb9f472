/** Which of our commands are reserved for people, by the effect of each verb. */
export type VerbEffect = 'reads' | 'decides';

/** Key: a verb, or a verb and its subcommand. A missing one changes something. */
export type VerbEffects = Readonly<Record<string, VerbEffect>>;

/** `words` follow the name of the program; `deciding`: only those that decide something. */
export function isPersons(
  words: readonly string[],
  effects: VerbEffects,
  deciding = false,
): boolean {
  if (words.some((one) => /^(--help|-h|--version|-V|help)$/.test(one))) return false;
  const given = words.filter(
    (one, i) => !one.startsWith('-') && !/^(-C|--dir)$/.test(words[i - 1] ?? ''),
  );
  const [verb, next] = given;
  if (words.includes('--trust')) return true;
  if (verb === undefined) return false;
  const effect = effects[`${verb} ${next}`] ?? effects[verb];
  const recovers = words.some((one) => /^--recover(?:=|$)/.test(one));
  if (deciding) return effect === 'decides' || recovers;
  return effect !== 'reads' || recovers || words.includes('--fix') || words.includes('--rerun');
}
