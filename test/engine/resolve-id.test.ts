/**
 * Which task is meant by what a person typed: an exact id, its short name, its beginning, end or words, a
 * path, a slip of the finger.
 * On the real file system, with a disk that counts what it is asked.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { nearestId } from '../../src/task/core/base/nearest.ts';
import { beginningsOf, shortNames } from '../../src/task/core/model/id.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { resolveId } from '../../src/engine/board/resolve-id.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';
import * as fc from '../support/property.ts';

let world: World;
let listings: number;
beforeEach(() => {
  world = makeWorld();
  listings = 0;
});

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
    expect(resolved('build')).toContain('2 tasks match this');
  });

  test('that several start with is refused, with at most eight of them', () => {
    for (let n = 10; n < 22; n++) task(n % 2 === 0 ? 'ready' : 'review', `build_${n}`);
    const said = resolved('build');
    expect(said).toContain('12 tasks match this');
    expect(said).toContain('Write more of the id: build_10 (ready), build_11 (review), build_12');
    expect(said).toContain('build_17 (review) and 4 more;');
    expect(said).not.toContain('build_18');
  });

  test('that is in two states is one id, for others to refuse', () => {
    task('ready', 'twice_1');
    task('review', 'twice_1');
    expect(resolved('twice')).toBe('twice_1');
  });

  test('is found by its short name, its end and its words', () => {
    task('questions', 'build-the-checkout-k3f9');
    task('review', 'build-the-checkout-page-m2vc');
    task('ready', 'task_20261122_write-the-terms_nmkp');
    task('done', 'write-the-privacy-policy-p7qd');
    task('archive', 'old-press-text-w2mx');
    for (const [typed, id] of [
      ['build-the-checkout', 'build-the-checkout-k3f9'],
      ['build-the-checkout-p', 'build-the-checkout-page-m2vc'],
      ['k3f9', 'build-the-checkout-k3f9'],
      ['page', 'build-the-checkout-page-m2vc'],
      ['checkout page', 'build-the-checkout-page-m2vc'],
      ['nmkp', 'task_20261122_write-the-terms_nmkp'],
      ['write-the-terms', 'task_20261122_write-the-terms_nmkp'],
      ['terms', 'task_20261122_write-the-terms_nmkp'],
      ['privacy-policy', 'write-the-privacy-policy-p7qd'],
      ['press', 'old-press-text-w2mx'],
    ]) {
      expect(resolved(typed ?? ''), typed).toBe(id);
    }
    expect(resolved('checkout')).toBe(
      '2 tasks match this: Write more of the id: build-the-checkout (questions), build-the-checkout-page (review); see them all: contracts list --all',
    );
    task('blocked', 'build-the-checkout-w2mx');
    expect(resolved('build-the-checkout')).toContain(
      'build-the-checkout-k3f9 (questions), build-the-checkout-w2mx (blocked);',
    );
  });

  test('is found by a path of its folder or of a file in it', () => {
    task('ready', 'page-k3f9');
    task('archive', 'old-w2mx');
    for (const path of [
      'active_tasks/ready/page-k3f9/',
      './active_tasks/ready/page-k3f9/contract.md',
      'active_tasks/draft/page-k3f9',
      `${world.root}/active_tasks/ready/page-k3f9`,
    ]) {
      expect(resolved(path), path).toBe('page-k3f9');
    }
    expect(resolved('.contracts/archive/old-w2mx/')).toBe('old-w2mx');
    const { ws } = world.process({});
    const folder = `${world.root}/active_tasks/ready`;
    for (const typed of ['page-k3f9/', './page-k3f9/contract.md']) {
      expect(resolveId(ws, typed, folder)).toMatchObject({ value: 'page-k3f9' });
    }
    expect(resolveId(ws, '.', `${folder}/page-k3f9`)).toMatchObject({ value: 'page-k3f9' });
    expect(resolved('active_tasks/ready/other')).toContain(
      'there is no task active_tasks/ready/other',
    );
  });

  test('is found by each short name, whatever other ids there are', () => {
    const words = fc.constantFrom('a', 'a-b', 'b', 'b-a', 'task_20261122_a_k3f9', 'c-2024');
    const end = fc.constantFrom('', '-k3f9', '-m2vc', '-nmkp');
    const ids = fc.uniqueArray(
      fc.tuple(words, end).map((both) => both.join('')),
      { minLength: 1 },
    );
    const places = fc.array(fc.constantFrom<State>('ready', 'review', 'done'), { minLength: 8 });
    fc.assert(
      fc.property(ids, places, (all, states) => {
        for (const [i, id] of all.entries()) task(states[i % states.length] ?? 'ready', id);
        const short = shortNames(all);
        const { ws } = world.process({});
        const isLive = (id: string): boolean => states[all.indexOf(id) % states.length] !== 'done';
        for (const id of all) {
          const name = short.get(id) ?? '';
          // A list may print the live one by this beginning.
          const isOther = !isLive(id) && name !== id && all.some((one) => isLive(one) && one.startsWith(name)); // prettier-ignore
          const found = resolveId(ws, name);
          if (isOther) expect(found.ok).toBe(false);
          else expect(found).toEqual({ ok: true, value: id, warnings: [] });
        }
        expect(new Set(short.values()).size).toBe(all.length);
        world.remove();
        world = makeWorld();
      }),
      { numRuns: 60 },
    );
  });

  test('beginnings of names are the tasks themselves, wherever no name begins another', () => {
    const word = fc.constantFrom('build', 'the', 'shop', 'page', 'a', 'x1', 'pages');
    const names = fc.uniqueArray(
      fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('-')),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(names, (all) => {
        for (const id of all) task('ready', id);
        const { ws } = world.process({});
        const begun = beginningsOf(all);
        for (const id of all) {
          const short = begun.get(id) ?? '';
          expect(id.startsWith(short)).toBe(true);
          expect(resolveId(ws, short)).toEqual({ ok: true, value: id, warnings: [] });
        }
        world.remove();
        world = makeWorld();
      }),
      { numRuns: 100 },
    );
  });

  test('that was mistyped, or that is no whole word of one, gets a hint and nothing more', () => {
    task('questions', 'build_20261121_login-page_k3f9');
    task('done', 'short');
    for (const [typed, meant] of [
      ['build_20261121_lgoin-page_k3f9', 'build_20261121_login-page_k3f9'],
      ['Build_20261121_login-page_k3f8', 'build_20261121_login-page_k3f9'],
      ['lgoin-page', 'login-page'],
      ['ogin-pag', 'login-page'],
    ]) {
      expect(resolved(typed ?? '')).toBe(
        `there is no task ${typed ?? ''}: Did you mean ${meant}? See which there are: contracts list`,
      );
    }
    expect(resolved('shrot')).toContain('Did you mean short?');
    for (const typed of ['', '..', '../ready', 'in', '\u0000', 'x'.repeat(5000)]) {
      const named = typed === '' ? '""' : typed;
      expect(resolved(typed)).toBe(
        `there is no task ${named}: See which there are: contracts list`,
      );
    }
  });
});

test('a dash is a letter of an id: it costs no edit', () => {
  expect(nearestId('a-b-c-d-x', ['a_b_c_d_y', 'a-b-c-d-y'])).toBe('a-b-c-d-y');
});
