/** Which criteria the runner proves itself: those that say no more than that a check or file holds. */
import { expect, test } from 'vitest';
import { checkName } from '../../../src/task/core/model/contract.ts';
import { isProved } from '../../../src/task/core/model/criterion-check.ts';
import { parseContract } from '../../../src/task/text/documents/contract.ts';

const PROVED: readonly (readonly [string, boolean])[] = [
  ['`npm test` passes', true],
  ['npm test passes without errors', true],
  ['run: npm test', true],
  ['`out/a.txt` is there', true],
  ['The file `out/a.txt` exists.', true],
  ['`out/a.txt` names both guests', false],
  ['out/a.txt is there and it is in German', false],
  ['npm test passes on Windows', false],
  ['`npm test` does not pass', false],
  ['the page is readable', false],
  ['file_exists: docs/b.md', true],
  ['`notes.md` is there', false],
  ['All tests pass: `npm test`', true],
  ['`out/a.txt` is written and tests pass', false],
  ['`out/a.txt` is there without errors', false],
  ['`npm test --all` passes', false],
  ['`npm test:done` passes', false],
  ['npm test:done passes', false],
  ['npm test --all passes', false],
  ['`out/a.txt/b` exists', false],
  ['`more/out/a.txt` is there', false],
  ['more/out/a.txt is there', false],
  ['out/a.txt.bak is there', false],
  ['`npm test` passes and the script is verified', false],
  ['`npm test` passes, and no test fails', false],
  ['❌ `npm test` passes', false],
  ['~~`npm test` passes~~', false],
];

const criteria = PROVED.map(([text]) => `- [ ] ${text}`).join('\n');
const contract = parseContract(
  `---\ntitle: x\ndeliverables: [out/a.txt]\nverify: ["run: npm test", "file_exists: docs/b.md", "file_exists: notes.md"]\n---\n\n## Success Criteria\n\n${criteria}\n`,
  'contract.md',
);

test.each(PROVED)('%s: %s', (text, wanted) => {
  if (!contract.ok) throw new Error('the contract cannot be read');
  const criterion = contract.value.criteria.find((one) => one.text === text);
  if (criterion === undefined) throw new Error(`no criterion ${text}`);
  const holds = new Set(['run: npm test', 'file_exists: out/a.txt', 'file_exists: docs/b.md']);
  expect(isProved(contract.value, criterion, (check) => holds.has(checkName(check)))).toBe(wanted);
  expect(isProved(contract.value, criterion, () => false)).toBe(false);
});
