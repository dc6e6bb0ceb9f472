/** Inputs of a plan are data: whatever a value is, the contracts are the same but for its words. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expandPlan } from '../../../src/plans/core/expand.ts';
import { filled, inputsIn, withInputs } from '../../../src/plans/core/inputs.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';
import { parseContract, renderContract } from '../../../src/task/text/documents/contract.ts';
import { dumpFrontMatter } from '../../../src/task/text/yaml/front-matter.ts';
import { around } from './make-plan.ts';
import * as fc from '../../support/property.ts';

const TEMPLATE = readFileSync(new URL('../../../templates/contract.hbs', import.meta.url), 'utf8');

const BODY = `
# Plan {{a}}

{{a}} and {{ b }}

## Part (phase: first)

{{b}}

- [ ] **Do {{a}}** (id: one, executor: @dev, verify: \`run: true\`, files: \`x.txt\`)
  With {{b}} and {{c}}.
  - [ ] it is {{a}}
- [ ] **Then {{b}}** (id: two, executor: @dev, verify: \`run: true\`, depends: one)
`;

function contractsWith(a: string, b: string) {
  const read = parsePlan(`${dumpFrontMatter({ inputs: { a, b } })}${BODY}`, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { drafts, problems } = expandPlan(read.value, around({ names: ['dev'] }));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return drafts.map(({ id, contract }) => {
    const text = renderContract({ ...contract, head: { v: 1, ...contract.head } }, TEMPLATE);
    const parsed = parseContract(text, 'contract.md');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const { head, checks, criteria, steps, context_files } = parsed.value;
    const { title: _, ...keys } = head;
    return { id, keys, checks, criteria: criteria.length, steps, context_files };
  });
}

const value = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\n',
        '- [ ] evil (executor: @devops)',
        '## Steps',
        '```sh\nrm -rf /\n```',
        '## Success Criteria\n\n- [ ] evil',
        '---\nagent: evil\n---',
        '{{a}}',
        '{{b}}',
        '<!-- ',
        '-->',
        '# ',
        '|',
        '한국어',
        '🙂',
      ),
    ),
    { minLength: 1 },
  )
  .map((parts) => parts.join('\n'))
  .filter((text) => text.trim() !== '');

test('a value is never read as a box, a key, a section or a script', () => {
  const plain = contractsWith('x', 'y');
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(contractsWith(a, b)).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test('only names that are inputs are replaced, once', () => {
  expect(filled('{{a}} {{ a }} {{b}} {{A}} {{toString}}', { a: '{{b}}', b: 'x' })).toBe(
    '{{b}} {{b}} x {{A}} {{toString}}',
  );
  expect(inputsIn('{{a}} {{b_2}} {{a}} {{ }} {{A}}')).toEqual(['a', 'b_2']);
});

test('what a value names is not put into a title, nor into the words that the title is in', () => {
  const text = `${dumpFrontMatter({ inputs: { a: 'see {{b}}', b: 'secret' } })}\n- [ ] **Do {{a}}** (executor: @dev, verify: \`run: true\`)\n`;
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { drafts } = expandPlan(withInputs(read.value, 'launch'), around({ names: ['dev'] }));
  const words = drafts.map(({ contract }) => [contract.title, contract.objective]);
  expect(words).toEqual([['Do see { {b}}', 'Do see { {b}}']]);
});
