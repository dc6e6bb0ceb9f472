/** What each word under `verify` of a plan asks for. */
import { describe, expect, test } from 'vitest';
import { verifierOf, type Verifier } from '../../../src/plans/core/verifiers.ts';

const names = {
  checks: new Map([
    ['links', ['npm run links', 'file_exists: sitemap.xml']],
    ['report', ['run: test -s report.md']],
    ['brand-check', ['checklist']],
    ['own-squad', ['squad_valid: own', 'plan_valid']],
  ]),
  squad_checks: new Map([
    ['links', ['run: never']],
    ['tone_of_voice', ['run: ./tone.sh']],
  ]),
  detected: (name: string) => (name === 'tests' ? ['run: npm test'] : undefined),
};

const checks = (...texts: string[]): Verifier => ({ kind: 'checks', checks: texts });

const ROWS: readonly (readonly [string, Verifier])[] = [
  ['tests', checks('run: npm test')],
  ['Tests', checks('run: npm test')],
  ['`tests`', checks('run: npm test')],
  ['test', checks('run: npm test')],
  ['lsp_build_test', { kind: 'undetected', name: 'lsp_build_test' }],
  ['checklist', checks('checklist')],
  ['squad_valid', checks('squad_valid')],
  ['plan-valid', checks('plan_valid')],
  ['squad_valid: legal', checks('squad_valid: legal')],
  ['plan_valid: launch', checks('plan_valid: launch')],
  ['own-squad', checks('squad_valid: own', 'plan_valid')],
  ['report', checks('run: test -s report.md')],
  ['report-exists', { kind: 'deliverables', first: true }],
  ['file_exists', { kind: 'deliverables', first: false }],
  ['file-exists', { kind: 'deliverables', first: false }],
  ['reviewer', { kind: 'reviewer' }],
  ['@brand-reviewer', { kind: 'gate', name: 'brand-reviewer' }],
  ['@person', { kind: 'person' }],
  ['person', { kind: 'person' }],
  ['run: npm run e2e', checks('run: npm run e2e')],
  ['`run: npm run e2e`', checks('run: npm run e2e')],
  ['file_exists: dist/x.js', checks('file_exists: dist/x.js')],
  ['matches: a.md /x/', checks('matches: a.md /x/')],
  ['links', checks('run: npm run links', 'file_exists: sitemap.xml')],
  ['brand check', checks('checklist')],
  ['tone-of-voice', checks('run: ./tone.sh')],
  ['checklst', { kind: 'unknown', near: 'checklist' }],
  ['by magic and hope', { kind: 'unknown', near: undefined }],
  ['@', { kind: 'unknown', near: undefined }],
  ['constructor', { kind: 'unknown', near: undefined }],
  ['', { kind: 'unknown', near: undefined }],
];

describe('verify', () => {
  test.each(ROWS)('%j', (entry, wanted) => {
    expect(verifierOf(entry, names)).toEqual(wanted);
  });
});
