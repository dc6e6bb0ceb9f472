/** The log as bytes: lines across chunks, lenient decoding, bounds, and secrets taken out in place. */
import {
  appendFileSync,
  closeSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepEnds, LINE_MAX, lineReader, openLog } from '../../src/process/log-tail.ts';
import type { Log } from '../../src/process/log-tail.ts';
import { redactLine, redactLog } from '../../src/process/redact.ts';
import { secretsOf } from '../../src/task/core/base/secrets.ts';
import { folder } from '../clients/rig.ts';
import * as fc from '../support/property.ts';

function logIn(file: string): Log {
  const log = openLog(file);
  onTestFinished(() => closeSync(log.fd));
  return log;
}

describe('lines', () => {
  test('come whole, however the bytes arrive', () => {
    const file = join(folder(), 'log');
    const log = logIn(file);
    const lines: string[] = [];
    const reader = lineReader(log, (line) => lines.push(line));
    const bytes = Buffer.from('größe\r\n\nzweite ☃\nende', 'utf8');
    for (const byte of bytes) {
      appendFileSync(file, Buffer.of(byte));
      reader.look();
    }
    expect(lines).toEqual(['größe', '', 'zweite ☃']);
    reader.end();
    expect(lines).toEqual(['größe', '', 'zweite ☃', 'ende']);
  });

  test('longer than the bound are cut, the next one is whole', () => {
    const file = join(folder(), 'log');
    const log = logIn(file);
    writeFileSync(file, `${'x'.repeat(5 * LINE_MAX)}\nnext\n`);
    const lines: string[] = [];
    lineReader(log, (line) => lines.push(line)).end();
    expect(lines.map((line) => line.length)).toEqual([LINE_MAX, 4]);
  });

  test('that are no UTF-8 are shown as far as they go', () => {
    const file = join(folder(), 'log');
    const log = logIn(file);
    writeFileSync(file, Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3]));
    const lines: string[] = [];
    lineReader(log, (line) => lines.push(line)).end();
    expect(lines).toEqual(['a\uFFFDb', '\uFFFD']);
  });

  test('go on after a program truncated its log', () => {
    const file = join(folder(), 'log');
    const log = logIn(file);
    const lines: string[] = [];
    const reader = lineReader(log, (line) => lines.push(line));
    appendFileSync(file, 'first\n');
    reader.look();
    truncateSync(file, 0);
    reader.look();
    appendFileSync(file, 'second\n');
    reader.end();
    expect(lines).toEqual(['first', 'second']);
  });
});

describe('secrets', () => {
  const redacted = (content: Buffer | string, secrets: readonly string[]): Buffer => {
    const file = join(folder(), 'log');
    writeFileSync(file, content);
    const log = openLog(file);
    redactLog(file, log.fd, secretsOf(secrets));
    closeSync(log.fd);
    return readFileSync(file);
  };

  const table: readonly [string, string, string[], string][] = [
    ['everywhere', 'secret1 x secret1secret1', ['secret1'], '*** x ******'],
    ['at the ends', 'secret1', ['secret1'], '***'],
    ['the longer one first', 'secret1-long secret1', ['secret1', 'secret1-long'], '*** ***'],
    ['not the short', 'abcde', ['abcde', ''], 'abcde'],
    ['patterns are text', 'a.*b+c(d axxb', ['a.*b+c(d'], '*** axxb'],
    ['beyond ASCII', 'größe-ß größe', ['größe-ß'], '*** größe'],
    ['lines of a key', 'x\n--BEGIN\nabc\n--END\ny', ['--BEGIN\nabc\n--END'], 'x\n***\ny'],
  ];
  test.each(table)('%s', (_what, content, secrets, expected) => {
    expect(redacted(content, secrets).toString()).toBe(expected);
    expect(redactLine(content, secretsOf(secrets))).toBe(expected);
  });

  test('also across the chunks of a large log, other bytes untouched', () => {
    const chunk = 1024 * 1024;
    const content = Buffer.alloc(2 * chunk + 1000, 0xe9);
    for (const at of [0, 500, chunk - 3, 2 * chunk - 6, content.length - 7]) {
      content.write('secret1', at, 'latin1');
    }
    const expected = content.toString('latin1').replaceAll('secret1', '***');
    expect(redacted(content, ['secret1', 'much longer secret']).toString('latin1')).toBe(expected);
  });

  test('a log without any is not written', () => {
    const file = join(folder(), 'log');
    writeFileSync(file, 'nothing to hide');
    const before = statSync(file, { bigint: true });
    const log = openLog(file);
    redactLog(file, log.fd, secretsOf(['secret1']));
    closeSync(log.fd);
    expect(statSync(file, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  });

  test('as a plain replacement would do it, whatever the text', () => {
    const word = fc.constantFrom('secret1', 'secret1-long', 'secret', 'x', '\n', '***', 'é');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        const expected = text.replaceAll(/secret1-long|secret1|secret/g, '***');
        const secrets = ['secret', 'secret1', 'secret1-long'];
        expect(redactLine(text, secretsOf(secrets))).toBe(expected);
      }),
    );
  });
});

describe('what is kept of a long log', () => {
  test('is its beginning and its end, with what was cut between; earlier words stay', () => {
    const file = join(folder(), 'log');
    writeFileSync(file, 'earlier\n');
    const log = logIn(file);
    appendFileSync(file, `head\n${'x'.repeat(1000)}\ntail\n`);
    keepEnds(log, 5, 5);
    expect(readFileSync(file, 'utf8')).toBe(
      'earlier\nhead\n\n[1001 bytes are left out here]\ntail\n',
    );
  });

  test('is all of it when it is no longer than both ends', () => {
    const file = join(folder(), 'log');
    const log = logIn(file);
    appendFileSync(file, '0123456789');
    keepEnds(log, 5, 5);
    expect(readFileSync(file, 'utf8')).toBe('0123456789');
  });
});
