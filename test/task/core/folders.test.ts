/**
 * Folders for globs: a table of what is opened and what is named as wider, and the rule that holds for
 * all of them: whatever a glob means lies in a folder that is open.
 */
import { describe, expect, test } from 'vitest';
import { globMatcher } from '../../../src/task/core/base/glob.ts';
import { isWithin, openFolders } from '../../../src/task/core/base/folders.ts';
import * as fc from '../../support/property.ts';

const KEPT = ['.git', 'active_tasks', '.contracts/archive'];

describe('openFolders', () => {
  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [[], [], []],
    [['**'], ['.'], []],
    [['src/**'], ['src'], []],
    [['src/**', 'src/deep/**', 'docs/**'], ['docs', 'src'], []],
    [['src/*.ts'], ['src'], ['src/*.ts']],
    [['src/*.ts', 'src/**'], ['src'], []],
    [['README.md'], ['.'], ['README.md']],
    [['**/*.md', 'src/**'], ['.'], ['**/*.md']],
    [['docs/a.md', 'docs/b.md'], ['docs'], ['docs/a.md', 'docs/b.md']],
    [['packages/*/src/**'], ['packages'], ['packages/*/src/**']],
    [['.contracts/plans/*/notes.md'], ['.contracts/plans'], ['.contracts/plans/*/notes.md']],
    [['.git/hooks/**', 'active_tasks/ready/**', '.contracts/archive/**'], [], []],
    [['../out/**', '/etc/**', 'src/../../x'], [], []],
  ])('%j opens %j, wider than %j', (globs, folders, wider) => {
    expect(openFolders(globs, KEPT)).toEqual({ folders, wider });
  });

  const segment = fc.constantFrom('a', 'b', 'src', '*', '**', '?', '[ab]', '*.ts', 'x.ts', '.dot');
  const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const name = fc.constantFrom('a', 'b', 'src', 'x.ts', '.dot', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

  test('what a glob means lies in an open folder, and no folder lies in another', () => {
    let meant = 0;
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 3 }), path, (globs, file) => {
        const { folders, wider } = openFolders(globs, []);
        for (const one of folders) {
          expect(folders.filter((other) => other !== one && isWithin(other, one))).toEqual([]);
        }
        const means = globs.some((one) => globMatcher(one)(file));
        const opened = folders.some((folder) => isWithin(folder, file));
        if (means) meant++;
        expect(opened || !means).toBe(true);
        // Where nothing is named as wider, folders say exactly what the globs say.
        if (wider.length === 0 && folders.every((folder) => folder !== file)) {
          expect(means).toBe(opened);
        }
      }),
      { numRuns: 1000 },
    );
    expect(meant).toBeGreaterThan(fc.met(50));
  });
});
