/**
 * Power cuts on a real file system: ext4 on a loop device, the built command, agents that are sh programs
 * and never sync. A life is played with the cut at one of its calls (power-switch.cjs), the file system is
 * mounted again as another boot, and the life goes on to its end. Needs root, and says so where it may not.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY } from './binary.ts';
import { sealedEnv } from './sealed-folder.ts';
import { IN_MEMORY, sealedFolder } from './sealed-folder.ts';

export interface Life {
  readonly name: string;
  readonly head: string;
  readonly git?: boolean;
  /** Commands of the person, in order. Each may be given again after a cut. */
  readonly commands: readonly string[];
  /** How often agents are started where nothing befalls. */
  readonly starts: number;
}

const BY_COMMAND = `adapter: mine
adapters:
  mine: { type: command, run: [sh, .contracts/agent.sh] }
agents:
  rev: {}
`;
const DELIVERS = 'deliverables: [made/out.txt]\nverify:\n  - matches: made/out.txt /^made$/\n';

export const LIVES: readonly Life[] = [
  { name: 'simple', head: DELIVERS, commands: ['run'], starts: 1 },
  { name: 'question', head: DELIVERS, commands: ['run', 'answer one blue', 'run'], starts: 2 },
  {
    name: 'review',
    head: `${DELIVERS}quality_gate: [rev]\n`,
    commands: ['run'],
    starts: 2,
  },
  {
    name: 'worktree and merge',
    head: `${DELIVERS}isolation: worktree\n`,
    git: true,
    commands: ['run', 'merge --yes one'],
    starts: 1,
  },
];

/** Asks first in the life that is about it. Writes its start where no power cut comes. */
const agent = (
  starts: string,
  asks: boolean,
): string => `echo "$CONTRACTS_KIND $CONTRACTS_ATTEMPT" >>${starts}
if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\\n\\n## Findings\\n\\n1. words of the reviewer\\n' >"$CONTRACTS_OUT/review.md"
  exit
fi
if [ ${asks} = true ] && ! grep -q blue "$CONTRACTS_BRIEF"; then
  printf '# Questions\\n\\n## Questions\\n\\n1. Which colour?\\n' >"$CONTRACTS_OUT/questions.md"
  exit
fi
mkdir -p made
echo made >made/out.txt
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is there\\n\\n## Notes\\n\\nwords of the agent\\n' >"$CONTRACTS_OUT/result.md"
`;

const SWITCH = fileURLToPath(new URL('power-switch.cjs', import.meta.url));

/** Words for a person where this cannot be done; undefined where it can. */
export function powerCutsMissing(): string | undefined {
  let rig: Rig | undefined;
  try {
    rig = new Rig(LIVES[0]!);
    const { met, cut } = rig.play(0);
    return met && !cut.includes('not cut') ? undefined : `the power cannot be cut here: ${cut}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rig?.remove();
  }
}

export interface Cut {
  /** Whether the cut came, and at which call. */
  readonly met: boolean;
  readonly cut: string;
  readonly wrong: readonly string[];
  readonly said: string;
}

/** One life and its disk, as it is before the first command. */
export class Rig {
  readonly #life: Life;
  readonly #at = sealedFolder('cut', IN_MEMORY);

  constructor(life: Life) {
    this.#life = life;
    fs.mkdirSync(join(this.#at, 'mnt'));
    fs.writeFileSync(join(this.#at, 'new.img'), '');
    fs.truncateSync(join(this.#at, 'new.img'), 32 * 1024 * 1024);
    this.#sh('mkfs.ext4 -q -O ^metadata_csum_seed new.img', 'once');
    fs.copyFileSync(join(this.#at, 'new.img'), join(this.#at, 'disk.img'));
    this.#inside(`${this.#make()}\nsync -f .`, 'once');
    fs.renameSync(join(this.#at, 'disk.img'), join(this.#at, 'new.img'));
  }

  /** How many calls there are at which the power can be cut. */
  calls(): number {
    this.play(Number.POSITIVE_INFINITY);
    return fs.readFileSync(join(this.#at, 'count')).length;
  }

  play(point: number): Cut {
    const { commands, name, git } = this.#life;
    const at = this.#at;
    for (const file of ['count.cut', 'told']) {
      fs.rmSync(join(at, file), { force: true });
    }
    for (const folder of ['cut', 'end'])
      fs.rmSync(join(at, folder), { recursive: true, force: true });
    for (const file of ['count', 'uncounted', 'starts']) fs.writeFileSync(join(at, file), '');
    fs.copyFileSync(join(at, 'new.img'), join(at, 'disk.img'));
    const first = commands.map((one) => `[ -e ../../count.cut ] || c ${one} >>../../told 2>&1`);
    const env = { CONTRACTS_TEST_CUT_AT: String(point) };
    let said = this.#inside(first.join('\n'), 'before', env);
    const met = fs.existsSync(join(at, 'count.cut'));
    const cut = met ? fs.readFileSync(join(at, 'count.cut'), 'utf8').trim() : 'no cut';
    // A person goes on: the commands again, and once more where the first round only recovered.
    const again = [...commands, ...commands].map((one) => `c ${one} || true`);
    const look =
      git === true ? 'git status --porcelain -- made base.txt; git fsck --no-dangling' : ':';
    const later = [
      'cp -a . ../../cut',
      ...again,
      '( '.concat(look, ' ) >../git 2>&1'),
      'cp -a . ../../end',
    ];
    said += this.#inside(later.join('\n'), 'after', { ...env, CONTRACTS_TEST_CUT_AT: '-1' });
    const wrong = [...this.#atTheCut(), ...this.#atTheEnd(said)];
    return {
      met,
      cut,
      said,
      wrong: wrong.map((one) => `${name}, cut at ${point} (${cut}): ${one}`),
    };
  }

  remove(): void {
    fs.rmSync(this.#at, { recursive: true, force: true });
  }

  /** What the disk says right after the cut, before anybody goes on. */
  #atTheCut(): string[] {
    const root = join(this.#at, 'cut');
    const wrong: string[] = [];
    const done = fs.existsSync(join(root, 'active_tasks/done/one'));
    const told = read(join(this.#at, 'told'));
    if (/1 task done/.test(told) && !done) wrong.push('told as done, and it is not');
    const text = read(join(root, 'made/out.txt'));
    if (done && this.#life.git !== true && text !== 'made\n')
      wrong.push('done with a torn deliverable');
    if (/worktree and branch removed/.test(told) && text !== 'made\n')
      wrong.push('merged, and the file is torn');
    if (done && !read(join(root, 'active_tasks/done/one/result.md')).includes('words of the agent'))
      wrong.push('done without its result');
    return wrong;
  }

  #atTheEnd(said: string): string[] {
    const root = join(this.#at, 'end');
    const wrong: string[] = [];
    const task = join(root, 'active_tasks/done/one');
    if (!fs.existsSync(task)) return [`it does not come to done: ${said.slice(-600)}`];
    if (read(join(root, 'made/out.txt')) !== 'made\n')
      wrong.push('the deliverable is torn at the end');
    if (!read(join(task, 'result.md')).includes('words of the agent'))
      wrong.push('the result is lost');
    const all = filesBelow(task).map(read).join('\n');
    for (const words of this.#words()) if (!all.includes(words)) wrong.push(`lost: ${words}`);
    const git = this.#life.git === true ? read(join(this.#at, 'git')).trim() : '';
    if (git !== '') wrong.push(`git says: ${git}`);
    const starts = read(join(this.#at, 'starts')).trim().split('\n');
    const again = starts.length - this.#life.starts;
    if (again > (this.#lastHadEnded() ? 0 : 1)) wrong.push(`started again: ${starts.join(', ')}`);
    if (new Set(starts).size !== starts.length)
      wrong.push(`one attempt twice: ${starts.join(', ')}`);
    return wrong;
  }

  #words(): readonly string[] {
    if (this.#life.name === 'question') return ['Which colour?', 'blue'];
    return this.#life.name === 'review' ? ['words of the reviewer'] : [];
  }

  /** Whether every agent that had been started at the cut has a durable exit record. */
  #lastHadEnded(): boolean {
    const files = filesBelow(join(this.#at, 'cut/active_tasks'));
    const started = files.filter((path) => path.endsWith('/agent.md'));
    const ended = files.filter(
      (path) => path.endsWith('/exit.md') && read(path).includes('exit_code'),
    );
    return started.length <= ended.length;
  }

  /** The workspace, by the command itself. */
  #make(): string {
    const { head, git, name } = this.#life;
    const contract = `---\nv: 1\ntitle: one\n${head}---\n\n# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`;
    const file = (path: string, text: string): string => `cat >${path} <<'EOF'\n${text}EOF`;
    return [
      ...(git === true ? ['git init -q -b main', 'echo base >base.txt'] : []),
      `"${process.execPath}" "${BINARY}" init --dir . >/dev/null </dev/null`,
      file('.contracts/config.yaml', BY_COMMAND),
      file('.contracts/agent.sh', agent(join(this.#at, 'starts'), name === 'question')),
      'mkdir active_tasks/ready/one',
      file('active_tasks/ready/one/contract.md', contract),
      ...(git === true
        ? ['git add -A', 'git -c user.name=a -c user.email=a@b commit -q -m first']
        : []),
    ].join('\n');
  }

  /** In namespaces of its own, with the disk mounted and a boot id of its own. */
  #inside(script: string, boot: string, env: Readonly<Record<string, string>> = {}): string {
    const command = `"${process.execPath}" --require "${SWITCH}" "${BINARY}" "$@" --dir . </dev/null`;
    return this.#sh(
      `unshare --mount --pid --fork --mount-proc sh -e <<'OUTER'
mount -o loop,commit=300 disk.img mnt
echo boot-${boot} >boot
mount --bind boot /proc/sys/kernel/random/boot_id
mkdir -p mnt/w mnt/home
( cd mnt/w
export HOME="$PWD/../home" CONTRACTS_SANDBOX=none CONTRACTS_TRUST=1
c() { ${command}; }
${script}
) || echo "failed: $?"
kill -9 -1 2>/dev/null || true
for i in 1 2 3 4 5; do umount mnt && break; sleep 0.2; done
OUTER`,
      boot,
      env,
    );
  }

  #sh(script: string, boot: string, env: Readonly<Record<string, string>> = {}): string {
    const at = this.#at;
    const ended = spawnSync('sh', ['-c', script], {
      cwd: at,
      encoding: 'utf8',
      timeout: 120_000,
      env: {
        ...sealedEnv(),
        NO_COLOR: '1',
        CONTRACTS_TEST_CUT_AT: '-1',
        CONTRACTS_TEST_COUNT: join(at, boot === 'before' ? 'count' : 'uncounted'),
        CONTRACTS_TEST_DISK: join(at, 'mnt'),
        ...env,
      },
    });
    if (ended.status !== 0) throw new Error(`power cuts cannot be tried: ${ended.stderr}`);
    return ended.stdout + ended.stderr;
  }
}

function read(path: string): string {
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
}

function filesBelow(folder: string): readonly string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
