/**
 * Golden cases with a fault in one command: it dies before, after or in the middle of an operation
 * of its disk, or is refused with an errno; then others go on, to the same end. Agents and checks
 * are the real programs of the cases in a MOCK room that runs them to their end.
 */
import { expect, test } from 'vitest';
import { listCases } from '../support/golden-case.ts';
import {
  cleanCase,
  deathsOf,
  errnosOf,
  NOT_PLAYED,
  playStruck,
} from '../support/golden-campaign.ts';
import type { PlayedCase, Strike } from '../support/golden-crash.ts';
import { partOfNight, sayNight } from '../support/night.ts';

const DEATHS = 100;
const ERRNOS = 1_500;
const cases = listCases();
const played = cases.filter(({ name }) => NOT_PLAYED[name] === undefined);
const all = process.env['CRASH_EVERY'] === '1';

test('every case is played, or the table says why not', () => {
  const names = new Set(cases.map(({ name }) => name));
  expect(Object.keys(NOT_PLAYED).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.values(NOT_PLAYED).filter((reason) => reason.length < 20)).toEqual([]);
  expect(played.length + Object.keys(NOT_PLAYED).length).toBe(cases.length);
});

async function playAll(
  one: (typeof cases)[number],
  nth: number,
  choose: (clean: PlayedCase) => Strike[],
): Promise<string[]> {
  const clean = await cleanCase(one);
  const wrong: string[] = [];
  const chosen = partOfNight(choose(clean), nth);
  for (const strike of chosen) wrong.push(...(await playStruck(one, clean, strike)));
  clean.remove();
  console.log(`${one.name}: ${chosen.length} plays, ${wrong.length} findings`);
  return wrong;
}

test.each(played)(`MOCK room: $name dies at its changes, ${sayNight(DEATHS)}`, async (one) => {
  expect(await playAll(one, DEATHS, (clean) => deathsOf(clean, all))).toEqual([]);
});

test.each(played)(`MOCK room: $name is refused, ${sayNight(ERRNOS)}`, async (one) => {
  expect(await playAll(one, ERRNOS, errnosOf)).toEqual([]);
});
