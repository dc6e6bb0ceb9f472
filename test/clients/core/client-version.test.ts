/** What clients say of their version, word for word, and what is made of it. */
import { expect, test } from 'vitest';
import { judgeVersion, type VersionAnswer } from '../../../src/clients/core/client-version.ts';

const said = (text: string, code = 0): VersionAnswer => ({ kind: 'answered', text, code });
const OLDER = 'is older than 0.98.0, the oldest version that was tested';

test.each<[string, VersionAnswer, string | undefined, string | undefined]>([
  ['the same', said('codex-cli 0.98.0\n'), '0.98.0', undefined],
  ['newer', said('codex-cli 0.169.0\n'), '0.169.0', undefined],
  ['newer, by number and not by letter', said('0.100.0'), '0.100.0', undefined],
  ['more behind it', said('2.1.330 (Claude Code)\n'), '2.1.330', undefined],
  ['behind other lines', said('Hello\nv1.0\n'), '1.0', undefined],
  ['one of tomorrow', said('codex-cli 0.99.0-alpha.2\n'), '0.99.0', undefined],
  ['older', said('codex-cli 0.20.0\n'), '0.20.0', `codex 0.20.0 ${OLDER}`],
  ['older by its last part', said('0.97.99'), '0.97.99', `codex 0.97.99 ${OLDER}`],
  ['short', said('0.9'), '0.9', `codex 0.9 ${OLDER}`],
  ['no version', said('nightly\n'), undefined, 'codex --version prints no version: nightly'],
  [
    'an address',
    said('at 127.0.0.1'),
    undefined,
    'codex --version prints no version: at 127.0.0.1',
  ],
  ['nothing', said(' \n'), undefined, 'codex --version prints nothing'],
  [
    'nothing, and it fails',
    said('', 1),
    undefined,
    'codex --version prints nothing and ends with 1',
  ],
  [
    'too much',
    said('x'.repeat(500), 2),
    undefined,
    `codex --version prints no version and ends with 2: ${'x'.repeat(79)}…`,
  ],
  ['late', { kind: 'late', seconds: 15 }, undefined, 'codex --version gave no answer in 15 s'],
  ['not started', { kind: 'failed', why: 'EIO' }, undefined, 'codex --version failed: EIO'],
])('%s', (_name, one, version, doubt) => {
  expect(judgeVersion('codex', '0.98.0', one)).toEqual({ version, doubt });
});
