/**
 * Which task is meant by what a person typed: an exact id, the beginning of one, a slip of the finger.
 * On the real file system, with a disk that counts what it is asked.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nearestId } from '../../src/task/core/base/nearest.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { resolveId } from '../../src/engine/board/resolve-id.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
let listings: number;
beforeEach(() => {
  world = makeWorld();
  listings = 0;
});
afterEach(() => world.remove());

function task(state: State | 'archive', id: string): void {
  const place = state === 'archive' ? '.contracts/archive' : `active_tasks/${state}`;
  world.write(`${place}/${id}/contract.md`, '# A task\n');
}

function resolved(text: string): string {
  const disk = {
    ...realDisk,
    list: (path: string) => {
      listings += 1;
      return realDisk.list(path);
    },
  };
  const { ws } = world.process({ disk });
  listings = 0;
  const result = resolveId(ws, text);
  if (result.ok) return result.value;
  const [problem] = result.problems;
  return `${problem?.message}: ${problem?.fix}`;
}

describe('an id', () => {
  test('that is exact is taken without a listing, also where a longer one starts so', () => {
    task('ready', 'build');
    task('done', 'build_more');
    task('aborted', 'gone');
    task('archive', 'old');
    for (const id of ['build', 'build_more', 'gone', 'old']) {
      expect(resolved(id)).toBe(id);
      expect(listings, id).toBe(0);
    }
  });

  test('that only one live task starts with, though ended ones do too', () => {
    task('blocked', 'build_20261121_login_k3f9');
    task('done', 'build_20261121_logout_aaaa');
    task('draft', 'debug_20261121_x_bbbb');
    expect(resolved('b')).toBe('build_20261121_login_k3f9');
    expect(resolved('build_20261121_log')).toBe('build_20261121_login_k3f9');
    expect(resolved('d')).toBe('debug_20261121_x_bbbb');
  });

  test('that only one ended task starts with, where no live one does', () => {
    task('ready', 'other');
    task('done', 'build_1');
    expect(resolved('build')).toBe('build_1');
    task('aborted', 'build_2');
    expect(resolved('build')).toContain('2 tasks start with these letters');
  });

  test('that several start with is refused, with at most eight of them', () => {
    for (let n = 10; n < 22; n++) task(n % 2 === 0 ? 'ready' : 'review', `build_${n}`);
    const said = resolved('build');
    expect(said).toContain('12 tasks start with these letters');
    expect(said).toContain('build_10, build_11, build_12, build_13, build_14, build_15, build_16');
    expect(said).toContain('build_17 and 4 more;');
    expect(said).not.toContain('build_18');
  });

  test('that is in two states is one id, for others to refuse', () => {
    task('ready', 'twice_1');
    task('review', 'twice_1');
    expect(resolved('twice')).toBe('twice_1');
  });

  test('that was mistyped, or that is only the middle of one, gets a hint and nothing more', () => {
    task('questions', 'build_20261121_login-page_k3f9');
    task('done', 'short');
    for (const typed of [
      'build_20261121_lgoin-page_k3f9',
      'Build_20261121_login-page_k3f8',
      'login-page',
    ]) {
      expect(resolved(typed)).toBe(
        'there is no such task: Did you mean build_20261121_login-page_k3f9? See which there are: contracts list',
      );
    }
    expect(resolved('shrot')).toContain('Did you mean short?');
    for (const typed of ['', '..', '../ready', 'in', '\u0000', 'x'.repeat(5000)]) {
      expect(resolved(typed)).toBe('there is no such task: See which there are: contracts list');
    }
  });
});

test('a dash is a letter of an id: it costs no edit', () => {
  expect(nearestId('a-b-c-d-x', ['a_b_c_d_y', 'a-b-c-d-y'])).toBe('a-b-c-d-y');
});
