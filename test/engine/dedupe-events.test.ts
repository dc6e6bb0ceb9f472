/** What every step finds again is told once; what happens is always told. */
import { expect, test } from 'vitest';
import { reportOnce } from '../../src/engine/step/watch.ts';
import { run } from '../../src/engine/step/run.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import { makeWorld } from '../support/world.ts';

const waits = (task: string, reason: string): Event => {
  return { event: 'waits', task, state: 'ready', code: 'budget', on: 'person', reason, fix: '' };
};
const fault = (task: string): Event => ({ event: 'fault', task, reason: 'full', fix: '' });
const lost: Event = { event: 'lost_race', task: 'a', reason: 'moved' };

test('once while it stands, again after it was gone for a step, and when its words change', () => {
  const told: Event[] = [];
  const once = reportOnce((event) => void told.push(event), ['waits', 'fault']);
  const steps: [Event[], Event[]][] = [
    [
      [waits('a', 'x'), lost],
      [waits('a', 'x'), lost],
    ],
    [[waits('a', 'x'), lost], [lost]],
    [[waits('a', 'y')], [waits('a', 'y')]],
    [[], []],
    [[waits('a', 'y')], [waits('a', 'y')]],
  ];
  for (const [seen, expected] of steps) {
    once.next();
    for (const one of seen) once.emit(one);
    expect(told.splice(0)).toEqual(expected);
  }
});

test('what was not looked at this time still stands', () => {
  const told: Event[] = [];
  const once = reportOnce((event) => void told.push(event), ['fault']);
  once.next();
  once.emit(fault('a'));
  once.emit(fault('b'));
  for (let i = 0; i < 3; i++) once.next((task) => task === 'a');
  once.emit(fault('a'));
  once.emit(fault('b'));
  expect(told).toEqual([fault('a'), fault('b'), fault('b')]);
});

test('MOCK agents: a run of several steps tells a problem of the tree once', async () => {
  const world = makeWorld();
  world.write('active_tasks/ready/Not An Id/contract.md', 'x');
  const contract = (more: string): string =>
    `---\ntitle: A\n${more}verify: ["file_exists: made.txt"]\n---\n\n## Success Criteria\n\n- [ ] file_exists: made.txt\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`;
  world.write('active_tasks/ready/a/contract.md', contract(''));
  world.write('active_tasks/ready/b/contract.md', contract('depends_on: a\n'));
  world.write('made.txt', '');
  const told: Event[] = [];
  const { ws } = world.process({
    script: () => {
      world.write('made.txt', String(told.length));
      return 0;
    },
  });
  const report = await run(ws, { emit: (event) => void told.push(event) });
  expect(report.steps).toBeGreaterThan(1);
  expect(told.filter((event) => event.event === 'problem')).toHaveLength(1);
  expect(told.filter((event) => event.event === 'moved').length).toBeGreaterThan(3);
});
