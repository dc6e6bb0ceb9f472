/**
 * The wrapper around every program: a POSIX sh that waits behind a gate, runs the program, and records
 * how it ended. Knows file descriptors and argv; knows no time-out, no log, no attempt.
 * A gate that reads end-of-file or anything but `go` exits 125: nothing ran. A record that cannot be
 * written is left out (its folder may have been moved away and is never made again); the exit code stays.
 */

/** What the wrapper exits with when the gate was not opened. Also a program's own right. */
export const GATE_SHUT = 125;
export const GATE_WORD = 'go\n';

/**
 * $1 is the record's path or empty, the rest is the program. Why each line is as it is:
 * - a trap that does something is reset in children, an ignored signal would be inherited by them;
 * - `read` fails on end-of-file, so a runner that died leaves a shut gate;
 * - `exec` finds programs only, so that an argv of `eval …` is no shell code;
 * - once the program has ended nothing but SIGKILL may stop the record, hence the ignored signals;
 * - -C makes the temporary O_EXCL; `sync FILE` is fsync where sync knows files, else all is synced;
 * - a record's name that is taken by a folder would make mv put the file inside it.
 */
const SCRIPT = `trap : HUP INT TERM
record=$1
shift
IFS= read -r word <&3 && [ "$word" = go ] || exit ${GATE_SHUT}
exec 3<&-
(exec "$@")
code=$?
if [ -n "$record" ] && [ ! -d "$record" ]; then
  trap '' HUP INT TERM
  PATH=/usr/bin:/bin:$PATH
  temporary=$record.$$
  set -C
  {
    printf -- '---\\nexit_code: %s\\nended: %s\\n---\\n' "$code" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$temporary" &&
      { sync "$temporary" || sync; } &&
      mv -f "$temporary" "$record" &&
      { sync "\${record%/*}" || sync; }
  } 2>/dev/null
fi
exit "$code"
`;

export const GATE_SHELL = '/bin/sh';

/** The arguments of GATE_SHELL. argv travels as positional parameters and is never interpolated. */
export function gateArguments(argv: readonly string[], exitFile: string | undefined): string[] {
  return ['-c', SCRIPT, 'contracts-gate', exitFile ?? '', ...argv];
}
