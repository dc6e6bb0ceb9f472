/** Words of a command line of a POSIX shell, which programs run and people copy. Pure. */

export const inQuotes = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Quoted only where a shell would split it or read it as something else. */
export const shellWord = (word: string): string =>
  /^[\p{L}\p{N}_./@%+=:,-]+$/u.test(word) ? word : inQuotes(word);
