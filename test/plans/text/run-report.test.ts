/** Reports of waves: what people read in runs/ of a plan. */
import { expect, test } from 'vitest';
import { renderWave } from '../../../src/plans/text/run-report.ts';

test.each([
  ['Ground', '# Wave 2: Ground'],
  ['Wave 2', '# Wave 2'],
  ['Wave 2: Ground', '# Wave 2: Ground'],
  ['WAVE #2 — Ground', '# Wave 2: Ground'],
  ['Wave of change', '# Wave 2: Wave of change'],
  ['', '# Wave 2'],
])('a wave that is called %j says so once', (title, heading) => {
  const at = '2026-01-01T00:00:00.000Z';
  const report = renderWave({ plan: 'launch', number: 2, title, at, tasks: [], by_hand: [] });
  expect(report.split('\n')[0]).toBe(heading);
});
