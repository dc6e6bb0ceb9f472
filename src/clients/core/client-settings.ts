/** Keys and lines of clients' settings that start no program. An unknown key counts as starting one. Pure. */

/** Lines of TOML; in a text of many lines they may be part of a command. */
const HARMLESS_LINE = /^(?:#.*|model(?:_reasoning_effort|_verbosity)?\s*=\s*"[^"\\]*"|)$/;
/** Lists of permissions that grow with each answer of a person. */
const HARMLESS = new Set(
  (
    '$schema model models small_model theme ui language outputStyle cleanupPeriodDays attribution ' +
    'includeCoAuthoredBy general context privacy ide agent agents command mode permissions.allow ' +
    'permissions.ask permissions.deny'
  ).split(' '),
);

/** Without the keys that start nothing. */
export function startingKeys(found: object, above = ''): object {
  const left = Object.entries(found).flatMap(([key, value]): [string, unknown][] => {
    if (HARMLESS.has(above + key)) return [];
    if (above !== '' || key !== 'permissions' || !(value instanceof Object)) return [[key, value]];
    const inner = startingKeys(value, 'permissions.');
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(left);
}

/** Without the lines that start nothing; empty where none does. */
export function startingLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const starting = lines.filter((line) => !HARMLESS_LINE.test(line)).join('\n');
  return starting !== '' && /'''|"""/.test(text) ? text : starting;
}
