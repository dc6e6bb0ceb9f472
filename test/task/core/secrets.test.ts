/** What counts as a secret in a text, in which forms, and what must never be taken for one. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { secretsOf, withoutSecrets } from '../../../src/task/core/base/secrets.ts';
import * as fc from '../../support/property.ts';

const clean = (text: string, values: readonly string[] = []): string =>
  Buffer.from(
    withoutSecrets(Buffer.from(text).toString('latin1'), secretsOf(values)),
    'latin1',
  ).toString();

const some = (n: number): string => 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fR'.repeat(20).slice(0, n);
/** Put together here, so that no scanner finds one in this file. */
const joined = (...parts: readonly string[]): string => parts.join('');
const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const key = (kind: string, lines = 20): string =>
  joined(
    `-----BEGIN ${kind}PRIVATE`,
    ` KEY-----\n${`${some(64)}\n`.repeat(lines)}${some(20)}==\n-----END ${kind}PRIVATE KEY-----`,
  );

const TOKENS: Readonly<Record<string, string>> = {
  Anthropic: joined('sk-', `ant-api03-${some(93)}AA`),
  'OpenAI of a project': joined('sk-', `proj-${some(60)}_${some(60)}`),
  OpenAI: joined('sk-', some(48)),
  GitHub: joined('ghp', `_${some(36)}`),
  'GitHub of an app': joined('ghs', `_${some(36)}`),
  'GitHub, fine-grained': joined('github', `_pat_${some(22)}_${some(59)}`),
  GitLab: joined('glpat', `-${some(20)}`),
  AWS: joined('AKIA', 'IOSFODNN7ABCDEFG'),
  Slack: joined('xoxb', `-123456789012-1234567890123-${some(24)}`),
  npm: joined('npm', `_${some(36)}`),
  Google: joined('AIza', some(35)),
  'Hugging Face': joined('hf', `_${'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'}`),
  Stripe: joined('sk', `_live_${some(24)}`),
  'JSON web token': joined(
    jwtPart({ alg: 'RS256' }),
    '.',
    jwtPart({ sub: 'agent' }),
    '.',
    some(86),
  ),
  'RSA key': key('RSA '),
  'OpenSSH key': key('OPENSSH ', 40),
};
const AROUND: Readonly<Record<string, (token: string) => string>> = {
  alone: (token) => token,
  'in a sentence': (token) => `the key is ${token}, and more.`,
  'as a variable': (token) => `KEY=${token}\nOTHER="${token}"`,
  'as a URL': (token) => `https://user:${token}@example.org/?key=${token}&x=1`,
  'as JSON': (token) => JSON.stringify({ text: `it is:\n${token}\n`, colour: '\u001B[31m' }),
  'as front matter': (token) => `---\nkey: ${token}\n---\n`,
};

describe.each(Object.entries(AROUND))('%s', (_how, around) => {
  test.each(Object.entries(TOKENS))('%s', (_kind, token) => {
    expect(clean(around(token))).toBe(around('***'));
  });
});

describe('the value of a named variable', () => {
  const VALUE = 'hunter2/+ "é\\ hunter3 of some length, which needs more than one line';
  const forms: readonly (readonly [string, string])[] = [
    ['plain', VALUE],
    ['JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['a URL', encodeURIComponent(VALUE)],
    ['a URL in lower case', encodeURIComponent(VALUE).replace(/%../g, (x) => x.toLowerCase())],
  ];
  test.each(forms)('%s', (_form, text) => {
    expect(clean(`before ${text} after`, [VALUE])).toBe('before *** after');
  });

  test.each([0, 1, 2, 3, 4, 5])('base64, after %d bytes and in lines', (n) => {
    const whole = Buffer.from(`${'x'.repeat(n)}${VALUE}${'y'.repeat(n)}`);
    const texts = [
      whole.toString('base64'),
      whole.toString('base64url'),
      encodeURIComponent(whole.toString('base64')),
      whole.toString('base64').replace(/.{76}/g, '$&\n'),
      JSON.stringify(whole.toString('base64').replace(/.{76}/g, '$&\n')),
    ];
    for (const text of texts) {
      const said = clean(`before ${text} after`, [VALUE]);
      expect(said).toMatch(/^before .{0,9}\*\*\*[\w%=+/"-]{0,14} after$/);
    }
  });

  test('the longest wins, be it a value or a token', () => {
    const token = TOKENS['GitHub'] ?? '';
    expect(clean(`${token}!`, [token.slice(0, 20)])).toBe('***!');
    expect(clean(`${token}-mine!`, [`${token}-mine`])).toBe('***!');
  });
});

describe('no secret', () => {
  const hash = (algorithm: string) => (text: string) =>
    createHash(algorithm).update(text).digest('hex');
  const sri = (text: string): string =>
    `sha512-${createHash('sha512').update(text).digest('base64')}`;
  const word = fc.constantFrom(
    ...'task-risk desk-ask sk- sk-ant sk-proj-the-name-of-a-branch npm_ ghp_ token AKIA'.split(' '),
    ...'eyJ hf_transfer xoxb- PRIVATE KEY -----BEGIN CERTIFICATE----- AIza sk_live_ ***'.split(' '),
    joined('AKIA', 'IOSFODNN7EXAMPLE'),
  );
  const innocent = fc.oneof(
    fc.string().map(hash('sha1')),
    fc.string().map(hash('sha256')),
    fc.string().map(sri),
    fc.string().map((text) => `task-${hash('sha1')(text)}`),
    fc.string().map((text) => `desk_sk-${hash('md5')(text)}x`.replace('sk-', 'sk')),
    fc.constant('').map(() => randomUUID()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    word,
  );
  test('hashes, digests, uuids, times and words stay', () => {
    fc.assert(
      fc.property(
        fc.array(innocent, { maxLength: 20 }),
        fc.constantFrom(' ', '\n', '/'),
        (all, by) => {
          const text = all.join(by);
          expect(clean(text)).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('nothing of what this project has written', () => {
    const project = fileURLToPath(new URL('../../../', import.meta.url));
    const given = ['test/cases', 'test/contracts', 'test/programs'];
    for (const folder of ['docs', 'src', 'templates', 'schemas', ...given]) {
      for (const file of readdirSync(join(project, folder), {
        recursive: true,
        withFileTypes: true,
      })) {
        if (!file.isFile()) continue;
        const text = readFileSync(join(file.parentPath, file.name), 'utf8');
        expect(clean(text) === text, join(file.parentPath, file.name)).toBe(true);
      }
    }
  });
});
