/**
 * Which command lines of ours are a person's, by the effect that each verb has. Inside an attempt all that
 * do more than read are refused; in a person's own session an agent has to ask before those that decide
 * something. Pure.
 */
export type VerbEffect = 'reads' | 'decides';

/** By the name of a verb, or by that and the one below it. What is missing changes something. */
export type VerbEffects = Readonly<Record<string, VerbEffect>>;

/** `words` behind the name of the program; `deciding`: only those that decide something. */
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
  if (deciding) return effect === 'decides';
  return effect !== 'reads' || words.includes('--fix');
}
