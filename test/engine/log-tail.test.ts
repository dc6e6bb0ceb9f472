/** Which part of a log is shown to those who ask why an attempt failed. */
import { expect, test } from 'vitest';
import { endOf, lastWords, quoted } from '../../src/engine/attempt/log-tail.ts';
import { makeWorld } from '../support/world.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

test('the last ten lines', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  expect(endOf(bytes(`${lines.join('\n')}\n\n`))).toBe(lines.slice(-10).join('\n'));
});

test('at most 1 KiB, from the start of a line, also in the middle of a character', () => {
  const long = endOf(bytes(`${'a'.repeat(900)}\n${'b'.repeat(900)}\nend\n`));
  expect(long).toBe(`${'b'.repeat(900)}\nend`);
  const one = endOf(bytes('ä'.repeat(2000) + 'x'));
  expect(Buffer.byteLength(one)).toBeLessThanOrEqual(1024);
  expect(one).toMatch(/^ä+x$/);
});

test('nothing in it drives a terminal', () => {
  expect(endOf(bytes('\u001b[31mred\u001b[0m\r\n\u0007bell\u202e\u0000\ttab'))).toBe(
    'red\nbell\ttab',
  );
});

test('an empty log has no last words; a quotation holds no heading', () => {
  expect(endOf(bytes('\n \n'))).toBe('');
  expect(quoted(undefined)).toBe('');
  expect(quoted({ file: 'attempts/0001/output.log', text: '## Resolution\ngo on' })).toBe(
    '\n\nThe end of attempts/0001/output.log:\n\n> ## Resolution\n> go on',
  );
});

test('an attempt that took over a dead one has the words of the one that printed', () => {
  const world = makeWorld();
  world.write('active_tasks/ready/one/attempts/0001.lost/output.log', 'no pen\n');
  const { ws } = world.process({});
  const task = `${world.root}/active_tasks/ready/one`;
  const said = lastWords(ws, task, { number: 2, lost: false, outcome: { adopted: 1 } });
  expect(said).toEqual({ file: 'attempts/0001.lost/output.log', text: 'no pen' });
  expect(lastWords(ws, task, { number: 2, lost: false })).toBeUndefined();
});
