/**
 * The arguments of bubblewrap as a table: in which order places are laid over each other, what comes
 * before and after them, and that of two for one path the later counts.
 */
import { expect, test } from 'vitest';
import {
  sandboxArgv,
  type Sandbox,
  type SandboxPlace,
} from '../../src/sandbox/engine/bwrap-args.ts';

const PROGRAMS = {
  bwrap: '/usr/bin/bwrap',
  setsid: '/usr/bin/setsid',
  env: '/usr/bin/env',
  flock: '/usr/bin/flock',
};

function sandbox(places: readonly SandboxPlace[], more: Partial<Sandbox> = {}): Sandbox {
  const links = [['/bin', 'usr/bin']] as const;
  return { programs: PROGRAMS, as_root: false, links, places, cwd: '/w', mark: 'm1', ...more };
}

function laid(places: readonly SandboxPlace[]): readonly string[] {
  const argv = sandboxArgv(sandbox(places), ['true']);
  const from = argv.indexOf('/bin') + 1;
  return argv
    .slice(from, argv.indexOf('--remount-ro'))
    .join(' ')
    .split(/ (?=--)/);
}

test.each<[string, readonly SandboxPlace[], readonly string[]]>([
  [
    'a place comes after the one that it is in',
    [
      { path: '/w/src', as: 'write' },
      { path: '/w', as: 'read' },
      { path: '/w/src/kept', as: 'read' },
    ],
    ['--ro-bind-try /w /w', '--bind /w/src /w/src', '--ro-bind /w/src/kept /w/src/kept'],
  ],
  [
    'the later one counts for the same path',
    [
      { path: '/w', as: 'read' },
      { path: '/w', as: 'write' },
    ],
    ['--bind /w /w'],
  ],
  [
    'a private folder, and a file without content',
    [
      { path: '/etc/shadow', as: 'veiled' },
      { path: '/home/me', as: 'empty' },
      { path: '/home/me/w', as: 'read' },
    ],
    ['--ro-bind /dev/null /etc/shadow', '--tmpfs /home/me', '--ro-bind-try /home/me/w /home/me/w'],
  ],
  [
    'what only shows something may be gone; what keeps out of a path, or replaces it, may not',
    [
      { path: '/a/.git', as: 'read' },
      { path: '/w', as: 'write' },
      { path: '/w/.git', as: 'read' },
      { path: '/w/.git/config', as: 'read', from: '/veiled' },
      { path: '/w/d', as: 'empty' },
      { path: '/w/d/deep', as: 'read' },
      { path: '/w/goes', as: 'read', may_go: true },
      { path: '/x/config', as: 'read', from: '/veiled' },
    ],
    [
      '--ro-bind-try /a/.git /a/.git',
      '--bind /w /w',
      '--ro-bind /w/.git /w/.git',
      '--ro-bind /veiled /w/.git/config',
      '--tmpfs /w/d',
      '--ro-bind /w/d/deep /w/d/deep',
      '--ro-bind-try /w/goes /w/goes',
      '--ro-bind /veiled /x/config',
    ],
  ],
  [
    'a name that only begins alike is no place inside',
    [
      { path: '/w/a-b', as: 'write' },
      { path: '/w/a/c', as: 'write' },
      { path: '/w/a', as: 'read' },
    ],
    ['--ro-bind-try /w/a /w/a', '--bind /w/a-b /w/a-b', '--bind /w/a/c /w/a/c'],
  ],
])('%s', (_says, places, expected) => {
  expect(laid(places)).toEqual(expected);
});

test('around them: own processes, no way to the kernel, the program as it was given', () => {
  const argv = sandboxArgv(sandbox([]), ['sh', '-c', 'echo "$@"', '--', '--bind']);
  expect(argv.slice(0, 5)).toEqual([
    '/usr/bin/setsid',
    '/usr/bin/env',
    '-u',
    'CONTRACTS_MARK',
    '/usr/bin/bwrap',
  ]);
  for (const option of ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc']) {
    expect(argv).toContain(option);
  }
  expect(argv.join(' ')).toContain('--ro-bind-try /proc/sys /proc/sys');
  expect(argv.join(' ')).toContain(
    '--remount-ro / --chdir /w --setenv CONTRACTS_MARK m1 -- /bin/sh',
  );
  expect(argv.slice(-5)).toEqual(['sh', '-c', 'echo "$@"', '--', '--bind']);
  expect(argv).not.toContain('--share-net');
});

test('as root it keeps what files need and no power over the machine', () => {
  const kept = (as_root: boolean): string[] => {
    const argv = sandboxArgv(sandbox([], { as_root }), ['true']);
    return argv.filter((_, i) => argv[i - 1] === '--cap-add');
  };
  expect(kept(false)).toEqual([]);
  expect(kept(true)).toContain('CAP_DAC_OVERRIDE');
  expect(kept(true).filter((name) => /SYS|NET|PTRACE|MKNOD|SETFCAP/.test(name))).toEqual([]);
});
