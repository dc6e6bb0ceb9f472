/**
 * What a chief may ask for: ids that follow from parent, round and file name alone, and heads that
 * narrow what their parent may and never widen it.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  childBudget,
  childTaskId,
  widenings,
  type Ceiling,
} from '../../../src/delegation/core/child-rules.ts';
import { isTaskId } from '../../../src/task/core/model/id.ts';
import { DEFAULT_CONFIG } from '../../../src/task/core/model/policy.ts';
import * as fc from '../../support/property.ts';

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/).filter(isTaskId);

test('the id of a child is a task id, the same each time and another one for another child', () => {
  fc.assert(
    fc.property(id, id, id, fc.integer({ min: 1, max: 50 }), (parent, name, other, round) => {
      const one = childTaskId(parent, round, name, hash);
      expect(isTaskId(one), one).toBe(true);
      expect(childTaskId(parent, round, name, hash)).toBe(one);
      expect(childTaskId(parent, round + 1, name, hash)).not.toBe(one);
      if (other !== name) expect(childTaskId(parent, round, other, hash)).not.toBe(one);
    }),
  );
});

type Head = Parameters<typeof widenings>[0];
const PARENT = { type: 'task' } as const;

const table: readonly [
  says: string,
  head: Partial<Head>,
  parent: Partial<Head>,
  wrong: RegExp | undefined,
][] = [
  ['nothing', {}, {}, undefined],
  ['its own parent', { parent: 'p' }, {}, undefined],
  ['another parent', { parent: 'q' }, {}, /parent: q/],
  ['the plan of its parent', { plan: 'x' }, { plan: 'x' }, undefined],
  ['another plan', { plan: 'y' }, { plan: 'x' }, /plan: y/],
  ['a checkpoint', { type: 'checkpoint' }, {}, /checkpoint/],
  ['how it is called', { adapter: 'shell' }, {}, /adapter: shell/],
  ['as its parent is called', { adapter: 'shell' }, { adapter: 'shell' }, undefined],
  ['any files, of a parent that is not narrowed', { write: ['**'] }, {}, undefined],
  ['less files', { write: ['docs/a/*.md'] }, { write: ['docs/**'] }, undefined],
  ['one file of them', { write: ['docs/a.md'] }, { write: ['docs/*.md'] }, undefined],
  ['more files', { write: ['docs/**'] }, { write: ['docs/*'] }, /write: docs/],
  ['other files', { write: ['docs2/a'] }, { write: ['docs/**'] }, /write: docs2/],
  ['files above', { write: ['docs/../a'] }, { write: ['docs/**'] }, /write: docs/],
  ['no sandbox where one is demanded', { sandbox: 'none' }, { sandbox: 'bwrap' }, /sandbox: none/],
  ['no worktree', { isolation: 'shared' }, { isolation: 'worktree' }, /isolation: shared/],
  ['to be run again unasked', { rerun: 'auto' }, { rerun: 'ask' }, /rerun: auto/],
  ['fewer tries', { retries_max: 1 }, {}, undefined],
  ['more tries', { retries_max: 9 }, {}, /retries_max: 9 is more than 3/],
  ['as many tries as its parent', { retries_max: 9 }, { retries_max: 9 }, undefined],
  ['what its parent may cost', { cost_max: 2 }, { cost_max: 2 }, undefined],
  ['more money', { cost_max: 3 }, { cost_max: 2 }, /cost_max: 3 is more than 2/],
  ['a longer time', { timeout: '2h' }, {}, /timeout: 2h/],
];

test.each(table)('a child that says %s', (_, head, parent, wrong) => {
  const ceiling: Ceiling = {
    id: 'p',
    parent: { ...PARENT, ...parent },
    agent: undefined,
    config: DEFAULT_CONFIG,
  };
  const found = widenings({ ...PARENT, ...head }, ceiling);
  if (wrong === undefined) expect(found).toEqual([]);
  else expect(found.join('\n')).toMatch(wrong);
});

test('the nearest budget holds: agent, squad, configuration', () => {
  const squad = { children_max: 4 };
  expect(childBudget(undefined, undefined, DEFAULT_CONFIG)).toEqual({
    children_max: 10,
    depth_max: 2,
  });
  expect(childBudget(undefined, squad, DEFAULT_CONFIG).children_max).toBe(4);
  expect(childBudget({ children_max: 0 }, squad, DEFAULT_CONFIG).children_max).toBe(0);
});

test('a child opens no network that its parent closed', () => {
  const found = (child: string | undefined, parent: string | undefined) => {
    const ceiling = { id: 'p', config: DEFAULT_CONFIG, agent: undefined };
    return widenings({ network: child } as never, {
      ...ceiling,
      parent: { network: parent } as never,
    });
  };
  expect(found('open', 'none')).toEqual(['network: open is more than none; leave it out']);
  expect(found('agents', 'none')).toHaveLength(1);
  expect(found('none', undefined)).toEqual([]);
  expect(found(undefined, 'none')).toEqual([]);
});
