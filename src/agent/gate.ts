/**
 * The wrapper around every program: a POSIX sh that waits behind a gate, runs the program, and records
 * how it ended. Knows file descriptors and argv; knows no time-out, no log, no attempt.
 * A gate that reads end-of-file or anything but `go` exits 125: nothing ran. A record that cannot be
 * written is left out (its folder may have been moved away and is never made again); the exit code stays.
 */
import { spawnSync } from './child.ts';

/** What the wrapper exits with when the gate was not opened. Also a program's own right. */
export const GATE_SHUT = 125;
export const GATE_WORD = 'go\n';
/**
 * $1 is the record's path or empty, the rest is the program. Why each line is as it is:
 * - a trap that does something is reset in children, an ignored signal would be inherited by them;
 * - `read` fails on end-of-file, so a runner that died leaves a shut gate;
 * - `exec` finds programs only, so that an argv of `eval …` is no shell code;
 * - once the program has ended nothing but SIGKILL may stop the record, hence the ignored signals;
 * - what the program wrote is durable before the record is, so that no durable record stands over torn
 *   files. `sync -f` is one syncfs(2) for the desk and one for the working folder: it also covers files
 *   that only a check reads and that no list names, and it costs less than ten fsyncs (3 ms idle, 9 ms
 *   for 100 new files where fsyncs took 85 ms). The price: other programs' unwritten data of that file
 *   system is written too (500 MB took 0.17 s). A sync without -f (macOS) syncs all file systems;
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
    { sync -f "\${record%/*}" . || sync; } &&
      printf -- '---\\nexit_code: %s\\nended: %s\\n---\\n' "$code" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$temporary" &&
      { sync "$temporary" || sync; } &&
      mv -f "$temporary" "$record" &&
      { sync "\${record%/*}" || sync; }
  } 2>/dev/null
fi
exit "$code"
`;

export const GATE_SHELL = '/bin/sh';

/** Makes the file systems of these folders durable; gives up a disk that does not answer. */
export function syncFileSystems(...folders: readonly string[]): void {
  const script = 'sync -f "$@" || sync';
  spawnSync(GATE_SHELL, ['-c', script, 'sync', ...folders], {
    stdio: ['ignore', 'ignore', 'ignore'],
    encoding: 'utf8',
    timeout: 60_000,
  });
}

/** The arguments of GATE_SHELL. argv travels as positional parameters and is never interpolated. */
export function gateArguments(argv: readonly string[], exitFile: string | undefined): string[] {
  return ['-c', SCRIPT, 'contracts-gate', exitFile ?? '', ...argv];
}
