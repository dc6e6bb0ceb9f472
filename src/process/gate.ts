/**
 * The wrapper around every program: a POSIX sh that waits behind a gate, runs the program, copies
 * its output from a pipe to the log, and records its end. End-of-file, or anything but `go`, exits
 * 125: nothing ran. A record that cannot be written is left out; its folder is never created again.
 */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { spawnSync } from './child-process.ts';
import { MARK_NAME } from './process-table.ts';
import type { Programs } from './program.ts';
import type { Spawn } from './spawn.ts';

/** Descriptor on which bubblewrap reports, in JSON, how the program in it ended. */
export const BEGIN_FD = 8;

/** Exit code of the wrapper when the gate was not opened. A program may exit with it, too. */
export const GATE_SHUT = 125;
export const GATE_WORD = 'go\n';
/**
 * $1 is the record's path or empty, $2 a path for a FIFO, $3 is not empty for a program that is in a sandbox, the
 * rest is the program. Why each line is as it is:
 * - a trap that does something is reset in children, an ignored signal would be inherited by them;
 * - sh makes a pipe only together with a process that it then waits for, hence a FIFO, which has no name
 *   any more when the gate opens. To open it to read and write waits for nobody;
 * - the wrapper lets go of the log too, since a program without a sandbox could get at it by /proc/PPID;
 * - the reader outlives every signal but SIGKILL, because a program prints while it ends; it ends with the
 *   last process that can print. It has no mark: whoever has the mark is ended before it;
 * - the runner hears of the reader on the gate, to end everybody else first;
 * - `read` fails on end-of-file, so a runner that died leaves a shut gate;
 * - `exec` finds programs only, so that an argv of `eval …` is no shell code;
 * - bubblewrap ends with 1, and reports a process and no exit code on descriptor 8, where a file that it shows was replaced
 *   just then: the program never began, and begins at the next try unless it was to end meanwhile;
 * - once the program has ended nothing but SIGKILL may stop the record, hence the ignored signals;
 * - the record waits until the reader has written all, but a process that the program left behind may
 *   print for ever: 1.4 s are enough for what was in the pipe. `sleep` also lets sh reap the reader;
 * - what the program wrote is durable before the record is, so that no durable record stands over torn
 *   files. `sync -f` is one syncfs(2) for the desk and one for the working folder: it also covers files
 *   that only a check reads and that no list names, and it costs less than ten fsyncs (3 ms idle, 9 ms
 *   for 100 new files where fsyncs took 85 ms). The price: other programs' unwritten data of that file
 *   system is written too (500 MB took 0.17 s). A sync without -f (macOS) syncs all file systems;
 * - -C makes the temporary O_EXCL; `sync FILE` is fsync where sync knows files, else all is synced;
 * - a record's name that is taken by a folder would make mv put the file inside it.
 */
const SCRIPT = `record=$1
fifo=$2
sandboxed=$3
shift 3
trap 'rm -f "$fifo"; exit ${GATE_SHUT}' HUP INT TERM
given=$PATH
PATH=/usr/bin:/bin:$PATH
mkfifo -m 600 "$fifo" && exec 4<>"$fifo" 5<"$fifo" || exit ${GATE_SHUT}
(
  unset ${MARK_NAME}
  trap '' HUP INT TERM
  exec cat <&5 3<&- 4<&- 5<&-
) &
reader=$!
exec >"$fifo" 2>&1 4<&- 5<&-
rm -f "$fifo"
PATH=$given
stopped=
trap stopped=1 HUP INT TERM
{ echo "$reader" >&3; } 2>/dev/null
IFS= read -r word <&3 && [ "$word" = go ] || exit ${GATE_SHUT}
exec 3<&-
if [ -z "$sandboxed" ]; then
  (exec "$@")
  code=$?
else
  exec 7>&1
  for pause in 0.02 0.1 0.4 ''; do
    said=$(exec "$@" ${BEGIN_FD}>&1 >&7 7>&-)
    code=$?
    case $said in *exit-code*) break ;; *child-pid*) ;; *) break ;; esac
    [ "$code" = 1 ] && [ -n "$pause" ] && [ -z "$stopped" ] || break
    PATH=/usr/bin:/bin:$PATH sleep "$pause"
  done
  exec 7>&-
fi
exec >/dev/null 2>&1
PATH=/usr/bin:/bin:$PATH
for pause in 0 0.01 0.03 0.1 0.3 1; do
  kill -0 "$reader" && { sleep "$pause" || sleep 1; } || break
done
if [ -n "$record" ] && [ ! -d "$record" ]; then
  trap '' HUP INT TERM
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

/** Makes the file systems of these folders durable; gives up after a minute. `programs`: not to be files of agents. */
export function syncFileSystems(
  programs: Pick<Programs, 'isBeyond'> | undefined,
  ...folders: readonly string[]
): void {
  const all = (process.env['PATH'] ?? '').split(delimiter);
  const path = all.filter((one) => programs?.isBeyond(one) ?? true).join(delimiter);
  const script = 'sync -f "$@" || sync';
  spawnSync(GATE_SHELL, ['-c', script, 'sync', ...folders], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'ignore'],
    encoding: 'utf8',
    timeout: 60_000,
  });
}

/** For GATE_SHELL. argv travels as positional parameters and is never interpolated. */
export function gateArguments(
  argv: readonly string[],
  exitFile: string | undefined,
  { sandboxed = false, cwd }: Partial<Pick<Spawn, 'sandboxed' | 'cwd'>> = {},
): string[] {
  // A folder that is moved while the program runs takes its working folder with it.
  const isBelow = cwd !== undefined && exitFile?.startsWith(`${cwd}/`) === true;
  const record = isBelow ? `./${relative(cwd, exitFile)}` : (exitFile ?? '');
  const fifo = resolve(join(tmpdir(), `contracts-log-${randomBytes(12).toString('hex')}`));
  const before = [record, fifo, sandboxed ? 'sandboxed' : ''];
  return ['-c', SCRIPT, 'contracts-gate', ...before, ...argv];
}
