/** The arguments of bubblewrap. The nearest place above a path decides; without one it is absent. */
import { isWithin } from '../../task/core/base/folders.ts';
import { BEGIN_FD } from '../../process/gate.ts';
import { MARK_NAME } from '../../process/process-table.ts';

/** `empty`: a private folder that goes with the sandbox; `veiled`: a file without content; `link`: to `from`. */
export type PlaceKind = 'read' | 'write' | 'empty' | 'veiled' | 'link';

export interface SandboxPlace {
  /** Absolute. */
  readonly path: string;
  readonly as: PlaceKind;
  /** Shown there instead. */
  readonly from?: string;
  /** True if it may be gone before it is shown, even where the program could then make it. */
  readonly may_go?: true;
  /** True for an entry that is shut in an open folder: whoever replaces it outside of the sandbox takes the mount away. */
  readonly beside?: true;
}

/** Empty files and folders that exist as long as a sandbox shows them. */
export interface Standing {
  /** Absolute; a folder ends with `/`. */
  readonly paths: readonly string[];
  /** The content of JSON files, for clients that refuse an empty one. */
  readonly json: '' | '{}';
  /** Held by every sandbox that uses them. */
  readonly lock: string;
}

export interface Sandbox {
  /** Absolute. */
  readonly programs: Readonly<Record<'bwrap' | 'setsid' | 'env' | 'flock', string>>;
  /** Root keeps the capabilities for files, and none over the machine. */
  readonly as_root: boolean;
  /** Name and target of links at the top of the machine, such as /bin to usr/bin. */
  readonly links: readonly (readonly [string, string])[];
  /** The later of two places for one path counts. */
  readonly places: readonly SandboxPlace[];
  readonly standing?: Standing;
  /** Only a loopback device of its own. */
  readonly no_network?: boolean;
  readonly cwd: string;
  readonly mark: string;
}

/** None of these reaches out of the sandbox; mounting, tracing and network set-up would. */
const KEPT = 'CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID CAP_KILL CAP_SETGID CAP_SETUID';
const CAPABILITIES = KEPT.split(' ').flatMap((name) => ['--cap-add', name]);

/** Settings of the kernel: root could write there even without capabilities. */
const KERNEL_PLACES = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/** A sh starts the program, so that a missing one ends with 127 as usual. */
const START = ['/bin/sh', '-c', 'exec "$@"', 'contracts-sandbox'];

/**
 * Placeholders for missing settings are created and removed here, since the runner may be killed:
 * the removing program waits for a lock that the kernel holds as long as a sandbox lives. Clients
 * treat an empty read-only file as none.
 */
const STAND = `names=$1 json=$2 lock=$3 flock=$4 setsid=$5
shift 5
exec 9>>"$lock" && "$flock" -s -w 60 9 || exit 1
(
  PATH=/usr/bin:/bin:$PATH IFS='
'
  set -fC
  umask 0222
  for name in $names; do
    if [ -e "$name" ] || [ -L "$name" ]; then continue; fi
    case $name in
      */) (umask 077; mkdir -p "\${name%/*/}") && mkdir -m 1755 "$name" ;;
      *.json) printf %s "$json" >"$name" ;;
      *) : >"$name" ;;
    esac
  done
  "$setsid" "$flock" "$lock" find $names -maxdepth 0 \\
    '(' -type f -perm 0444 -links 1 -size -3c -o -type d -perm 1755 -empty ')' -delete 9<&- ${BEGIN_FD}<&- >/dev/null 2>&1 &
)
exec "$@"`;

/**
 * `setsid` and `env -u` keep bwrap out of the group and without the mark, so that only the program
 * gets SIGTERM and its grace; the rest ends with bwrap, which dies with its parent. One that `reports` says to
 * the gate how its program ended.
 */
export function sandboxArgv(
  sandbox: Sandbox,
  argv: readonly string[],
  report: 'reports' | 'silent' = 'silent',
): string[] {
  const { programs, standing } = sandbox;
  const { bwrap, env, flock, setsid } = programs;
  const paths = standing?.paths.filter((path) => !path.includes('\n')) ?? [];
  const stand = ['/bin/sh', '-c', STAND, 'contracts-stand', paths.join('\n')];
  return [
    [setsid, env, '-u', MARK_NAME],
    standing === undefined
      ? [bwrap]
      : [...stand, standing.json, standing.lock, flock, setsid, bwrap],
    standing === undefined ? [] : ['--sync-fd', '9'],
    report === 'reports' ? ['--json-status-fd', String(BEGIN_FD)] : [],
    ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    sandbox.no_network === true ? ['--unshare-net'] : [],
    sandbox.as_root ? ['--cap-drop', 'ALL', ...CAPABILITIES] : [],
    ['--proc', '/proc', '--dev', '/dev'],
    KERNEL_PLACES.flatMap((path) => ['--ro-bind-try', path, path]),
    sandbox.links.flatMap(([name, target]) => ['--symlink', target, name]),
    inOrder(sandbox.places).flatMap((place) => placeArguments(place, sandbox.places)),
    ['--remount-ro', '/', '--chdir', sandbox.cwd, '--setenv', MARK_NAME, sandbox.mark],
    ['--', ...START, ...argv],
  ].flat();
}

/** From the top down, one for each path: a mount lies over the one that it is in. */
function inOrder(places: readonly SandboxPlace[]): readonly SandboxPlace[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A place that only shows something may vanish before it is mounted; one that keeps a program out may not. */
function placeArguments(place: SandboxPlace, all: readonly SandboxPlace[]): string[] {
  const { path, as, from = path, may_go } = place;
  const keeps = from !== path || all.some((one) => one.as === 'write' && isWithin(one.path, path));
  switch (as) {
    case 'read':
      return [may_go === true || !keeps ? '--ro-bind-try' : '--ro-bind', from, path];
    case 'write':
      return ['--bind', from, path];
    case 'empty':
      return ['--tmpfs', path];
    case 'link':
      return ['--symlink', from, path];
    case 'veiled':
      return ['--ro-bind', '/dev/null', path];
  }
}
