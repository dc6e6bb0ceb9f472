/**
 * Rows on what is around the runner: full and read-only disks in a private mount namespace (where
 * this machine allows one), no file descriptors left, two editors, clocks, pids, reboots, settings.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realMachine } from '../../src/process/machine.ts';
import { step } from '../../src/engine/step/step.ts';
import { answer } from '../../src/engine/commands/write-words.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { BINARY, inShell, makeHouse, mark, shellContract, waitsOf, type House } from './house.ts';
import { openedAt } from '../support/opened.ts';

/** The files of the built command, without the one that starts it and the programs between it and an agent. */
const PARTS = readdirSync(dirname(BINARY)).filter(
  (name) => name.endsWith('.cjs') && ![basename(BINARY), 'acp.cjs', 'relay.cjs'].includes(name),
);

const MAY_MOUNT = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs t /mnt']).status === 0;

/** The house's folder `m` is a small file system of its own while the script runs. */
function onSmallDisk(house: House, options: string, script: string): string[] {
  const prepare = `mkdir m && mount -t tmpfs -o ${options} t m && cp -r active_tasks .contracts m/ && cd m`;
  house.write('script.sh', `set -u\n${prepare} || exit 99\n${script}`);
  const { out, err, code } = inShell(house, 'exec unshare -m sh script.sh');
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return out.split('\n').filter((line) => line.startsWith('= '));
}

const TREE = 'find active_tasks .contracts -type f -exec sha256sum {} + | sort';

describe('full disk, read-only disk, no inodes, EMFILE', () => {
  test.runIf(MAY_MOUNT).each([
    [
      'full',
      'size=200k',
      'head -c 1000000 /dev/zero > fill 2>/dev/null',
      'rm fill',
      /ENOSPC.*Free some space/,
    ],
    [
      'out of inodes',
      'nr_inodes=60',
      'i=0; while : > fill-$i; do i=$((i+1)); done 2>/dev/null',
      'rm fill-*',
      /ENOSPC.*Free some space/,
    ],
    [
      'read-only',
      'size=2m',
      'mount -o remount,ro t',
      'mount -o remount,rw t',
      /EROFS.*Make active_tasks writable/,
    ],
  ])(
    '%s: exit 3 and words, the tree as before; then it goes on',
    (_name, options, spoil, mend, words) => {
      const house = makeHouse();
      const lines = onSmallDisk(
        house,
        options,
        `${TREE} > ../before\n(${spoil})\n$BIN run > ../said 2>&1; echo "= $?"\n${TREE} | cmp ../before - && echo "= same"\n${mend}\n$BIN run > /dev/null; echo "= $?"\nls -d active_tasks/done/good/contract.md && echo "= done"\n`,
      );
      expect(lines).toEqual(['= 3', '= same', '= 0', '= done']);
      expect(house.read('said')).toMatch(words);
      expect(house.read('said')).not.toContain('bug');
    },
  );

  test.runIf(MAY_MOUNT)(
    'full while the agent writes its result: never done on the word of exit 0',
    () => {
      const house = makeHouse({
        config: 'adapters:\n  own: { type: command, run: [sh, ../agent.sh] }\n',
      });
      house.write(
        'agent.sh',
        'head -c 10000000 /dev/zero > fill 2>/dev/null\necho "- Status: COMPLETE" > "$CONTRACTS_OUT/result.md"\nexit 0\n',
      );
      house.task('bad', shellContract('bad', { head: 'adapter: own\nretries_max: 0' }));
      const lines = onSmallDisk(
        house,
        'size=400k',
        '$BIN run > ../said 2>&1; echo "= $?"\nls -d active_tasks/done/bad && echo "= done"\nrm -f fill\nprintf "exit 0" > ../agent.sh\n$BIN run > ../again 2>&1; ls -d active_tasks/*/bad | sed "s/^/= /"\n',
      );
      expect(lines[0]).toMatch(/= [13]/);
      expect(lines.at(-1)).not.toContain('done');
      expect(lines).toHaveLength(2);
    },
  );

  test.runIf(MAY_MOUNT)(
    'full when the agent ends: its end cannot be recorded, so it is called again, which is said',
    () => {
      const house = makeHouse({
        config: 'adapters:\n  own: { type: command, run: [sh, ../agent.sh] }\n',
        neighbour: false,
      });
      house.write(
        'agent.sh',
        'echo called >> ../calls\necho good > good.txt\ncp ../result.md "$CONTRACTS_OUT/result.md"\n[ -e ../once ] || head -c 10000000 /dev/zero > fill 2>/dev/null\n: > ../once\n',
      );
      house.write('result.md', '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n');
      house.task('good', shellContract('good', { head: 'adapter: own' }));
      const lines = onSmallDisk(
        house,
        'size=600k',
        '$BIN run > ../said 2>&1; echo "= $?"\nrm fill\n$BIN run > ../again 2>&1; wc -l < ../calls | sed "s/^/= /"\n',
      );
      expect(lines).toEqual(['= 3', '= 2']);
      expect(house.read('said')).toContain(
        'an agent whose end could not be recorded is called again',
      );
      expect(house.read('again')).toMatch(/recovered: try 1 was not finished[^]*calls builder/);
    },
  );

  test.each([0, 1, 3, 6])(
    '%d file descriptors left: exit 3 and words, or done; and the next run goes on',
    (left) => {
      const house = makeHouse();
      house.write(
        'few.mjs',
        // The files of the command are loaded before: what fails is its work.
        `import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';
const require = createRequire(${JSON.stringify(BINARY)});
for (const name of ${JSON.stringify(PARTS)}) require('./' + name);
process.argv = [process.execPath, ${JSON.stringify(BINARY)}, 'run'];
void [process.stdout, process.stderr];
spawn('true').on('close', () => {
  // It begins here, and goes on when this function has ended.
  require(${JSON.stringify(BINARY)});
  const held = [];
  try { for (;;) held.push(openSync('/dev/null')); } catch {}
  for (const fd of held.splice(0, ${left})) closeSync(fd);
});
`,
      );
      const { code, out, err } = inShell(
        house,
        `ulimit -n 120; exec ${process.execPath} few.mjs 2>&1`,
      );
      expect(err).toBe('');
      expect(out).not.toContain('bug');
      if (left < 3) expect(code).toBe(3);
      expect([0, 3]).toContain(code);
      if (code === 3) expect(out).toMatch(/fault|EMFILE/);
      expect(inShell(house, '$BIN run').code).toBe(0);
      expect(house.where('good')).toEqual(['done']);
    },
  );
});

/** A person saves just before the runner writes: at its `nth` read of a file of that name. */
function savedAtRead(name: string, nth: number, save: (path: string) => void): Disk {
  let reads = 0;
  return {
    ...realDisk,
    read: (path, max, options) => {
      if (path.endsWith(`/${name}`) && ++reads === nth) save(path);
      return realDisk.read(path, max, options);
    },
  };
}

async function stepOn(house: House, disk: Disk) {
  return step(openedAt(house.root, { disk }));
}

describe('two editors, a person saving while step runs', () => {
  const asked = '# Questions\n\n## Questions\n\n1. Which?\n2. When?\n';

  const think = (path: string): void => appendFileSync(path, '\nA thought of mine.\n');

  test('questions.md saved at any read of a step that writes slots: never lost, and said', async () => {
    const reasons = new Set<string>();
    for (let nth = 1; nth <= 4; nth++) {
      const house = makeHouse({ neighbour: false });
      const folder = house.task('bad', shellContract('bad'), 'questions');
      house.write(`${folder}/questions.md`, asked);
      const { events } = await stepOn(house, savedAtRead('questions.md', nth, think));
      for (const event of events) if (event.event === 'lost_race') reasons.add(event.reason);
      const text = house.read(`${folder}/questions.md`);
      expect([nth, text.split('A thought of mine.').length - 1]).toEqual([nth, 1]);
    }
    expect([...reasons]).toEqual(['questions.md was changed at the same time']);
  });

  test.each(['result.md', 'questions.md'])(
    '%s written by a person while the agent works: kept beside what the agent wrote',
    async (name) => {
      const house = makeHouse();
      const text = name === 'questions.md' ? asked : '- Status: FAILED\n\n## Notes\n\nmine\n';
      const by_hand = `by hand\n`;
      house.write('agent.md', text);
      house.task(
        'bad',
        shellContract('bad', {
          head: 'retries_max: 0',
          sh: `echo made > bad.txt; printf "by hand\\n" > active_tasks/in_progress/bad/${name}; cat agent.md > "$CONTRACTS_OUT/${name}"`,
        }),
      );
      const { events } = await house.events('run');
      expect(JSON.stringify(events)).toContain(
        `the ${name} that a person wrote is kept in attempt 1`,
      );
      const [state] = house.where('bad');
      expect(house.read(`active_tasks/${state}/bad/attempts/0001/by-hand-${name}`)).toBe(by_hand);
      expect(house.read(`active_tasks/${state}/bad/${name}`)).toContain(
        name === 'questions.md' ? '1. Which?' : 'mine',
      );
    },
  );

  test('a box ticked while the review step runs is not lost', async () => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: 'quality_gate: [person]' }));
    await house.run('run');
    const file = 'active_tasks/review/bad/review.md';
    const tick = (path: string): void =>
      writeFileSync(path, readFileSync(path, 'utf8').replace('- [ ] REJECT', '- [x] REJECT'));
    await stepOn(house, savedAtRead('review.md', 2, tick));
    tick(house.path(house.exists(file) ? file : 'active_tasks/aborted/bad/review.md'));
    await house.run('run');
    expect(house.where('bad')).toEqual(['aborted']);
  });

  test('a verb never writes over what was saved just then, and says so', async () => {
    const messages = new Set<string>();
    for (let nth = 1; nth <= 4; nth++) {
      const house = makeHouse({ neighbour: false });
      const folder = house.task('bad', shellContract('bad'), 'questions');
      house.write(`${folder}/questions.md`, asked);
      let saved = false;
      const disk = savedAtRead('questions.md', nth, (path) => {
        saved = true;
        think(path);
      });
      const said = answer(openedAt(house.root, { disk }), 'bad', 'This one.');
      const text = house.read(`${folder}/questions.md`);
      expect([nth, text.includes('This one.')]).toEqual([nth, said.ok]);
      expect([nth, text.includes('A thought of mine.')]).toEqual([nth, saved]);
      if (!said.ok) messages.add(said.problems[0]?.message ?? '');
    }
    expect([...messages]).toEqual(['the file changed just now; nothing was written']);
  });
});

describe('clock jumps, pid reuse, reboot', () => {
  const self = realMachine().self();
  function owned(
    house: House,
    changes: Partial<typeof self>,
    claimed = '2026-01-01T00:00:00.000Z',
  ): string {
    const folder = house.task('bad', shellContract('bad'), 'in_progress');
    const ref = { ...self, ...changes };
    const lines = Object.entries({
      v: 1,
      task: 'bad',
      attempt: 1,
      kind: 'work',
      owner: 'process',
      agent: 'builder',
      nonce: '0'.repeat(32),
      base: 0,
      claimed,
      contract: '',
      inputs: '',
      ...ref,
    });
    house.write(
      `${folder}/attempts/0001/owner.md`,
      `---\n${lines.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('\n')}\n---\n`,
    );
    house.write(`${folder}/attempts/0001/lease.md`, '---\nv: 1\nnonce: x\nbeat: 0\n---\n');
    return folder;
  }
  const parent = realMachine().identify(process.ppid);

  test.each([
    ['another boot', { ...parent, boot: 'an-earlier-boot' }],
    ['a pid that is somebody else’s now', { ...parent, start: '1' }],
    ['a pid that nobody has', { pid: 2 ** 22 + 1, start: '1' }],
  ])('%s: dead, taken over', async (_name, changes) => {
    const house = makeHouse();
    owned(house, changes);
    const { code, events } = await house.events('run');
    expect(events).toContainEqual(expect.objectContaining({ event: 'recovered', task: 'bad' }));
    expect(code).toBe(0);
    expect(house.where('bad')).toEqual(['done']);
  });

  test.each([
    ['a living process', { ...parent }, /try 1 is running/],
    ['another host', { ...parent, host: 'elsewhere' }, /runs on elsewhere/],
    ['a host of the same name, another machine', { ...parent, machine: 'another' }, /runs on/],
    ['another pid namespace', { ...parent, pid_ns: 'pid:[1]' }, /runs on/],
  ])('%s: left alone', async (_name, changes, reason) => {
    const house = makeHouse();
    const folder = owned(house, changes);
    const before = mark(house.path(folder));
    const { events } = await house.events('step');
    expect(waitsOf(events, 'bad')).toMatchObject({
      on: 'agent',
      reason: expect.stringMatching(reason),
    });
    expect(mark(house.path(folder))).toEqual(before);
    expect(house.where('good')).toEqual(['done']);
  });

  test.each(['1901-01-01T00:00:00Z', '2444-01-01T00:00:00Z'])(
    'files and records from %s: the order is by number',
    async (time) => {
      const house = makeHouse();
      const folder = owned(house, { ...parent, boot: 'an-earlier-boot' }, time);
      const at = new Date(time);
      for (const name of [
        'contract.md',
        'attempts/0001/owner.md',
        'attempts/0001/lease.md',
        'attempts',
        '.',
      ])
        utimesSync(house.path(join(folder, name)), at, at);
      expect((await house.run('list')).code).toBe(0);
      expect((await house.run('run')).code).toBe(0);
      expect(house.where('bad')).toEqual(['done']);
      expect(house.exists('active_tasks/done/bad/attempts/0002/outcome.md')).toBe(true);
    },
  );
});

describe('empty tree, no config, a configuration that cannot be meant', () => {
  test('nothing at all: exit 2, and what to do', () => {
    const house = makeHouse();
    const { code, err } = inShell(
      house,
      'mkdir -p /tmp/contracts-none-$$ && cd /tmp/contracts-none-$$ && $BIN list; code=$?; rmdir /tmp/contracts-none-$$; exit $code',
    );
    expect(code).toBe(2);
    expect(err).toContain('contracts init');
  });

  test('an empty tree, also without any folder or config: exit 0, and what to do next', async () => {
    const house = makeHouse({ neighbour: false });
    inShell(house, 'rm -rf .contracts active_tasks; mkdir active_tasks');
    for (const verb of ['list', 'step', 'run', 'check', 'doctor']) {
      const { code, out, err } = await house.run(verb);
      expect([verb, code, err.includes('error')]).toEqual([verb, 0, false]);
      expect(out).not.toBe('');
    }
    expect((await house.run('list')).out).toContain('contracts new');
  });

  test.each([
    ['a wrong type', 'parallel: many\n', 1, 'parallel'],
    ['a limit that is none', 'retries_max: -1\n', 1, 'retries_max'],
    ['an unknown key', 'adapter: shell\nparalel: 2\n', 2, 'paralel'],
    ['a key inside', 'adapters:\n  own: { type: command, runs: [x] }\n', 2, 'adapters.own.runs'],
    ['not YAML', 'parallel: [1\n', 2, 'YAML'],
    ['a list', '- a\n', 1, 'mapping'],
    ['a tag', 'adapter: !!js/function x\n', 1, 'tag'],
    ['an alias', 'adapter: &a x\nagents: *a\n', 1, 'anchor'],
    ['a prototype', 'agents:\n  __proto__: { adapter: shell }\n', 2, '__proto__'],
    ['twice', 'parallel: 1\nparallel: 2\n', 2, 'twice'],
    ['an empty argv', 'on_state: []\n', 1, 'on_state'],
  ])('%s: exit 2, with line and cure, and nothing runs', async (_name, config, line, says) => {
    const house = makeHouse({ config });
    const before = mark(house.root);
    for (const verb of ['run', 'list']) {
      const { code, err } = await house.run(verb);
      // What only reads goes on without a key that is not known.
      expect(code).toBe(verb === 'list' && line === 2 && /paralel|runs/.test(says) ? 0 : 2);
      expect(err).toContain(`.contracts/config.yaml:${line}:`);
      expect(err).toContain(says);
    }
    expect(mark(house.root)).toEqual(before);
  });
});

describe('one task with 1,000 attempts', () => {
  test('goes on with number 1,001', async () => {
    const house = makeHouse();
    const folder = house.task('bad', shellContract('bad'));
    for (let n = 1; n <= 1000; n++) {
      const name = `${folder}/attempts/${String(n).padStart(4, '0')}`;
      const head = `v: 1\nattempt: ${n}\nkind: work`;
      house.write(
        `${name}/owner.md`,
        `---\n${head}\ntask: bad\nowner: process\nagent: builder\nnonce: n${n}\nbase: ${n - 1}\nclaimed: x\ncontract: c\ninputs: i\npid: 1\nstart: s\nboot: b\npid_ns: p\nhost: h\nmachine: m\n---\n`,
      );
      house.write(
        `${name}/outcome.md`,
        `---\n${head}\noutcome: interrupted\nreason: stopped\nat: 2026-01-01T00:00:00Z\n---\n`,
      );
    }
    const { code } = await house.events('run');
    expect(code).toBe(0);
    expect(house.exists('active_tasks/done/bad/attempts/1001/outcome.md')).toBe(true);
    expect((await house.run('show', 'bad')).code).toBe(0);
    expect(house.where('good')).toEqual(['done']);
  });
});
