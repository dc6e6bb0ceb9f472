/**
 * Rows on folders that lie on a file system of their own, and on a workspace that is moved while its agent
 * works: real mounts in a private namespace (where this machine allows one), the built command.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inShell, makeHouse, shellContract, type House } from './house.ts';

const OVERLAY = `mount -t tmpfs t /mnt && cd /mnt && mkdir lower upper work m && mount -t overlay o -o lowerdir=lower,upperdir=upper,workdir=work m`;
const may = (script: string): boolean =>
  spawnSync('unshare', ['-m', 'sh', '-c', script]).status === 0;
const mayMount = may('mount -t tmpfs t /mnt');
const mayOverlay = may(OVERLAY);
if (!mayMount) console.log('LEFT OUT: .desk on a file system of its own: no mount is allowed here');
if (!mayOverlay) console.log('LEFT OUT: tasks of a lower layer: no overlay is allowed here');

/** Lines of the script that begin with `= `. What is mounted is gone when it ends. */
function mounted(house: House, script: string): string[] {
  house.write('script.sh', `set -u\n${script}`);
  const { out, err, code } = inShell(house, 'exec unshare -m sh script.sh');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').filter((line) => line.startsWith('= '));
}

test.runIf(mayMount)(
  '.desk on a file system of its own: exit 3, doctor names it, nothing is lost; then it goes on',
  () => {
    const house = makeHouse();
    const lines = mounted(
      house,
      `mkdir -p active_tasks/.desk && mount -t tmpfs t active_tasks/.desk || exit 99
$BIN run > said 2>&1; echo "= $?"
$BIN doctor > doctor 2>&1
ls -d active_tasks/*/good active_tasks/.desk/*/result.md | sed 's/^/= /'
cp -a active_tasks/.desk/. kept && umount active_tasks/.desk && cp -a kept/. active_tasks/.desk
$BIN run > again 2>&1; echo "= $?"
ls -d active_tasks/*/good active_tasks/done/good/attempts/* | sed 's/^/= /'
`,
    );
    expect(lines).toEqual([
      '= 3',
      '= active_tasks/.desk/good.0001/result.md',
      '= active_tasks/in_progress/good',
      '= 0',
      '= active_tasks/done/good',
      '= active_tasks/done/good/attempts/0001.lost',
      '= active_tasks/done/good/attempts/0002',
      '= active_tasks/done/good/attempts/0003',
    ]);
    expect(house.read('said')).toMatch(/fault: EXDEV.*contracts doctor names the other one/);
    expect(house.read('doctor')).toMatch(
      /^no +moves +no move into \.desk is possible: put it on the file system of active_tasks$/m,
    );
    expect(house.read('again')).not.toContain('calls builder');
  },
);

test.runIf(mayOverlay)(
  'a task of a lower layer: exit 3, nothing is lost; the command that is named mends it',
  () => {
    const house = makeHouse();
    const lines = mounted(
      house,
      `here=$PWD; (${OVERLAY}) || exit 99
cp -a active_tasks .contracts /mnt/lower && cd /mnt/m
$BIN run > "$here/said" 2>&1; echo "= $?"
cmp active_tasks/ready/good/contract.md "$here/active_tasks/ready/good/contract.md" && echo "= same"
$BIN doctor > "$here/doctor" 2>&1
sed -n 's/.*overlayfs holds the folder: //p' "$here/said" | sh
$BIN run > "$here/again" 2>&1; echo "= $?"
ls -d active_tasks/*/good | sed 's/^/= /'; cat good.txt | sed 's/^/= /'
`,
    );
    expect(lines).toEqual(['= 3', '= same', '= 0', '= active_tasks/done/good', '= made']);
    expect(house.read('said')).toMatch(/fault: EXDEV.*overlayfs holds the folder: cp -a /);
    expect(house.read('doctor')).toContain('all state folders and .desk are on one file system');
  },
);

test('a workspace that is moved while its agent works: exit 3; where it is now it goes on', () => {
  const house = makeHouse({ neighbour: false });
  const moved = `${house.root}-moved`;
  const sh = `if [ -d ${house.root} ]; then mv ${house.root} ${moved}; fi; echo made > one.txt`;
  house.task('one', shellContract('one', { sh }));
  try {
    const first = inShell(house, `cd / && exec $BIN --dir ${house.root} run`);
    expect(first.code).toBe(3);
    expect(first.out).toContain(
      `fault: ${house.root} was moved or removed while this command ran. Go where the workspace is now; contracts run continues`,
    );
    const then = inShell({ ...house, root: moved }, '$BIN run && ls -d active_tasks/*/one');
    expect(then.out).toMatch(/\nactive_tasks\/done\/one\n$/);
    expect(existsSync(house.root)).toBe(false);
  } finally {
    rmSync(moved, { recursive: true, force: true });
  }
});
