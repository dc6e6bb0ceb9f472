/**
 * Who is root, by the built command and on the real machine: what a sandbox shows of files that only root
 * reads, what setuid programs gain in it, and what is said of those that an agent leaves in the workspace.
 * By another user than root it is left out.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { straceMissing } from '../support/strace.ts';
import { inShell, makeHouse, shellContract, type House } from './house.ts';

const isRoot = process.getuid?.() === 0;
const here = sandboxMachine(process.env['PATH'] ?? '');
if (!isRoot) console.log('LEFT OUT: what root meets, because another user runs this');
if (!here.works) console.log(`LEFT OUT: what root meets in a sandbox, because ${here.why}`);
const asRoot = test.runIf(isRoot);
const confined = test.runIf(isRoot && here.works);
const modes = ['none', ...(here.works ? ['bwrap'] : [])];

function houseOf(sandbox: string, sh: string): House {
  const house = makeHouse({ config: `sandbox: ${sandbox}\n`, neighbour: false });
  house.task('one', shellContract('one', { sh: `${sh}\necho made > one.txt` }));
  return house;
}

const run = (house: House, verb = 'run', command = `exec $BIN ${verb}`) =>
  inShell(house, command, { CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: '', HOME: '/root' });

function outcomeOf(house: House): string {
  const [state = ''] = house.where('one');
  return house.read(`active_tasks/${state}/one/attempts/0001/outcome.md`);
}

const OVERLAID = ['/etc', '/opt', '/usr/local/etc'];
/** In a mount namespace of its own the folders of the machine can be written, and stay as they are. */
const OVERLAYS = `mount -t tmpfs t /mnt && for d in ${OVERLAID.join(' ')}; do
  mkdir -p /mnt/$d/u /mnt/$d/w "$d" && mount -t overlay o -o lowerdir=$d,upperdir=/mnt/$d/u,workdir=/mnt/$d/w $d || exit 99
done`;
const mayOverlay = spawnSync('unshare', ['-m', 'sh', '-c', OVERLAYS]).status === 0;
if (isRoot && !mayOverlay)
  console.log('LEFT OUT: files in /opt and /etc: no overlay is allowed here');

test.runIf(isRoot && here.works && mayOverlay)(
  'files that only root reads are not there: /etc, /opt, /usr/local, however deep',
  () => {
    const folders = OVERLAID.map((folder) => `${folder}/contracts-test`);
    const each = (...names: string[]): string =>
      folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)).join(' ');
    const house = houseOf(
      'bwrap',
      `cat ${each('public')} > read.txt
cat ${each('key', '1/2/3/4/5/6/key', 'shut/key', 'many/0', 'many/59')} > shut.txt 2> /dev/null || true
for key in ${each('key')}; do
  (echo x > $key; chmod 644 $key; umount $key) 2> /dev/null && echo got >> shut.txt || true
done`,
    );
    house.write(
      'make.sh',
      `${OVERLAYS}
for d in ${folders.join(' ')}; do
  mkdir -p $d/1/2/3/4/5/6 $d/many && mkdir -m 700 $d/shut
  echo public > $d/public
  for key in $d/key $d/1/2/3/4/5/6/key $d/many/$(seq -s " $d/many/" 0 59); do echo key > $key; chmod 600 $key; done
  echo key > $d/shut/key
done
cat ${each('1/2/3/4/5/6/key', 'shut/key', 'many/59')} > there.txt
`,
    );
    const said = run(house, 'run', 'unshare -m sh -c ". ./make.sh; exec $BIN run"');
    expect(house.read('there.txt')).toBe('key\n'.repeat(9));
    expect(house.where('one'), said.out).toEqual(['done']);
    expect(house.read('read.txt')).toBe('public\n'.repeat(3));
    expect(house.read('shut.txt')).toBe('');
  },
);

const noStrace = straceMissing();
if (isRoot && noStrace !== undefined)
  console.log(`LEFT OUT: how often root looks through /etc, because ${noStrace}`);

test.runIf(isRoot && here.works && mayOverlay && noStrace === undefined)(
  'the look at /etc, /opt and /usr/local is kept, unless a folder changed; no agent sees or changes it',
  () => {
    const house = houseOf('bwrap', 'true');
    const state = `${house.root}-state`;
    const kept = `${state}/contracts/keys/root-only.json`;
    for (const name of ['one', 'two', 'three']) {
      const sh = `echo made > ${name}.txt
cat ${kept} /usr/local/etc/contracts-key >> seen.txt 2> /dev/null || true
(mkdir -p ${state}/contracts/keys; echo '[]' > ${kept}) 2> /dev/null || true`;
      house.write(`later/${name}.md`, shellContract(name, { sh }));
    }
    house.write(
      'make.sh',
      `${OVERLAYS}
next() {
  mkdir -p active_tasks/ready/$1 && cp later/$1.md active_tasks/ready/$1/contract.md
  strace -y -o $1.strace -e trace=getdents64 $BIN run
}
next one; stat -c '%a %u %F' ${kept} ${state}/contracts/keys > mode.txt; sha256sum ${kept} > kept.txt
next two; sha256sum -c kept.txt > same.txt
(umask 077; echo key > /usr/local/etc/contracts-key); cat /usr/local/etc/contracts-key > there.txt
next three
`,
    );
    try {
      const said = inShell(house, 'unshare -m sh -c ". ./make.sh"', {
        CONTRACTS_TRUST: '1',
        CONTRACTS_SANDBOX: '',
        HOME: '/root',
        XDG_STATE_HOME: state,
      });
      expect(
        [...house.where('one'), ...house.where('two'), ...house.where('three')],
        said.out,
      ).toEqual(['done', 'done', 'done']);
      const looked = (name: string): number =>
        house.read(`${name}.strace`).match(/<\/(?:etc|opt|usr\/local)[/>]/g)?.length ?? 0;
      expect(looked('one')).toBeGreaterThan(2);
      expect(looked('two')).toBe(0);
      expect(looked('three')).toBe(looked('one'));
      expect(house.read('mode.txt')).toBe('600 0 regular file\n700 0 directory\n');
      expect(house.read('same.txt')).toContain('OK');
      expect(house.read('there.txt')).toBe('key\n');
      expect(house.read('seen.txt')).toBe('');
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  },
);

const POWERS = 'grep -E "^(CapEff|NoNewPrivs)" /proc/self/status';

confined('no mount lets a setuid program gain anything, and no new privileges are had', () => {
  const house = houseOf(
    'bwrap',
    `cut -d ' ' -f 5,6 /proc/self/mountinfo > mounts.txt
${POWERS} > before.txt
for folder in . /tmp "$HOME" "$CONTRACTS_OUT"; do
  cp "$(command -v grep)" "$folder/powers"; chmod 6755 "$folder/powers"
  setpriv --reuid=61001 --regid=61001 --clear-groups "$folder/powers" -E "^(Uid|CapEff)" /proc/self/status >> after.txt
  rm "$folder/powers"
done`,
  );
  // So that another user can run what is in it.
  chmodSync(house.root, 0o755);
  const said = run(house);
  expect(house.where('one'), said.out).toEqual(['done']);
  const mounts = house.read('mounts.txt').trim().split('\n');
  expect(mounts.length).toBeGreaterThan(10);
  expect(mounts.filter((line) => !line.includes('nosuid'))).toEqual([]);
  expect(house.read('before.txt')).toMatch(/^NoNewPrivs:\t1$/m);
  // Chown, access to files, kill and change of user; none over the machine.
  expect(house.read('before.txt')).toMatch(/^CapEff:\t00000000000000fb$/m);
  const after = house.read('after.txt').trim().split('\n');
  expect(after).toHaveLength(8);
  expect(new Set(after)).toEqual(
    new Set(['Uid:\t61001\t61001\t61001\t61001', 'CapEff:\t0000000000000000']),
  );
});

asRoot.each(modes)(
  'a setuid program and a foreign file that it leaves are noticed; sandbox: %s',
  (mode) => {
    const house = houseOf(
      mode,
      `cp /bin/sh evil; chmod 4755 evil; mkdir -p deep; cp /bin/sh deep/group; chmod 2755 deep/group
echo x > foreign; chown 12345 foreign; echo x > plain; chmod 755 plain; chmod u+s old`,
    );
    house.write('old', 'was there\n');
    const said = run(house);
    expect(house.where('one'), said.out).toEqual(['done']);
    const outcome = outcomeOf(house);
    expect(outcome).toContain('evil is setuid: it runs with the permissions of root');
    expect(outcome).toContain('old is setuid: it runs with the permissions of root');
    expect(outcome).toContain('deep/group is setgid: it runs with the permissions of its group');
    expect(outcome).toContain('foreign belongs to another user: user 12345');
    expect(outcome).not.toMatch(/plain (?:is|belongs)/);
    expect(run(house, 'show one').out).toContain('evil is setuid');
    expect(said.out).toMatch(/noticed 4 changes/);
  },
);

asRoot('in a worktree too, and a checkout of another user is at home', () => {
  const house = houseOf('none', `cp /bin/sh evil; chmod 4755 evil; cp -p ours ours-too`);
  house.write('ours', 'x\n');
  const git = 'git -c user.name=a -c user.email=a@b';
  inShell(house, `git init -q && git add -A . && ${git} commit -qm one`);
  house.write('.contracts/config.yaml', 'sandbox: none\nisolation: worktree\n');
  const said = run(house);
  expect(house.where('one'), said.out).toEqual(['done']);
  expect(outcomeOf(house)).toContain('evil is setuid');

  const other = houseOf('none', `echo more >> theirs; echo x > mine`);
  other.write('theirs', 'x\n');
  inShell(other, 'chown -R 61001:61001 . && git config --global --add safe.directory "$PWD"', {
    HOME: other.path('.contracts'),
  });
  const then = inShell(other, 'exec $BIN run', {
    CONTRACTS_TRUST: '1',
    HOME: other.path('.contracts'),
  });
  expect(other.where('one'), then.out + then.err).toEqual(['done']);
  expect(outcomeOf(other)).not.toContain('another user');
});

asRoot('doctor says that root is weaker', () => {
  expect(run(houseOf('none', 'true'), 'doctor').out).toMatch(
    /^\S+ +sandbox .*as root it is weaker/m,
  );
});
