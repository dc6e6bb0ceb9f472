/** What each client asks before it uses the tools: init says it by the client's record, and a page says it again. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENT_TYPES, PLACES } from '../../src/clients/core/records.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

test.each(CLIENT_TYPES)('%s: file and words of the record are in the table', (type) => {
  const { file, approval } = PLACES[type].mcp;
  const row = page.split('\n').find((line) => line.includes(`| \`${file}\` | `)) ?? '';
  expect(row.replaceAll('`', '')).toContain(`it ${approval}`);
});
