import { describe, expect, test } from 'vitest';
import { parseQuestions } from '../../../src/task/text/documents/documents.ts';
import {
  addAnswerSlots,
  answersInSlots,
  writeAnswer,
} from '../../../src/task/text/documents/edit.ts';
import * as fc from '../../support/property.ts';

const answers = (text: string, original?: string) =>
  parseQuestions(text, original).questions.map(({ answer }) => answer);
const texts = (text: string, original?: string) =>
  parseQuestions(text, original).questions.map((question) => question.text);

const Q = '## Questions\n';
const TAIL = '\n## What Is Unclear\nx\n';

const LIST = '\n- Postgres\n- SQLite\n';
const ONE = ['Which database? - Postgres - SQLite'];
const TWO = [...ONE, 'Which host? - here - there'];
const HOST = '\n- here\n- there\n';
const OPTIONS: [string, string, string[]][] = [
  ['a line above its options', `Which database?\n${LIST}`, ONE],
  ['in the section', `${Q}\nWhich database?\n${LIST}${TAIL}`, ONE],
  ['a heading above them', `## Which database?\n${LIST}`, ONE],
  ['the title above them', `# Which database?\n${LIST}`, ONE],
  [
    'bold words above them',
    `**Which database?**\n${LIST}`,
    ['**Which database?** - Postgres - SQLite'],
  ],
  ['a bold number', `**1. Database**\n${LIST}`, ['**1. Database** - Postgres - SQLite']],
  ['two lines', `Which database?\n${LIST}\nWhich host?\n${HOST}`, TWO],
  ['two headings', `## Q1: Which database?\n${LIST}\n## Q2: Which host?\n${HOST}`, TWO],
  ['headings in the section', `${Q}### Which database?${LIST}### Which host?${HOST}${TAIL}`, TWO],
  ['headings without a list', '## Who?\nAda\n\n## When?\nMay\n', ['Who? Ada', 'When? May']],
  [
    'options that are numbered',
    `Which database?\n\n1. Postgres\n2. SQLite\n`,
    ['Which database? 1. Postgres 2. SQLite'],
  ],
  ['options in boxes', `Which database?\n- [ ] Postgres\n- [x] SQLite\n`, ['Which database?']],
  [
    'options with a mark',
    `Which database?\n- Postgres?\n- SQLite?\n`,
    ['Which database? - Postgres? - SQLite?'],
  ],
  [
    'words behind the question',
    `Which database? Choose:\n${LIST}`,
    ['Which database? Choose: - Postgres - SQLite'],
  ],
  ['words over two lines', `Which\ndatabase?\n${LIST}`, ONE],
  [
    'a sub-heading',
    `## Which database?\n### Options${LIST}`,
    ['Which database? Options - Postgres - SQLite'],
  ],
  ['a question without options', `Which database?\n${LIST}\nAnd why?\n`, [...ONE, 'And why?']],
  ['a quotation', `> Which database?\n${LIST}`, [`> ${ONE[0]!}`]],
  ['a line, then a heading', `Which database?\n${LIST}\n## Which host?\n${HOST}`, TWO],
  ['a line, then a number', `Which database?\n${LIST}\n1. Which host?\n${HOST}`, TWO],
  [
    'another language',
    '## 1. Wer?\n- Ada\n### Antwort\n\n## 2. Wann?\n- im Mai\n### Antwort\n',
    ['Wer? - Ada', 'Wann? - im Mai'],
  ],
  [
    'wide marks',
    '使用哪个数据库？\n- Postgres\n- SQLite\n',
    ['使用哪个数据库？ - Postgres - SQLite'],
  ],
  ['what follows without a section', `Which database?\n${LIST}${TAIL}`, ONE],
  [
    'a list of questions below words that ask',
    'May I ask?\n\n1. A?\n2. Which host?\n',
    ['A?', 'Which host?'],
  ],
  [
    'bullets that ask below words that ask',
    'May I ask?\n\n- Which a?\n- Which b?\n',
    ['Which a?', 'Which b?'],
  ],
  ['a section with a number', '## 1. Questions\n1. Which a?\n2. B?\n', ['Which a?', 'B?']],
  ['bullets that do not ask', `${Q}\n- the port\n- the host\n`, ['the port', 'the host']],
  [
    'a heading with a number',
    `${Q}### 1. Database${LIST}### 2. Host${HOST}`,
    ['Database - Postgres - SQLite', 'Host - here - there'],
  ],
  ['indented below a number', `${Q}1. Which database?\n   - Postgres\n   - SQLite\n`, ONE],
  ['options without a gap', `Which database?${LIST}Which host?${HOST}`, TWO],
];

const WRAPPED = ['Who is the guest and where does he sit?', 'And when does he come?'];
const LINES: [string, string, string[]][] = [
  [
    'a line that goes on below',
    `${Q}\n1. Who is the guest and\nwhere does he sit?\n2. And when\n   does he come?\n`,
    WRAPPED,
  ],
  ['without a section', '1. Who is the guest and\nwhere does he sit?\n', WRAPPED.slice(0, 1)],
  [
    'bullets',
    `${Q}- Who is the guest and\nwhere does he sit?\n- And when\ndoes he come?\n`,
    WRAPPED,
  ],
  [
    'one bullet of them in one line',
    `${Q}- Who is the guest and\nwhere does he sit?\n- And when does he come?\n`,
    WRAPPED,
  ],
  [
    'a capital at the beginning of the line',
    `${Q}1. Should it be\nPostgres or SQLite?\n2. And when\nin May?\n`,
    ['Should it be Postgres or SQLite?', 'And when in May?'],
  ],
  [
    'a comment in it',
    `${Q}1. Who is the guest and\n<!-- x -->\nwhere does he sit?\n2. Why?\n`,
    [WRAPPED[0]!, 'Why?'],
  ],
  [
    'below words that ask',
    `May I ask?\n\n1. Who is the guest and\n   where does he sit?\n2. And when\ndoes he come?\n`,
    WRAPPED,
  ],
  [
    'words that ask behind the list',
    `${Q}1. Who is the guest and\nwhere does he sit?\n\nMay I push?\n- yes\n- no\n`,
    [`${WRAPPED[0]!} May I push? - yes - no`],
  ],
];

const SECTIONS: [string, string, string[]][] = [
  [
    'a title that asks itself',
    `${Q}1. Who?\n## Question: Which database?\n${LIST}`,
    ['Who?', ...ONE],
  ],
  [
    'a title without words',
    `${Q}\n## Question 1: Who?\n\n## Question 2: Where?\n`,
    ['Who?', 'Where?'],
  ],
  [
    'a title about the answer',
    `${Q}1. Who?\n## Question 2: How long is the answer?\n`,
    ['Who?', 'How long is the answer?'],
  ],
  ['more questions', `${Q}\n1. Who?\n\n## More Questions\n\n2. Where?\n`, ['Who?', 'Where?']],
  ['the same title', `${Q}1. Who?\n${TAIL}${Q}1. Where?\n`, ['Who?', 'Where?']],
  [
    'in two forms',
    `${Q}1. Who?\n## Non-blocking Questions\n- Where?\n- When?\n`,
    ['Who?', 'Where?', 'When?'],
  ],
  [
    'options in the second',
    `${Q}1. Who?\n## Open questions (not urgent)\nWhich database?\n${LIST}`,
    ['Who?', ...ONE],
  ],
  [
    'a number in the title',
    `${Q}1. Who?\n## Question 2: Where?\nIn May.\n`,
    ['Who?', 'Where? In May.'],
  ],
  ['above the title', `## Open Questions\n1. Who?\n${Q}2. Where?\n`, ['Who?', 'Where?']],
  ['titles of the file', `# Questions\n1. Who?\n# More Questions\n2. Where?\n`, ['Who?', 'Where?']],
  ['below the title', `# Questions\n1. Who?\n## More Questions\n2. Where?\n`, ['Who?', 'Where?']],
  ['yet to answer', `${Q}1. Who?\n## Questions not yet answered\n- Where?\n`, ['Who?', 'Where?']],
  ...[
    'Answered Questions',
    'Answers to the Questions',
    'Questions and Answers',
    'Questions I could answer myself',
    'Why I ask these questions',
    'Context of the questions',
    'Resolved questions',
    'No questions',
    'Earlier questions',
    'Notes',
    'Context',
  ].map((title): [string, string, string[]] => [
    `not asked: ${title}`,
    `${Q}1. Who?\n\n## ${title}\n\n1. Where?\n`,
    ['Who?'],
  ]),
];

describe('questions that are asked', () => {
  test.each([
    ['numbered', `${Q}1. Which port?\n2. Which host?\n${TAIL}`, ['Which port?', 'Which host?']],
    ['with brackets', `${Q}\n1) A?\n\n2) B?\n`, ['A?', 'B?']],
    ['bullets', `${Q}- A?\n* B?\n`, ['A?', 'B?']],
    [
      'headings',
      `${Q}### Question 1\nA?\n\n- this\n- that\n### Question 2: B?\nmore\n`,
      ['A? - this - that', 'B? more'],
    ],
    ['short headings', `${Q}### Q1: A?\n### Q2: B?\n`, ['A?', 'B?']],
    ['no section', '# Questions: x\n\n1. A?\n2. B?\n', ['A?', 'B?']],
    ['no section, no title', 'What is it?\n', ['What is it?']],
    ['no list', `${Q}\nShould it\nbe blue?\n`, ['Should it be blue?']],
    ['nested lists', `${Q}1. A?\n   - x\n   - y\n2. B?\n   1. z\n`, ['A? - x - y', 'B? 1. z']],
    ['bullets below numbers', `${Q}1. A?\n- x\n- y\n2. B?\n`, ['A? - x - y', 'B?']],
    ['a fence with numbers', `${Q}1. A?\n~~~\n2. no\n~~~\n2. B?\n`, ['A? ~~~ 2. no ~~~', 'B?']],
    ...OPTIONS,
    ...LINES,
    ...SECTIONS,
    ['nothing', '', []],
    ['an empty section', `${Q}${TAIL}`, []],
    ['CRLF', `\uFEFF${Q}1. A?\n2. B?\n`.replaceAll('\n', '\r\n'), ['A?', 'B?']],
  ])('%s', (_, text, wanted) => {
    expect(texts(text)).toEqual(wanted);
    expect(texts(text, text)).toEqual(wanted);
    expect(answers(text)).toEqual(wanted.map(() => ''));
    expect(answers(text, text)).toEqual(wanted.map(() => ''));
  });

  test('the sections around them', () => {
    const text = `${Q}1. A?\n## What I Understood\nThis.\n## What Is Unclear\nThat.\n`;
    expect(parseQuestions(text)).toEqual({
      questions: [{ number: 1, text: 'A?', said: 'A?', line: 2, has_slot: false, answer: '' }],
      understood: 'This.',
      unclear: 'That.',
    });
  });
});

describe('answers without the original', () => {
  const A = '### Answer\n';
  test.each([
    ['slots', `${Q}1. A?\n\n${A}\n80\n\n2. B?\n\n${A}\nlocal\n`, ['80', 'local']],
    ['one empty', `${Q}1. A?\n\n${A}\n2. B?\n\n${A}\nlocal\n`, ['', 'local']],
    ['comments only', `${Q}1. A?\n${A}<!-- here -->\n  \n`, ['']],
    [
      'a numbered list in an answer',
      `${Q}1. A?\n${A}Both:\n1. x\n2. y\n\n2. B?\n${A}z\n`,
      ['Both:\n1. x\n2. y', 'z'],
    ],
    ['a list in the last answer', `${Q}1. A?\n${A}Both:\n1. x\n2. y\n`, ['Both:\n1. x\n2. y']],
    ['a slot, then a question without', `${Q}1. A?\n${A}\n2. B?\n`, ['', '']],
    [
      'slots of headings',
      `${Q}### Question 1\nA?\n#### Answer\n80\n### Question 2\nB?\n#### Answer\n`,
      ['80', ''],
    ],
    ['one text', `${Q}A?\n${A}80\n`, ['80']],
    ['CRLF', `${Q}1. A?\n${A}80\nor 81\n`.replaceAll('\n', '\r\n'), ['80\nor 81']],
    ['other sections follow', `${Q}1. A?\n${A}80\n${TAIL}`, ['80']],
    ['a slot in a fence', `${Q}1. A?\n~~~\n${A}80\n~~~\n`, ['']],
  ])('%s', (_, text, wanted) => {
    expect(answers(text)).toEqual(wanted);
  });
});

describe('answers with the original', () => {
  const A = '### Answer\n';
  const original = `${Q}1. A?\n2. B?\n${TAIL}`;
  test.each([
    ['under the question, no slot', `${Q}1. A?\n80\n2. B?\nlocal\n${TAIL}`, ['80', 'local']],
    ['above the slot', `${Q}1. A?\n80\n${A}\n2. B?\n${A}${TAIL}`, ['80', '']],
    [
      'lists and headings',
      `${Q}1. A?\n${A}1. x\n2. y\n## H\n${A}2. B?\n${A}z\n${TAIL}`,
      ['1. x\n2. y\n## H\n### Answer', 'z'],
    ],
    ['an open fence', `${Q}1. A?\n${A}~~~\nx\n\n2. B?\n${A}z\n${TAIL}`, ['~~~\nx', 'z']],
    ['an open comment', `${Q}1. A?\n${A}<!-- x\n\n2. B?\n${A}z\n${TAIL}`, ['', 'z']],
    [
      'the next question copied',
      `${Q}1. A?\n${A}see\n2. B?\nok\n2. B?\n${A}${TAIL}`,
      ['see\n2. B?\nok', ''],
    ],
    [
      'the tail copied',
      `${Q}1. A?\n${A}2. B?\n${A}as in\n## What Is Unclear\nyes\n${TAIL}`,
      ['', 'as in\n## What Is Unclear\nyes'],
    ],
    [
      'saved by an editor with CRLF',
      `${Q}1. A?  \n80\n2. B?\n${TAIL}`.replaceAll('\n', '\r\n'),
      ['80', ''],
    ],
    ['a question that was removed', `${Q}1. A?\n80\n${TAIL}`, ['80', '']],
    ['comments only', `${Q}1. A?\n<!-- x -->\n2. B?\n${A}<!-- y -->\n${TAIL}`, ['', '']],
  ])('%s', (_, text, wanted) => {
    expect(answers(text, original)).toEqual(wanted);
  });
});

describe('answers below two sections of questions', () => {
  const original = `${Q}1. A?\n\n## Context\n\nx\n\n## More Questions\n\n2. B?\n${TAIL}`;
  const slotted = addAnswerSlots(original, original);
  const first = writeAnswer(slotted, 1, 'one', original) as string;
  test.each([
    ['none', slotted, ['', '']],
    ['one', first, ['one', '']],
    ['both', writeAnswer(first, 2, 'two', original) as string, ['one', 'two']],
    [
      'without slots',
      original.replace('1. A?', '1. A? one').replace('2. B?', '2. B?\ntwo'),
      ['one', 'two'],
    ],
    [
      'a section in an answer',
      first.replace('one', 'as in\n## More Questions'),
      ['as in\n## More Questions', ''],
    ],
    ['the title taken out', first.replace('## More Questions', ''), ['one', '']],
    ['the second question taken out', first.replace('2. B?', ''), ['one', '']],
  ])('%s', (_, text, wanted) => {
    expect(answers(text, original)).toEqual(wanted);
  });

  test('slots are below each', () => {
    expect(slotted).toBe(original.replace(/^\d\. .\?$/gm, '$&\n\n### Answer'));
    expect(answers(writeAnswer(first, 2, 'two') as string)).toEqual(['one', 'two']);
  });
});

describe('answers on the line of the question', () => {
  const asked = `${Q}\n1. Colour?\n2. Colour? Of the door?\n3. For whom\n`;
  test.each([
    ['blanks', ['1. Colour?', '1. Colour? blue'], ['blue', '', '']],
    ['an arrow', ['1. Colour?', '1. Colour?-> blue'], ['blue', '', '']],
    ['a colon', ['3. For whom', '3. For whom: the team'], ['', '', 'the team']],
    ['and below', ['3. For whom', '3. For whom: ann\nand ben'], ['', '', 'ann\nand ben']],
    ['nothing behind it', ['1. Colour?', '1. Colour? ->'], ['', '', '']],
  ])('%s', (_, [from = '', to = ''], wanted) => {
    for (const text of [asked, addAnswerSlots(asked, asked)]) {
      expect(answers(text.replace(from, to), asked)).toEqual(wanted);
    }
  });

  test.each([
    ['a longer word', `${Q}- For whom\n`, `${Q}- For whomever\n`],
    ['another question begins so', `${Q}- A?\n- A? B?\n`, `${Q}- A? B?\n`],
  ])('no answer: %s', (_, was, now) => {
    expect(new Set(answers(now, was))).toEqual(new Set(['']));
  });
});

describe('answers in the place that the agent left for them', () => {
  const asked = `${Q}1. Where? [Waiting for your answer]\n2. When?\n   A: [Waiting for your answer]\n3. Why?\n   **Answer:**\n`;
  test.each([
    ['behind the question', '? [Waiting for your answer]', '? Rome', ['Rome', '', '']],
    ['with an arrow', '? [Waiting for your answer]', '? -> Rome', ['Rome', '', '']],
    ['behind the place', 'answer]', 'answer] Rome', ['Rome', '', '']],
    ['below it', '? [Waiting for your answer]', '?\n\nRome', ['Rome', '', '']],
    ['taken out', '? [Waiting for your answer]', '?', ['', '', '']],
    ['behind a label', 'A: [Waiting for your answer]', 'A: May', ['', 'May', '']],
    ['behind an empty label', '**Answer:**', '**Answer:** so', ['', '', 'so']],
    ['brackets alone', '? [Waiting for your answer]', '? [Waiting for you]', ['', '', '']],
  ])('%s', (_, from, to, wanted) => {
    for (const text of [asked, addAnswerSlots(asked, asked)])
      expect(answers(text.replace(from, to), asked)).toEqual(wanted);
  });

  test.each(['[city]', '(your answer)', '___', '…', '_Waiting for your answer_', '<answer here>'])(
    'a place such as %s',
    (place) => {
      const text = `${Q}1. Where? ${place}\n`;
      expect(answers(text.replace(place, 'Rome'), text)).toEqual(['Rome']);
      expect(answers(addAnswerSlots(text, text), text)).toEqual(['']);
    },
  );

  test('an option that is put beside its question', () => {
    const text = `${Q}1. Where? [city]\n   Rome\n   Paris\n`;
    expect(answers(text.replace('[city]', 'Rome'), text)).toEqual(['Rome']);
  });
});

const unread = (text: string, original?: string) =>
  parseQuestions(text, original).questions.map((one) => one.unread?.why);

describe('words that are not taken as an answer', () => {
  const asked = `${Q}1. Which colour?\n   - [ ] red\n   - [ ] dark blue\n`;
  const slotted = (words: string, tick = 'red') =>
    addAnswerSlots(asked, asked)
      .replace(`[ ] ${tick}`, `[x] ${tick}`)
      .replace('### Answer\n', `### Answer\n\n${words}\n`);
  test.each([
    ['a tick and another option', slotted('dark blue'), '', 'contradicts'],
    ['a tick and words with another option', slotted('the Blue one: dark blue'), '', 'contradicts'],
    ['a tick and a part of another option', slotted('blue'), '', 'contradicts'],
    ['a tick and the same', slotted('red'), '- [x] red\nred', undefined],
    ['a tick and a reason', slotted('as it is warm'), '- [x] red\nas it is warm', undefined],
    ['a tick and both', slotted('red, not dark blue'), '- [x] red\nred, not dark blue', undefined],
    ['a tick', slotted(''), 'red', undefined],
    ['a tick and a placeholder', slotted('TODO'), 'red', undefined],
    ['words alone', slotted('dark blue', 'none'), 'dark blue', undefined],
  ])('%s', (_, text, answer, why) => {
    expect([answers(text, asked), unread(text, asked)]).toEqual([[answer], [why]]);
    const desk = answersInSlots(text, asked);
    const [, slot = ''] = desk.split('### Answer\n');
    expect(slot.trim().split(/\n+/).join('\n')).toBe(answer || slot.trim());
  });

  test.each([
    ['```\n```'],
    ['```ts\n\n```'],
    ['~~~'],
    ['TODO'],
    ['**TBD**'],
    ['?'],
    ['- ?'],
    ['…'],
    ['[Waiting for your answer]'],
    ['(none yet)'],
    ['_(no answer yet)_'],
    ['[not answered yet]'],
    ['[ ] red'],
    ['- [ ] red\n- [ ] blue'],
    ['□ red'],
  ])('%j says nothing, and makes room for an answer', (words) => {
    const one = `${Q}1. A?\n2. B?\n`;
    const text = addAnswerSlots(one, one).replace('### Answer\n', `### Answer\n\n${words}\n`);
    expect([answers(text, one), unread(text, one)]).toEqual([
      ['', ''],
      ['nothing', undefined],
    ]);
    if (words !== '~~~') expect(answers(text)).toEqual(['', '']);
    expect(answers(writeAnswer(text, 1, 'yes', one) as string, one)).toEqual(['yes', '']);
  });

  test.each(['-', '_', 'no', '0', 'The TODO list', '👍', '```\nx\n```', '[red]', '.'])(
    '%j is an answer',
    (words) => {
      const one = `${Q}1. A?\n`;
      const text = addAnswerSlots(one, one).replace('### Answer\n', `### Answer\n\n${words}\n`);
      expect(answers(text, one)).toEqual([words]);
    },
  );

  test('a section of its own is named', () => {
    const one = `${Q}1. A?\n2. B?\n`;
    const text = `${addAnswerSlots(one, one)}\n## My answers\n\n1. yes\n`;
    const [first, second] = parseQuestions(text, one).questions;
    expect(first?.unread).toEqual({ why: 'section', found: '## My answers' });
    expect(second?.unread).toBeUndefined();
  });

  test('a code block that is left open does not hide the next question', () => {
    const one = `${Q}1. A?\n2. B?\n`;
    for (const [words, mark] of [
      ['so:\n```ts\nx', '```'],
      ['~~~~\n```\nx\n', '~~~~'],
    ]) {
      const text = writeAnswer(one, 1, words!, one) as string;
      expect(answers(text, one)).toEqual([`${words!.trim()}\n${mark}`, '']);
      expect(answers(writeAnswer(text, 2, 'yes', one) as string)).toEqual([
        `${words!.trim()}\n${mark}`,
        'yes',
      ]);
    }
  });
});

describe('a remark is no answer', () => {
  const asked = `${Q}1. Who?\n2. When?\n`;
  const slotted = addAnswerSlots(asked, asked);
  test.each([
    ['a section of its own at the end', `${asked}\n## Note\n\nnot now\n`, ['', '']],
    ['below the slots', `${slotted}\n## My answer\n\nAda\n`, ['', '']],
    [
      'above a slot that is filled',
      slotted.replace('### Answer\n', '## Note\n\nnot now\n\n### Answer\n\nAda\n'),
      ['Ada', ''],
    ],
    [
      'brackets behind the question',
      asked.replace('1. Who?', '1. Who? (I think about it until Monday)'),
      ['', ''],
    ],
    [
      'brackets in an answer',
      asked.replace('1. Who?', '1. Who? Ada (not Bob)'),
      ['Ada (not Bob)', ''],
    ],
    [
      'a deeper heading is part of the answer',
      slotted.replace('### Answer\n', '### Answer\n\n#### Ada\n\nonly her\n'),
      ['#### Ada\n\nonly her', ''],
    ],
  ])('%s', (_, text, wanted) => expect(answers(text, asked)).toEqual(wanted));
});

describe('an answer that stands elsewhere is repeated in its slot', () => {
  const asked = `${Q}1. Who?\n2. When?\n`;
  const slotted = addAnswerSlots(asked, asked);
  const heads = (text: string) =>
    text
      .split(/^### Answer$/m)
      .slice(1)
      .map((one) => one.trim().split('\n')[0]);
  test.each([
    ['beside the question', asked.replace('Who?', 'Who? Ada')],
    ['below it, without a slot', asked.replace('Who?', 'Who?\n\nAda')],
    ['above the slot', slotted.replace('### Answer', 'Ada\n\n### Answer')],
  ])('%s', (_, text) => {
    expect(heads(answersInSlots(text, asked))[0]).toBe('Ada');
  });

  test.each([
    ['right below the heading', slotted.replace('### Answer\n', '### Answer\nAda\n')],
    ['after more empty lines', slotted.replace('### Answer\n', '### Answer\n\n \n\n  Ada\n')],
    ['in the heading', slotted.replace('### Answer', '### Answer: Ada')],
    ['in the heading, with marks', slotted.replace('### Answer', '### **Answer:** Ada')],
    [
      'in a heading of its own in the slot',
      slotted.replace('### Answer\n', '### Answer\n\n### Answer: Ada\n'),
    ],
    ['in a heading, without a slot', asked.replace('Who?', 'Who?\n### Answer - Ada')],
  ])('%s', (_, text) => {
    const desk = answersInSlots(text, asked);
    expect(desk).toContain('### Answer\n\nAda\n');
    expect(heads(desk)[0]).toBe('Ada');
    expect(answers(desk, asked)[0]).toBe('Ada');
    expect(answersInSlots(desk, asked)).toBe(desk);
  });

  test.each([
    ['### Note to self\n\nask Bob', 'section', '### Note to self'],
    ['### Note', 'section', '### Note'],
    ['#### Note', 'aside', '#### Note'],
    ['> not sure yet', 'aside', '> not sure yet'],
    ['> not sure\n>\n> yet', 'aside', '> not sure\n>\n> yet'],
  ])('%j in the slot is no answer', (words, why, found) => {
    const text = slotted.replace('### Answer\n', `### Answer\n\n${words}\n`);
    const [first] = parseQuestions(text, asked).questions;
    expect(first).toMatchObject({ answer: '', unread: { why, found } });
  });

  test.each(['> 5', '### Ada', '#### Ada', '# Ada\n\nI think', '> Who?\n\nAda'])(
    '%j that is given by the verb is the answer',
    (words) => {
      const text = writeAnswer(slotted, 1, words, asked) as string;
      expect(answers(text, asked)[0]).toBe(words);
    },
  );

  test('one that is there stays as it is', () => {
    const text = slotted.replace('### Answer\n', '### Answer\n\nAda\n');
    expect(answersInSlots(text, asked)).toBe(text);
  });
});

describe('a file that is half saved', () => {
  const asked = `${Q}1. A?\n2. B?\n${TAIL}`;
  const whole = `${Q}1. A?\n\n### Answer\n\n80\n\n2. B?\n\n### Answer\n\nlocal\n${TAIL}`;
  const headings = (length: number): boolean => /#[^\n]*$/.test(whole.slice(0, length));
  const cuts = Array.from(whole, (_, length) => length).filter(headings);

  test.each(cuts.map((length) => [length, JSON.stringify(whole.slice(0, length).slice(-12))]))(
    'cut at %i, %s: the heading is no answer',
    (length) => {
      for (const answer of answers(whole.slice(0, length), asked)) {
        expect(['', '80', 'local']).toContain(answer);
      }
    },
  );

  test('only with both answers is every question answered', () => {
    for (let length = 0; length < whole.length; length++) {
      const read = answers(whole.slice(0, length), asked);
      const all = read.length === 2 && read.every((answer) => answer !== '');
      expect(all, whole.slice(0, length)).toBe(length > whole.indexOf('\nlocal') + 1);
    }
  });

  test('where only one question is open', () => {
    const text = `${Q}1. A?\n\n### Answer\n\n${TAIL}`;
    const one = `${Q}1. A?\n${TAIL}`;
    for (let length = 0; length <= text.length; length++) {
      const cut = text.slice(0, length);
      expect(answers(cut, one), cut).toEqual(['']);
      expect(answers(cut).join(''), cut).toBe('');
    }
  });
});

describe('what the agent answered itself is no answer', () => {
  const A = '### Answer\n';
  const own = `${Q}1. A?\n\n${A}\nYes. The boss.\n\n2. B?\n\n${A}\n${TAIL}`;
  const filled = `${Q}1. A?\n\n${A}\nYes. The boss.\n`;
  test.each([
    ['as it wrote it', filled, filled, ['']],
    ['with slots for a person', addAnswerSlots(filled, filled), filled, ['']],
    ['a person says it too', `${addAnswerSlots(filled, filled)}\nNo.\n`, filled, ['No.']],
    [
      'the same words, by a person',
      `${filled}\n${A}\nYes. The boss.\n`,
      filled,
      ['Yes. The boss.'],
    ],
    ['without a new slot', `${filled}No.\n`, filled, ['No.']],
    ['put over its words', `${Q}1. A?\n\n${A}\nNo.\n\n${A}`, filled, ['No.']],
    ['put above its words', `${Q}1. A?\n\n${A}\nNo.\nYes. The boss.\n\n${A}`, filled, ['No.']],
    ['its words taken out', `${Q}1. A?\n\n${A}\nNo.\n`, filled, ['No.']],
    ['a question that it answered and one not', addAnswerSlots(own, own), own, ['', '']],
    [
      'a heading that only looks like a slot',
      `${Q}1. A?\n\n### Answer ✓\n\nYes.\n`,
      `${Q}1. A?\n\n### Answer ✓\n\nYes.\n`,
      [''],
    ],
  ])('%s', (_, text, original, wanted) => {
    expect(answers(text, original)).toEqual(wanted);
  });

  const firsts = (text: string) =>
    Array.from(text.matchAll(/### An(?:swer|twort)\s+(.+)/g), ([, words]) => words);
  const B = `\n2. B?\n\n${A}\n`;
  test.each([
    ['(none yet)'],
    ['(no answer yet)'],
    ['_Your answer here_'],
    ['-'],
    ['n/a'],
    ['Default: Bob'],
    ['Default: Bob\n\nsince he asked'],
    ['- [ ] Bob\n- [ ] Ada'],
    ['> Bob'],
    ['```\nBob\n```'],
    ['Ada, or Bob'],
  ])('the answer of a person is the first in a slot with %j', (words) => {
    for (const own of [`${Q}1. A?\n\n${A}\n${words}\n`, `${Q}1. A?\n\n${A}\n${words}\n${B}`]) {
      const open = own.includes('B?') ? ['', ''] : [''];
      expect(answers(addAnswerSlots(own, own), own)).toEqual(open);
      expect(parseQuestions(own, own).questions[0]?.has_slot).toBe(true);
      const text = writeAnswer(addAnswerSlots(own, own), 1, 'Ada', own) as string;
      expect([firsts(text)[0], answers(text, own)]).toEqual(['Ada', ['Ada', ...open.slice(1)]]);
      expect(answersInSlots(text, own)).toBe(text);
      const byHand = own.replace(words, `${words}\nAda`);
      expect(answers(byHand, own)[0]).toBe('Ada');
      const desk = answersInSlots(byHand, own);
      expect([firsts(desk)[0], answers(desk, own)[0]?.split('\n')[0]]).toEqual(['Ada', 'Ada']);
    }
  });

  test.each([
    ['its words in another order', 'b\na', 'a\nb'],
    ['its words and more', 'a\nb\nc', 'a\nb'],
    ['its words', 'a', 'a'],
  ])('a person says %s', (_, said, words) => {
    const own = `${Q}1. A?\n\n${A}\n${words}\n`;
    expect(answers(writeAnswer(own, 1, said, own) as string, own)).toEqual([said]);
  });

  test('a tick in a slot of the agent', () => {
    const own = `${Q}1. A?\n\n${A}\n- [ ] Bob\n- [ ] Ada\n`;
    expect(answers(own.replace('[ ] Ada', '[x] Ada'), own)).toEqual(['Ada']);
  });

  test('a slot in German', () => {
    const own = `${Q}1. Wer?\n\n### Antwort\n\n(noch offen)\n`;
    const text = writeAnswer(addAnswerSlots(own, own), 1, 'Ada', own) as string;
    expect([firsts(text), answers(text, own)]).toEqual([['Ada'], ['Ada']]);
  });

  test('a person gets no second slot', () => {
    expect(addAnswerSlots(filled, filled)).toBe(filled);
    expect(addAnswerSlots(`${filled}\n${A}`, filled)).toBe(`${filled}\n${A}`);
    expect(writeAnswer(filled, 1, 'No.', filled)).toBe(filled.replace('Yes.', 'No.\n\nYes.'));
  });

  test('whatever it writes, nothing of it is an answer before a person came', () => {
    const pieces = [
      Q,
      A,
      '#### Answer:\n',
      '1. A?\n',
      '2. B?\n',
      '- x\n',
      '\n',
      'Yes\n',
      '<!--',
      '-->',
      '~~~\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (all) => {
        const text = all.join('');
        for (const file of [text, addAnswerSlots(text, text)])
          expect(answers(file, text).filter((said) => said !== '')).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test('long lines take no long time to read', () => {
  const part = ['?', '_', ' ', ' [', ' (todo', '(', '#', '*', '`', ':*', '<!--', '- [ ] '];
  for (const words of part.map((one) => `${one.repeat(20_000)}x`)) {
    const asked = `1. A? ${words}\n   ${words}\n`;
    expect(parseQuestions(`1. A?\n${words}\n`, asked).questions).toHaveLength(1);
    expect(parseQuestions(asked, '1. A?\n').questions).toHaveLength(1);
  }
});

test('reading questions is total', () => {
  const pieces = [
    '## Questions\n',
    '### Answer\n',
    '### Question\n',
    '1. A?\n',
    '2. B?\n',
    '- ',
    '\n',
    'x\n',

    '~~~\n',
    '<!--',
    '-->',
    '# T\n',
    '---\n',
    '\r\n',
    '\r',
    '> ',
    '    ',
    '## What Is Unclear\n',
  ];
  const piece = fc.constantFrom(...pieces);
  const any = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(any, any, (text, other) => {
      for (const original of [undefined, other, text]) {
        const { questions } = parseQuestions(text, original);
        expect(questions.map(({ number }) => number)).toEqual(questions.map((_, k) => k + 1));
      }
    }),
    { numRuns: 1000 },
  );
});

describe('a number that goes on counting below a filled slot', () => {
  const slot = (words: string): string => `\n\n### Answer\n\n${words}\n\n`;
  const FILLED = `1. Which colour?${slot('Red.')}2. Which size?${slot('Big.')}`;

  test.each([
    ['at the end', `${FILLED}3. Which shape?\n`, ['Which shape?']],
    [
      'two, in words that ask nothing',
      `${FILLED}3. The shape\n4. The port\n`,
      ['The shape', 'The port'],
    ],
    [
      'between two slots',
      `1. Which colour?${slot('Red.')}2. Which shape?\n3. Which size?${slot('Big.')}`,
      ['Which shape?', 'Which size?'],
    ],
    ['after the first', `1. Which colour?${slot('Red.')}2. Which shape?\n`, ['Which shape?']],
  ])('is a question: %s', (_, text, found) => {
    expect(texts(text, text)).toEqual(texts(text));
    expect(texts(text).slice(-found.length)).toEqual(found);
    expect(answers(text, text).join('')).toBe('');
  });

  test.each([
    ['that begins at 1', 'These:\n\n1. The first\n2. The second\n3. The third'],
    ['that does not follow on', 'These:\n\n5. The fifth\n6. The sixth'],
    ['of which each asks', 'These:\n\n1. Is it red?\n2. Is it blue?\n3. Is it big?'],
  ])('is an answer in a list %s', (_, list) => {
    const text = `1. Which colour?${slot(list)}2. Which size?${slot(list)}`;
    expect(texts(text)).toEqual(['Which colour?', 'Which size?']);
    expect(answers(text)).toEqual([list, list]);
  });

  test('is an answer alone below the first question where it asks nothing', () => {
    expect(answers(`1. Which of these?${slot('This one:\n\n2. The second')}`)).toEqual([
      'This one:\n\n2. The second',
    ]);
  });
});
