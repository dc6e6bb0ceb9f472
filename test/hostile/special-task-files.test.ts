/** Special files under the names of a task's own files: contract, questions, blocked, review, result. */
import { describe, expect, test } from 'vitest';
import { expectRefused, makeHouse, mark, shellContract } from './house.ts';
import { KINDS, put, refusalOf } from './kinds.ts';

describe('FIFO, /dev/zero, device, socket, 1 GB file named contract.md', () => {
  test.each(KINDS)('%s', async (kind, make) => {
    const house = makeHouse();
    const folder = house.task('bad', '');
    await put(house, `${folder}/contract.md`, make, shellContract('bad'));
    await expectRefused(house, 'bad', refusalOf(kind));
    expect(house.exists('bad.txt')).toBe(false);
  });
});

describe.each([
  ['questions', 'questions.md', '# Questions\n\n## Questions\n\n1. What?\n\n### Answer\n\nThat.\n'],
  ['blocked', 'blocked.md', '# Blocked\n\n## Resolution\n\nGo on.\n'],
])('the same named %s/…/%s', (state, name, twin) => {
  test.each(KINDS)('%s', async (kind, make) => {
    const house = makeHouse();
    const folder = house.task('bad', shellContract('bad'), state);
    await put(house, `${folder}/${name}`, make, twin);
    await expectRefused(house, 'bad', { ...refusalOf(kind), file: `${folder}/${name}` });
  });
});

describe('the same named review.md, while a person is the gate', () => {
  test.each(KINDS)('%s', async (kind, make) => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: 'quality_gate: [person]' }));
    await house.run('run', '--only', 'bad');
    const file = 'active_tasks/review/bad/review.md';
    const approved = house.read(file).replace('- [ ] APPROVED', '- [x] APPROVED');
    await put(house, file, make, approved);
    await expectRefused(house, 'bad', { ...refusalOf(kind), file });
    const verb = await house.run('approve', 'bad');
    expect(verb.code).toBe(2);
    expect(verb.err).toContain(`${file}:1:1: error: `);
  });
});

describe('the same named result.md, put into review by hand', () => {
  test.each(KINDS)('%s never verifies', async (_kind, make) => {
    const house = makeHouse();
    const folder = house.task('bad', shellContract('bad', { head: 'reviews_max: 0' }), 'review');
    const twin =
      '# Task Result: bad\n\n- Status: COMPLETE\n\n## Success Criteria\n\n- [x] `test -s bad.txt` passes\n';
    house.write('bad.txt', 'there\n');
    await put(house, `${folder}/result.md`, make, twin);
    const before = mark(house.path(`${folder}/result.md`));
    const { code, events } = await house.events('run');
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'moved',
        task: 'bad',
        to: 'blocked',
        reason: expect.stringContaining('result.md cannot be read'),
      }),
    );
    expect(code).toBe(1);
    expect(mark(house.path('active_tasks/blocked/bad/result.md'))).toEqual(before);
    expect(house.where('good')).toEqual(['done']);
  });
});
