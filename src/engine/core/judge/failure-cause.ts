/** The cause of a failure, from the last lines that the program printed. Pure. */

const NAMES_A_CAUSE =
  /\b(?:\w*(?:error|exception)|fail(?:ed|ure)?|fatal|cannot|can't|denied|refused|missing|not found|no such|read-only)\b/i;
/** The shell adapter prints it before each block; Node ends with its version, below the stack. */
const NO_CAUSE = /^(?:== step \d+ of \d+|Node\.js v[\d.]+| +at .*|[{}])$/;
const LINE_CHARS_MAX = 200;

/** The last line that names a cause, else the last line; empty where nothing was printed. */
export function causeIn(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.trim() !== '' && !NO_CAUSE.test(line));
  const line = (lines.findLast((one) => NAMES_A_CAUSE.test(one)) ?? lines.at(-1) ?? '').trim();
  return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX - 1)}…` : line;
}

/** In quotes, behind words of a shell, or one word. */
const PATH_BEFORE =
  /(directory )?(?:['"‘`]([^'"’`\\\n]+)['"’`]|(?<=create |line \d+: )([^:'"‘`\n]+)|([^\s:'"‘’`\\]+)): Read-only file system/i;
const PATH_AFTER = /read-only file system[:,] (?:\w+ )?['"]([^'"\\]+)['"]/i;

/** The path that a read-only file system refused; all that is in it, for a folder. */
export function readOnlyPath(printed: string): string | undefined {
  const [, after] = PATH_AFTER.exec(printed) ?? [];
  const [, folder, ...paths] = PATH_BEFORE.exec(printed) ?? [];
  const before = paths.find(Boolean);
  return after ?? (folder ? `${before}/**` : before);
}
