/**
 * The command fills templates that were compiled when it was built. Each must give what the whole
 * Handlebars makes of the same template and the same values: text, or a fault.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderTemplate } from '../../../src/task/text/markdown/template.ts';
import { BINARY } from '../../support/binary.ts';
import * as fc from '../../support/property.ts';

interface Templates {
  readonly made: Record<string, () => object>;
  readonly text: Record<string, string>;
}

const templatesIn = (file: string) =>
  createRequire(BINARY)(join(dirname(BINARY), file)) as Templates;
const [own, more] = [templatesIn('templates.cjs'), templatesIn('more-templates.cjs')];
const made = { ...own.made, ...more.made };
const text = { ...own.text, ...more.text };
const folder = fileURLToPath(new URL('../../../templates/', import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.hbs'))
  .map((file) => file.slice(0, -'.hbs'.length));

test('all templates of the package are in the command', () => {
  expect(Object.keys(made).toSorted()).toEqual(names.toSorted());
  expect(names.length).toBeGreaterThan(5);
});

const words = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', 'review', 'x', '## y\n```', '<b> & {{a}}', '{{/each}}', '<!-- x -->'),
);
const texts = fc.array(words, { maxLength: 3 });
const rows = fc.array(
  fc.record({ question: words, answer: words, name: words, text: words, id: words }),
  { maxLength: 2 },
);
const value = fc.oneof(words, texts, rows, fc.integer(), fc.boolean());

function outcome(render: () => string): string {
  try {
    return render();
  } catch (error) {
    return `fault: ${(error as Error).message}`;
  }
}

test.each(names)('%s: the same text, the same faults', (name) => {
  const source = readFileSync(join(folder, `${name}.hbs`), 'utf8');
  expect(text[name]).toBe(source);
  const keys = [...new Set(source.match(/[a-z_]{2,}/g))];
  let filled = 0;
  // A list of words where rows are asked for is a fault: with many such lists few would be filled.
  const any = fc.oneof({ weight: 4, arbitrary: words }, texts);
  const whole = fc.record(Object.fromEntries(keys.map((key) => [key, any])));
  const some = fc.dictionary(fc.constantFrom(...keys), value);
  fc.assert(
    fc.property(fc.oneof({ weight: 2, arbitrary: whole }, some), (values) => {
      const full = outcome(() => renderTemplate(source, values, name));
      expect(outcome(() => renderTemplate(made[name]?.() ?? '', values, name))).toBe(full);
      if (!full.startsWith('fault: ')) filled += 1;
    }),
    { numRuns: 1200 },
  );
  expect(filled).toBeGreaterThan(fc.met(10));
});
