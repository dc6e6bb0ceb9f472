/** What a comparison showed, in an outcome for people: whose doing it was only where that is known. */
import { expect, test } from 'vitest';
import { ownDoing } from '../../src/task/core/attempts/noticed.ts';
import { findingLines } from '../../src/permissions/engine/audit/format-findings.ts';

const OWN = 'Changes outside its permissions, allowed by its strength:';
const THEIRS =
  'Changes outside its permissions while it ran, made by an unknown process or person:';

test('its own doing, let through by a soft rule, is no matter of somebody unknown', () => {
  expect(findingLines({ noticed: [ownDoing('write a')] })).toEqual([
    OWN,
    '',
    `- ${JSON.stringify(ownDoing('write a'))}`,
    '',
  ]);
  expect(findingLines({ noticed: ['write b'] })).toEqual([THEIRS, '', '- "write b"', '']);
});

test('both, each under its own words; without any nothing', () => {
  const lines = findingLines({ violations: ['v'], noticed: [ownDoing('write a'), 'write b'] });
  expect(lines.filter((line) => line.endsWith(':'))).toEqual([
    'Changes outside its permissions:',
    OWN,
    THEIRS,
  ]);
  expect(findingLines({})).toEqual([]);
});
