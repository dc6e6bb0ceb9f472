/**
 * What the real clients printed when they played a story of the scripted model (recorded by their
 * tests with RECORD_CLIENTS=1), read by the adapters line by line: nothing is lost, nothing invented.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AgentProgress } from '../../src/process/adapter.ts';
import { clientAdapter } from '../../src/clients/adapters/client-table.ts';
import { isClient } from '../../src/clients/core/records.ts';

const FOLDER = fileURLToPath(new URL('lines/', import.meta.url));
const recorded = readdirSync(FOLDER).map((file) => {
  const [client = '', story = ''] = file.split('.');
  return { file, client, story };
});

async function progressOf(file: string, client: string): Promise<readonly AgentProgress[]> {
  const text = readFileSync(`${FOLDER}${file}`, 'utf8');
  if (!isClient(client)) throw new Error(`${file} is of no client`);
  const read = (await clientAdapter(client).load?.())?.read;
  if (read === undefined) throw new Error(`${client} cannot be loaded`);
  return text.split('\n').flatMap((line) => read(line));
}

function of<K extends AgentProgress['kind']>(
  all: readonly AgentProgress[],
  kind: K,
): Extract<AgentProgress, { kind: K }>[] {
  return all.filter((one): one is Extract<AgentProgress, { kind: K }> => one.kind === kind);
}

const worked = recorded.filter(({ story }) => story !== 'error');
const denied = recorded.filter(({ story }) => story === 'denied');
const refused = recorded.filter(({ story }) => story === 'error');

test.each(worked)('$client, $story: has one session', async ({ file, client }) => {
  const sessions = of(await progressOf(file, client), 'session').map(({ id }) => id);
  expect(new Set(sessions).size).toBe(1);
  expect(sessions[0]).toMatch(/^[\w-]{8,}$/);
});

test.each(worked)('$client, $story: ends well, having said what it did', async (one) => {
  const all = await progressOf(one.file, one.client);
  expect(of(all, 'end').at(-1)).toEqual({ kind: 'end', ok: true });
  expect(of(all, 'error')).toEqual([]);
  expect(of(all, 'line').map(({ text }) => text)).toContain('Wrote the greeting.');
  const details = of(all, 'tool').map(({ detail }) => detail);
  expect(details.join('\n')).toContain('out/greeting.txt');
});

test.each(worked)('$client, $story: tells what it used', async ({ file, client }) => {
  const used = of(await progressOf(file, client), 'usage');
  const total = used.findLast((one) => one.total === true)?.input_tokens;
  const told = total ?? used.reduce((sum, one) => sum + (one.input_tokens ?? 0), 0);
  // A hundred for each answer of the scripted model.
  expect(told).toBeGreaterThanOrEqual(300);
  expect(told % 100).toBe(0);
});

test.each(denied)('$client: tells what was refused', async ({ file, client }) => {
  const why = of(await progressOf(file, client), 'denied').map((one) => `${one.tool} ${one.why}`);
  expect(why.join('\n')).toContain('README.md');
});

test.each(refused)('$client: tells the words of the model', async ({ file, client }) => {
  const all = await progressOf(file, client);
  expect(of(all, 'error').at(-1)).toMatchObject({
    what: 'model',
    text: expect.stringContaining('scripted refusal 400'),
  });
  expect(of(all, 'end').filter(({ ok }) => ok)).toEqual([]);
});

test('each client has a recording of work that was done, and of a model that refused', () => {
  const stories = (name: string): readonly string[] =>
    recorded.filter(({ client }) => client === name).map(({ story }) => story);
  for (const name of ['claude', 'codex', 'gemini', 'opencode']) {
    expect(stories(name)).toEqual(expect.arrayContaining(['complete', 'error']));
  }
});
