/** The verb that a word which is none was meant to be: a slip of the fingers, or another word for the same. */

/** What people type for it; the verbs that do it, the likeliest first. */
const WORDS: readonly (readonly [words: string, verbs: string])[] = [
  ['delete del rm remove drop', 'abort archive forget'],
  ['kill stop cancel', 'pause abort'],
  ['serve ui tui web dashboard open', 'board watch review'],
  ['ls tasks search find', 'list'],
  ['add create make', 'new'],
  ['start go exec', 'run'],
  ['view cat info', 'show'],
  ['accept ok lgtm', 'approve'],
];

/** One letter too many or too few after the first, two that changed places, or, in a long word, one for another. */
function isSlip(typed: string, verb: string): boolean {
  const [short, long] = typed.length < verb.length ? [typed, verb] : [verb, typed];
  const at = [...short].findIndex((letter, i) => letter !== long[i]);
  const from = at < 0 ? short.length : at;
  if (long.length === short.length + 1)
    return from > 0 && long.slice(from + 1) === short.slice(from);
  if (long.length !== short.length || short === long) return false;
  const [a = '', b = ''] = [short.slice(from), long.slice(from)];
  const isTurned = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isTurned || (short.length >= LONG && a.slice(1) === b.slice(1));
}

const LONG = 6;

/** Words such as `abort or archive`; undefined where none of these verbs was meant. */
export function verbMeant(typed: string, verbs: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const other = WORDS.find(([words]) => words.split(' ').includes(word))?.[1].split(' ');
  const meant = other?.filter((one) => verbs.includes(one)) ?? [];
  return meant.length > 0 ? meant.join(' or ') : verbs.find((one) => isSlip(word, one));
}
