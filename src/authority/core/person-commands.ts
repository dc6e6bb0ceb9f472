/**
 * Which command lines of ours only read. Inside an attempt all others are refused; in a person's own
 * session an agent has to ask before those that decide something. Pure.
 */
export const READS = new Set(
  'list board graph show logs states check doctor agents completion complete hook'.split(' '),
);
export const PLAN_READS = new Set(['check', 'status', 'list']);

const DECIDES = new Set(
  (
    'confirm abort retry reopen answer approve needs-work reject resolve review merge archive recover ' +
    'mv trust'
  ).split(' '),
);

/** `words` behind the name of the program; `deciding`: only those that decide something. */
export function isPersons(words: readonly string[], deciding = false): boolean {
  if (words.some((one) => /^(--help|-h|--version|-V|help)$/.test(one))) return false;
  const given = words.filter(
    (one, i) => !one.startsWith('-') && !/^(-C|--dir)$/.test(words[i - 1] ?? ''),
  );
  const [verb, next = ''] = given;
  if (words.includes('--trust')) return true;
  if (verb === undefined || (verb === 'plan' && PLAN_READS.has(next))) return false;
  if (deciding) {
    return DECIDES.has(verb) || (verb === 'plan' && next === 'start');
  }
  return !READS.has(verb) || words.includes('--fix');
}
