/** A line that a person accepts into direction.md. */
import { expect, test } from 'vitest';
import { PARTS, withDirection } from '../../../src/assumptions/text/direction-file.ts';
import * as fc from '../../support/property.ts';

test.each<[says: string, before: string, after: string]>([
  ['an empty file', '', '# Direction\n\n## Goals\n\n- Sell tea\n'],
  [
    'no such part',
    '# Direction\n\nMine.\n\n\n',
    '# Direction\n\nMine.\n\n## Goals\n\n- Sell tea\n',
  ],
  [
    'a part without lines',
    '## Goals\n\n## Priorities\n',
    '## Goals\n\n- Sell tea\n\n## Priorities\n',
  ],
  ['a heading at the end', '## Goals', '## Goals\n\n- Sell tea\n'],
  ['a part with lines', '## Goals\n\n- a\n\n## X\n', '## Goals\n\n- a\n- Sell tea\n\n## X\n'],
  ['the same line', '## Goals\n\n- Sell tea\n- a\n', '## Goals\n\n- Sell tea\n- a\n'],
  ['no line end', '## Goals\n\n- a', '## Goals\n\n- a\n- Sell tea\n'],
  ['CRLF', '## Goals\r\n\r\n- a\r\n', '## Goals\r\n\r\n- a\r\n- Sell tea\r\n'],
  ['another case', '## GOALS\n\n- a\n', '## GOALS\n\n- a\n- Sell tea\n'],
  [
    'a comment is no part',
    '<!--\n## Goals\n-->\n',
    '<!--\n## Goals\n-->\n\n## Goals\n\n- Sell tea\n',
  ],
  ['code is no part', '```\n## Goals\n```\n', '```\n## Goals\n```\n\n## Goals\n\n- Sell tea\n'],
])('%s', (_, before, after) => expect(withDirection(before, 'goals', 'Sell tea')).toBe(after));

test('all that was there is there, and only lines are added', () => {
  const line = fc.constantFrom(
    ...'# Direction|## Goals|## Constraints|- a|* b|word||  - c|```|> x|| # y|é'.split('|'),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, eol, ended]) => lines.join(eol) + (ended ? eol : ''));
  fc.assert(
    fc.property(text, fc.constantFrom(...PARTS), (before, part) => {
      const after = withDirection(before, part, 'Sell tea');
      const lines = (of: string): readonly string[] => of.trimEnd().split(/\r?\n/);
      const left = [...lines(after)];
      for (const one of before.trim() === '' ? [] : lines(before)) {
        const at = left.indexOf(one);
        expect(at, `${JSON.stringify(one)} is gone`).toBeGreaterThanOrEqual(0);
        left.splice(0, at + 1);
      }
      expect(lines(after).filter((one) => one === '- Sell tea')).toHaveLength(1);
      const added = lines(after).length - (before.trim() === '' ? 0 : lines(before).length);
      expect(added).toBeLessThanOrEqual(5);
      expect(withDirection(after, part, 'Sell coffee')).toContain('- Sell coffee');
    }),
  );
});
