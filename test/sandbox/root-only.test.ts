/**
 * The kept look at what only root can read: when it is believed. A planted place is in the answer if nothing
 * was looked through. Temporary folders stand for /etc, /opt and /usr/local.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { elapsedMs } from '../../src/process/elapsed.ts';
import { rootOnlyPlaces } from '../../src/sandbox/engine/machine-view.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
if (!isLinux) console.log('LEFT OUT: the kept look at files of root, because this is not Linux');
if (!isRoot)
  console.log('LEFT OUT: a kept look of another user, because another user than root runs this');

let base = '';
let keys = '';
let kept = '';
let tops: string[] = [];
const MINUTE_MS = 60_000;
const at = (...names: string[]): string => join(base, ...names);

beforeEach(() => {
  base = sealedFolder('root-only');
  keys = at('state', 'keys');
  kept = join(keys, 'root-only.json');
  tops = [at('etc'), at('opt'), at('missing')];
  for (const folder of ['etc/deep/deeper', 'etc/shut', 'opt'])
    fs.mkdirSync(at(folder), { recursive: true, mode: 0o755 });
  fs.chmodSync(at('etc/shut'), 0o700);
  fs.writeFileSync(at('etc/deep/key'), 'key', { mode: 0o600 });
  fs.writeFileSync(at('etc/deep/public'), 'public');
});

const paths = (): string[] => rootOnlyPlaces(keys, tops).map(({ path }) => path.slice(base.length));
const FOUND = ['/etc/shut', '/etc/deep/key'];
const PLANTED = '/planted';

/** A look is kept when its folders have not changed for some milliseconds. */
function untilKept(): void {
  do expect(paths()).toEqual(FOUND);
  while (!fs.existsSync(kept));
}

type Look = { at: number; places: object[]; seen: string[] };

const BOOT = fs.existsSync('/proc/sys/kernel/random/boot_id')
  ? fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  : '';
const MOUNTS = isLinux ? fs.readlinkSync('/proc/self/ns/mnt') : '';

function seal(text: string, { version = '1', boot = BOOT, mounts = MOUNTS } = {}): void {
  fs.writeFileSync(kept, `${sha256(version, boot, mounts, ...tops, text)}\n${text}`);
}

function plant(change: Partial<Look> = {}, machine: Parameters<typeof seal>[1] = {}): void {
  fs.rmSync(kept, { force: true });
  untilKept();
  const look = JSON.parse(fs.readFileSync(kept, 'utf8').split('\n')[1] ?? '') as Look;
  const places = [{ path: base + PLANTED, as: 'empty' }];
  seal(JSON.stringify({ ...look, places, ...change }), machine);
}

const replace = (from: string | RegExp, to: string): void =>
  fs.writeFileSync(kept, fs.readFileSync(kept, 'utf8').replace(from, to));

test.runIf(isLinux)('a kept look is believed, for minutes, and only its owner reads it', () => {
  plant();
  expect(paths()).toEqual([PLANTED]);
  plant({ at: elapsedMs() - 4 * MINUTE_MS });
  expect(paths()).toEqual([PLANTED]);
  expect(fs.statSync(keys).mode & 0o777).toBe(0o700);
  fs.rmSync(kept);
  untilKept();
  expect(fs.statSync(kept).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(keys)).toEqual(['root-only.json']);
});

const NOT_BELIEVED: Record<string, () => void> = {
  'is too old': () => plant({ at: elapsedMs() - 5 * MINUTE_MS }),
  'is from the future': () => plant({ at: elapsedMs() + MINUTE_MS }),
  'is of another start of the machine': () => plant({}, { boot: 'another\n' }),
  'is of other mounts': () => plant({}, { mounts: 'mnt:[1]' }),
  'is of another version': () => plant({}, { version: '0' }),
  'has no folders': () => plant({ seen: undefined as never }),
  'has another shape': () => (plant(), seal('[]')),
  'is no JSON': () => (plant(), seal('{')),
  'has a changed byte': () => (plant(), replace('planted', 'planter')),
  'is cut': () => (plant(), replace(/.{9}$/, '')),
  'is empty': () => (plant(), fs.writeFileSync(kept, '')),
  'is too long': () => (plant(), fs.truncateSync(kept, 2 ** 23 + 1)),
  'can be written by a group': () => (plant(), fs.chmodSync(kept, 0o620)),
  'is in a folder that others can write': () => (plant(), fs.chmodSync(keys, 0o777)),
  'is a link': () => {
    plant();
    fs.renameSync(kept, at('elsewhere'));
    fs.symlinkSync(at('elsewhere'), kept);
  },
  'is in a folder that is a link': () => {
    plant();
    fs.renameSync(keys, at('elsewhere'));
    fs.symlinkSync(at('elsewhere'), keys);
  },
  'is a folder': () => (plant(), fs.rmSync(kept), fs.mkdirSync(kept)),
};

test.runIf(isLinux).each(Object.keys(NOT_BELIEVED))(
  'what is kept is not believed if it %s',
  (why) => {
    NOT_BELIEVED[why]?.();
    expect(paths()).toEqual(FOUND);
    expect(fs.readdirSync(keys)).toEqual(['root-only.json']);
  },
);

test.runIf(isLinux && isRoot).each(['state/keys/root-only.json', 'state/keys'])(
  'what is kept is not believed if %s belongs to another user',
  (path) => {
    plant();
    fs.chownSync(at(path), 61_001, 61_001);
    expect(paths()).toEqual(FOUND);
  },
);

const CHANGES: Record<string, [() => void, string[]]> = {
  'a file only for root': [
    () => fs.writeFileSync(at('etc/deep/deeper/key'), '', { mode: 0o600 }),
    [...FOUND, '/etc/deep/deeper/key'],
  ],
  'a file that replaces another': [
    () => {
      fs.writeFileSync(at('new'), '', { mode: 0o600 });
      fs.renameSync(at('new'), at('etc/deep/public'));
    },
    [...FOUND, '/etc/deep/public'],
  ],
  'a folder that is shut': [() => fs.chmodSync(at('etc/deep'), 0o700), ['/etc/deep', '/etc/shut']],
  'a folder that is gone': [() => fs.rmSync(at('etc/deep'), { recursive: true }), ['/etc/shut']],
  'a folder that became a link': [
    () => {
      fs.renameSync(at('etc/deep'), at('deep'));
      fs.symlinkSync(at('deep'), at('etc/deep'));
    },
    ['/etc/shut'],
  ],
  'one of the tops that is new': [
    () => {
      fs.mkdirSync(at('missing'));
      fs.writeFileSync(at('missing/key'), '', { mode: 0o600 });
    },
    ['/etc/shut', '/missing/key', '/etc/deep/key'],
  ],
};

test.runIf(isLinux).each(Object.keys(CHANGES))(
  'it looks again at once after a change: %s',
  (name) => {
    const [change, found] = CHANGES[name] ?? [];
    plant();
    expect(paths()).toEqual([PLANTED]);
    change?.();
    expect(paths().toSorted()).toEqual(found?.toSorted());
  },
);

test('without a place to keep it, each call looks', () => {
  fs.writeFileSync(at('file'), '');
  for (const folder of [undefined, at('file'), at('file', 'keys')])
    expect(rootOnlyPlaces(folder, tops)).toHaveLength(FOUND.length);
  expect(fs.existsSync('root-only.json')).toBe(false);
});
