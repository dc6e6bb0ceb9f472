/**
 * Many real runs in real sandboxes at once: a project without a single settings folder, agents with different permissions,
 * reviewers, checks. Counts the attempts and what must not be: faults, processes and folders that are left.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_FOLDERS } from '../../src/task/core/model/permissions.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { startContracts, type Started } from './binary.ts';
import { putFile, sealedFolder } from './sealed-folder.ts';

export interface SandboxRuns {
  runs: number;
  attempts: number;
  /** With what the run said of it. */
  readonly faults: string[];
  readonly processes: string[];
  readonly folders: string[];
}

/** Without one such a folder is a stand-in's, and `.contracts` is always there. */
export const STAND_INS = SETTING_FOLDERS.filter((name) => name !== '.contracts');
/** The ordinary user of tests that root starts. */
const USER = 1001;

const CONFIG = `sandbox: bwrap
parallel: 4
adapter: agent
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
  reviewer: { type: command, run: [sh, .contracts/reviewer.sh] }
agents:
  writer: { adapter: agent, write: [docs/**] }
  reader: { adapter: agent, write: [empty/**] }
`;
const RESULT = `printf '# Result\\n\\n- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n' > "$CONTRACTS_OUT/result.md"`;
const AGENT = `for one in ${STAND_INS.join(' ')}; do
  if mkdir -p $one/skills 2>/dev/null; then touch $one/skills/evil.md; fi
done
[ ! -e slow ] || sleep 60
sleep 0.$(($$ % 3))
case $CONTRACTS_AGENT in
  writer) mkdir -p docs && echo x > docs/$CONTRACTS_TASK.txt || exit 4 ;;
  builder) echo x > $CONTRACTS_TASK.txt || exit 5 ;;
esac
${RESULT}
`;
const REVIEW = `sleep 0.$(($$ % 2))
printf -- '- Verdict: APPROVED\\n' > "$CONTRACTS_OUT/review.md"
`;

const HEADS: readonly (readonly [id: string, head: string])[] = [
  ['all', 'quality_gate: reviewer\nverify: [{ run: test -s all.txt }]'],
  ['other', 'quality_gate: reviewer\nverify: [{ run: test -s other.txt }, { run: "exit 0" }]'],
  ['docs', 'agent: writer\nquality_gate: reviewer\nverify: [{ run: test -s docs/docs.txt }]'],
  ['more', 'agent: writer\nverify: [{ run: test -s docs/more.txt }]'],
  ['nothing', 'agent: reader\nverify: [{ run: "true" }]'],
  ['last', 'depends_on: [all]\nverify: [{ run: test -s last.txt }]'],
];

export function makeProject(): string {
  const root = sealedFolder('sandboxes');
  const put = (path: string, text: string): void => putFile(join(root, path), text);
  // A folder above may be a repository for a moment, on a machine where others test too.
  execFileSync('git', ['init', '-q'], { cwd: root });
  init(realDisk, root);
  put('.contracts/config.yaml', CONFIG);
  put('.contracts/agent.sh', AGENT);
  put('.contracts/reviewer.sh', REVIEW);
  for (const [id, head] of HEADS) {
    put(
      `active_tasks/ready/${id}/contract.md`,
      `---\nv: 1\ntitle: ${id}\nretries_max: 0\n${head}\n---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] It is done\n`,
    );
  }
  return root;
}

/** As root, or as the ordinary user: then the project is that user's. */
export function startRun(root: string, ordinary: boolean, words = ['run', '--json']): Started {
  // A workspace that is the home itself has no sandbox.
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  // What is remembered beside the home is of root.
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: undefined,
    CONTRACTS_SANDBOX: undefined,
  };
  if (!ordinary) return startContracts(root, words, [], env);
  chmodSync(root, 0o755);
  execFileSync('chown', ['-R', `${USER}:${USER}`, root]);
  const as = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
  return startContracts(root, words, as, env);
}

export async function sandboxRuns(runs: number, ordinary = false): Promise<SandboxRuns> {
  const counts: SandboxRuns = { runs: 0, attempts: 0, faults: [], processes: [], folders: [] };
  for (; counts.runs < runs; counts.runs++) {
    const root = makeProject();
    const { code, stdout, stderr } = await startRun(root, ordinary).ended;
    const lines = stdout.split('\n');
    counts.attempts += lines.filter((one) => one.includes('"event":"claimed"')).length;
    const bad = lines.filter((one) => /"event":"(fault|problem|waits)"|interrupted/.test(one));
    if (code !== 0 || bad.length > 0) counts.faults.push(`exit ${code}: ${bad.join(' ')}${stderr}`);
    counts.processes.push(...processesOf(root));
    counts.folders.push(...leftIn(root));
    const done = readdirSync(join(root, 'active_tasks/done'));
    if (!HEADS.every(([id]) => done.includes(id))) {
      counts.faults.push(`not all tasks are done in ${root}`);
    } else rmSync(root, { recursive: true, force: true });
  }
  return counts;
}

export function leftIn(root: string): string[] {
  return readdirSync(root).filter((name) => [...STAND_INS, 'empty'].includes(name));
}

/** Command lines of those that live and belong to that project, by their arguments and environment. */
export const processesOf = (root: string): string[] => [...processes(root).values()];

/** Runner, agents and all that they started, at once. */
export function killAll(root: string): void {
  for (const pid of processes(root).keys()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
}

function processes(root: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const ours = environment.includes(root) || line.includes(root);
      if (ours && Number(pid) !== process.pid) found.set(Number(pid), line);
    } catch {
      // It has ended.
    }
  }
  return found;
}
