/** No part of `src` decides by the words of a message: a code or a field says what happened. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

const READINGS = [
  /\b(?:reason|message|fix)\??\.(?:includes|startsWith|endsWith|match|search|indexOf)\(/,
  /\.(?:test|exec)\((?:\w+\??\.)*(?:reason|message|fix)\)/,
  /\b(?:reason|message|fix)\s*[!=]==\s*(?:'[^']* [^']*'|`|(?:\w+\??\.)+(?:reason|message|fix)\b)/,
];

/** Words of other programs, and what is still to be turned; this list only shrinks. */
const KNOWN: readonly string[] = [
  'attempt/setup-fault.ts: const [, name] = LACKED.exec(reason) ?? [];',
  'acp/failure.ts: return cut(error.message.includes(more) ? error.message : `${error.message}: ${more}`, 500);',
  'prompts/new-flags.ts: const named = found.message.startsWith(`${key} `) || found.message.startsWith(`${key}.`);',
];

function readings(text: string): string[] {
  return text.split('\n').filter((line) => READINGS.some((reading) => reading.test(line)));
}

test('nothing reads a message to decide', () => {
  const files = readdirSync(src, { recursive: true, withFileTypes: true });
  const found = files
    .filter((file) => file.isFile() && file.name.endsWith('.ts'))
    .flatMap(({ parentPath, name }) => {
      const path = relative(src, join(parentPath, name)).split('/').slice(-2).join('/');
      const lines = readings(readFileSync(join(parentPath, name), 'utf8'));
      return lines.map((line) => `${path}: ${line.trim()}`);
    });
  expect(found.toSorted()).toEqual(KNOWN.toSorted());
  expect(KNOWN, 'none is added; where one is gone, lower the number').toHaveLength(3);
});

test.each([
  "if (outcome.reason.startsWith('check ')) return 1;",
  'const same = one.message === last.outcome?.reason;',
  "const silent = judged.reason === 'no result';",
  'if (problems.some(({ message }) => message.includes(id))) return;',
  'return LOST.test(problem.fix);',
])('finds the planted %s', (line) => {
  expect(readings(line)).toEqual([line]);
});

test.each(["ending.reason === 'exited'", "fix === ''", 'words.includes(reason)'])(
  'leaves %s alone',
  (line) => {
    expect(readings(line)).toEqual([]);
  },
);
