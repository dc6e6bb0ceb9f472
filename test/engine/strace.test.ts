/**
 * The real binary is killed and refused at system calls that touch the workspace, a part of them at
 * every run; all of them: test/nightly/strace.test.ts. Without strace it says so and is left out.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyNth, sayShare, share } from '../support/share.ts';
import { makeWalk, walkThrough, type Break } from '../support/strace-walk.ts';
import { BINARY } from '../support/binary.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { callsOf, straceMissing } from '../support/strace.ts';

/** One in so many is played before each push. */
const BREAKS = 3;

const missing = straceMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of system calls, because ${missing}`);

test.runIf(missing === undefined)(
  `real processes: killed or refused at a system call, the task comes to done and the agent ran once, ${sayShare(BREAKS)}`,
  { timeout: 400_000 },
  () => {
    const root = makeWalk();
    const calls = callsOf(root);
    rmSync(root, { recursive: true, force: true });
    const changing = calls.filter((call) => call.changes);
    expect(changing.length).toBeGreaterThan(60);
    // What the store asks for reaches the kernel: the bytes, and the folder of the new name.
    const synced = calls.filter((call) => call.syscall === 'fsync').map((call) => call.line);
    for (const place of [
      /\.new-\w+\/owner\.md>/,
      /attempts>/,
      /\.tmp-\w+>/,
      /in_progress>/,
      /done>/,
    ]) {
      expect(
        synced.some((line) => place.test(line)),
        `fsync of ${place.source}`,
      ).toBe(true);
    }
    const steady = changing.filter((call) => call.syscall !== 'openat');
    const breaks: Break[] = [
      ...everyNth(changing, 6, 1).map((call) => ({ call, how: 'signal=KILL' })),
      ...everyNth(steady, 12, 5).map((call) => ({ call, how: 'error=EIO' })),
      ...everyNth(steady, 12, 11).map((call) => ({ call, how: 'error=ENOSPC' })),
    ];
    const played = share(breaks, BREAKS);
    const walks = played.map((one) => walkThrough([one]));
    expect(walks.flatMap((walk) => walk.wrong)).toEqual([]);
    expect(walks.filter((walk) => walk.met > 0).length).toBeGreaterThan(played.length / 2);
  },
);

test.runIf(missing === undefined)(
  'a client that the machine cannot look at just now is not called missing',
  { timeout: 60_000 },
  () => {
    const root = sealedFolder('client');
    const claude = join(root, 'bin/claude');
    putFile(claude, '#!/bin/sh\n');
    chmodSync(claude, 0o755);
    putFile(join(root, '.contracts/config.yaml'), 'adapter: claude\n');
    const head = 'title: A poem\nagent: builder\nverify: ["run: true"]';
    const contract = `---\n${head}\n---\n\n## Success Criteria\n\n- [ ] \`true\`\n`;
    putFile(join(root, 'active_tasks/draft/poem/contract.md'), contract);
    const inject = 'inject=?stat,?statx,?access,?faccessat,?faccessat2:error=ENOMEM';
    const traced = ['-qq', '-o', join(root, 'log'), '-P', claude, '-e', inject];
    const env = { ...sealedEnv(), PATH: `${join(root, 'bin')}:/usr/bin:/bin` };
    const confirm = [process.execPath, BINARY, '-C', root, 'confirm', 'poem'];
    const options = { encoding: 'utf8', env } as const;
    const said = spawnSync('strace', [...traced, ...confirm], options);
    expect(said.stderr).not.toContain('is not installed');
    expect(said.status).toBe(0);
    rmSync(claude);
    putFile(join(root, 'active_tasks/draft/poem2/contract.md'), contract);
    const [node = '', ...rest] = [...confirm.slice(0, -1), 'poem2'];
    expect(spawnSync(node, rest, options).stderr).toContain('is not installed');
  },
);
