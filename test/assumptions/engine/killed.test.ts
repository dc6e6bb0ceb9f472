/** A runner dies at each change: what was assumed is kept once, asked once and settled once. MOCK agents. */
import { expect, test } from 'vitest';
import { contractOf, handsIn, killedEverywhere } from '../../memory/killed-runner.ts';

const FOLDERS = ['.contracts/assumptions', '.contracts/memory'];
const ask = (...files: string[]): string =>
  `---\ntitle: Assumptions\ntype: assumptions\nagent: person\nquality_gate: person\n---\n\n# Assumptions\n\n## Context Files\n\n${files
    .map((one) => `- \`.contracts/assumptions/${one}.md\`\n`)
    .join('')}`;

function assumption(information: string, more = ''): string {
  return `---\nv: 1\ninformation: ${information}\nplan: shop\n${more}---\n`;
}

test('what a result assumes is kept once, and a person is asked once', async () => {
  const { files } = await killedEverywhere({
    folders: [...FOLDERS, 'active_tasks/questions'],
    done: ['one'],
    files: {
      'active_tasks/ready/one/contract.md': contractOf('Prices', 'plan: shop\n'),
      '.contracts/assumptions/one-warehouse.md': assumption(
        'Parcels leave the warehouse each day at noon',
        'confidence: 0.5\nsource: [zero]\n',
      ),
    },
    script: handsIn(
      [
        '## Assumptions\n',
        '- Parcels leave the warehouse each day at noon, always (confidence 0.4)',
        '- Prices are in euros (confidence 0.4)',
        '- Prices are in euros! (confidence 0.3)',
        '- Tax is included (confidence 0.5)',
        '\n## Decisions Needed\n',
        '- Which bank?',
        '',
      ].join('\n'),
    ),
  });
  expect(files).toMatchInlineSnapshot(`
    {
      ".contracts/assumptions/one-warehouse.md": "---
    v: 1
    information: Parcels leave the warehouse each day at noon
    plan: shop
    confidence: 0.4
    source:
      - zero
      - one
    uses:
      - one
    asked: true
    ---
    ",
      ".contracts/assumptions/prices-are-in-euros.md": "---
    v: 1
    kind: assumption
    information: Prices are in euros
    confidence: 0.3
    plan: shop
    source:
      - one
    created: NOW
    asked: true
    ---
    ",
      ".contracts/assumptions/tax-is-included.md": "---
    v: 1
    kind: assumption
    information: Tax is included
    confidence: 0.5
    plan: shop
    source:
      - one
    created: NOW
    asked: true
    ---
    ",
      ".contracts/assumptions/which-bank.md": "---
    v: 1
    kind: decision
    information: Which bank?
    plan: shop
    source:
      - one
    created: NOW
    asked: true
    ---
    ",
      "active_tasks/questions/.gitkeep": "",
      "active_tasks/questions/assumptions-shop/contract.md": "---
    v: 1
    title: Assumptions of shop
    type: assumptions
    agent: person
    created: NOW
    quality_gate:
      - person
    ---

    # Assumptions of shop

    ## Objective

    Say of each whether it holds: 3 assumptions are below 0.6. No new task of shop begins until then.

    ## Success Criteria

    - [ ] Each question has an answer

    ## Context Files

    - \`.contracts/assumptions/one-warehouse.md\`
    - \`.contracts/assumptions/prices-are-in-euros.md\`
    - \`.contracts/assumptions/tax-is-included.md\`
    - \`.contracts/assumptions/which-bank.md\`
    ",
      "active_tasks/questions/assumptions-shop/questions.md": "# Questions: assumptions-shop

    ## Questions

    1. \`one-warehouse\`: Parcels leave the warehouse each day at noon (zero, one) Assumed with confidence 0.4. Answer yes, or say what holds instead.

    ### Answer

    2. \`prices-are-in-euros\`: Prices are in euros (one) Assumed with confidence 0.3. Answer yes, or say what holds instead.

    ### Answer

    3. \`tax-is-included\`: Tax is included (one) Assumed with confidence 0.5. Answer yes, or say what holds instead.

    ### Answer

    4. \`which-bank\`: Which bank? (one) What is to be done?

    ### Answer

    ",
    }
  `);
});

test('ten tasks later a person is asked, even where the runner died after it had begun to ask', async () => {
  const done = Array.from({ length: 9 }, (_, i) => [
    `active_tasks/done/t${i}/contract.md`,
    contractOf(`T${i}`),
  ]);
  const { files } = await killedEverywhere({
    folders: ['.contracts/assumptions', 'active_tasks/questions'],
    done: ['one'],
    files: {
      ...Object.fromEntries(done),
      'active_tasks/ready/one/contract.md': contractOf('Prices', 'plan: shop\n'),
      '.contracts/assumptions/tax.md': assumption('Tax is included', 'confidence: 0.9\n'),
    },
    script: handsIn(''),
  });
  expect(Object.keys(files)).toContain('active_tasks/questions/assumptions-shop/questions.md');
});

test('an answer is kept once, and what rests on a rejected one is named whatever happened', async () => {
  const { files, said } = await killedEverywhere({
    folders: FOLDERS,
    done: ['assumptions-shop'],
    files: {
      'active_tasks/questions/assumptions-shop/contract.md': ask('euros', 'tax', 'bank'),
      'active_tasks/questions/assumptions-shop/questions.md': [
        '# Questions: assumptions-shop\n\n## Questions\n',
        '1. `euros`: Prices are in euros\n\n### Answer\n\nNo, in francs\n',
        '2. `tax`: Tax is included\n\n### Answer\n\nyes\n',
        '3. `bank`: Which bank?\n\n### Answer\n\nThe first\n',
      ].join('\n'),
      'active_tasks/done/one/contract.md': contractOf('Prices', 'plan: shop\n'),
      'active_tasks/done/two/contract.md': contractOf('Sums', 'plan: shop\n'),
      '.contracts/assumptions/euros.md': assumption(
        'Prices are in euros',
        'source: [one]\nuses: [two]\n',
      ),
      '.contracts/assumptions/tax.md': assumption('Tax is included', 'source: [one]\n'),
      '.contracts/assumptions/bank.md': assumption(
        'Which bank?',
        'kind: decision\nsource: [one]\n',
      ),
    },
    script: () => 1,
  });
  expect(said).toEqual([
    'every question is answered; taken as no: euros; these done tasks rest on that: contracts retry one two --again',
  ]);
  expect(files).toMatchInlineSnapshot(`
    {
      ".contracts/assumptions/confirmed/bank.md": "---
    v: 1
    information: Which bank?
    plan: shop
    kind: decision
    source: [one]
    ---
    ",
      ".contracts/assumptions/confirmed/tax.md": "---
    v: 1
    information: Tax is included
    plan: shop
    source: [one]
    ---
    ",
      ".contracts/assumptions/rejected/euros.md": "---
    v: 1
    information: Prices are in euros
    plan: shop
    source: [one]
    uses: [two]
    ---
    ",
      ".contracts/memory/decision/tax-is-included.md": "---
    v: 1
    type: decision
    information: Tax is included
    entities:
      - plan:shop
    confidence: 0.95
    source:
      - one
      - person
    created: NOW
    ---
    ",
      ".contracts/memory/decision/which-bank-the-first.md": "---
    v: 1
    type: decision
    information: Which bank? The first
    entities:
      - plan:shop
    confidence: 0.95
    source:
      - one
      - person
    created: NOW
    ---
    ",
      ".contracts/memory/preference/in-francs-and-not-as-was-assumed-prices-are-in.md": "---
    v: 1
    type: preference
    information: "in francs (and not, as was assumed: Prices are in euros)"
    entities:
      - plan:shop
    confidence: 0.95
    source:
      - one
      - person
    created: NOW
    ---
    ",
    }
  `);
});
