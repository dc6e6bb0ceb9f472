/** Words of a command line of a POSIX shell, which programs run and people copy. Pure. */

/** Quoted only where a shell would split it or read it as something else. */
export const shellWord = (word: string): string =>
  /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
