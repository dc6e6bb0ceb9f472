/** The text form of golden cases: whatever a case holds, reading what was printed gives it back. */
import { describe, expect, test } from 'vitest';
import { expectedOf } from '../support/golden-after.ts';
import { parseCase, printCase, type CaseFile, type CaseFileText } from '../support/golden-file.ts';
import { contentOf, parseArchive, printArchive, sectionOf } from '../support/golden-text.ts';
import * as fc from '../support/property.ts';

/** What is hard to write as text, among plain lines. */
const line = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('-- before/a --', '-- a (link) --', '\\u{2d}', 'a\r', '\uFEFFa', '\u2028', '\\'),
);
const text = fc
  .tuple(fc.array(line), fc.constantFrom('', '\n'))
  .map(([lines, end]) => (lines.length === 0 ? '' : lines.join('\n') + end))
  // Half of a pair of surrogates is in no file.
  .map((any) => Buffer.from(any).toString());
const bytes = fc.oneof(
  text.map((any) => Buffer.from(any)),
  fc.uint8Array().map((any) => Buffer.from(any)),
);
const path = fc
  .oneof(fc.string({ minLength: 1 }), fc.constantFrom('a (link)', 'a --', ' a', 'a\n', 'a\\n', '…'))
  .map((any) => Buffer.from(any).toString());
const file: fc.Arbitrary<CaseFile> = fc.oneof(
  fc.record({ path, kind: fc.constantFrom('file', 'executable', 'link'), bytes }),
  fc.record({ path, kind: fc.constant('folder'), bytes: fc.constant(Buffer.alloc(0)) }),
  fc.record({
    path: fc.constantFrom('.contracts/agent.sh', '.contracts/reviewer.sh', 'a.sh'),
    kind: fc.constant('file'),
    bytes: fc.constant(Buffer.alloc(0)),
    shared: fc.constantFrom('programs/hello.sh', 'programs/two-questions.sh'),
  }),
  fc.record({
    path,
    kind: fc.constant('file'),
    bytes: fc.constantFrom('', 'retries_max: 0\n').map((head) => Buffer.from(head)),
    shared: fc.constant('contracts/hello.md'),
  }),
);
const golden: fc.Arbitrary<CaseFileText> = fc.record({
  comment: fc.constantFrom('', 'It is done.\n', 'It is\ndone.\n\n- twice\n'),
  script: text,
  before: fc.uniqueArray(file, { selector: (one) => one.path }),
  reported: text,
  after: fc.record({
    tasks: text,
    files: fc
      .uniqueArray(fc.tuple(path, fc.option(text, { nil: undefined })), { selector: ([at]) => at })
      .map((entries) => new Map(entries)),
  }),
});

test('a case that is printed and read again is the same case', () => {
  fc.assert(
    fc.property(golden, (one) => {
      expect(parseCase(printCase(one))).toEqual(one);
    }),
    { numRuns: 1000 },
  );
});

test('a section holds any bytes, in lines that an editor leaves alone', () => {
  fc.assert(
    fc.property(path, bytes, (name, content) => {
      const section = sectionOf(name, content);
      const printed = printArchive({ comment: '', sections: [section] });
      expect(parseArchive(printed)).toEqual({ comment: '', sections: [section] });
      expect(contentOf(section).bytes).toEqual(content);
      expect(printed).toMatch(/^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\n\t])*\n$/u);
    }),
    { numRuns: 1000 },
  );
});

describe('what cannot be understood is an error', () => {
  test.each([
    '-- befor/a --\n',
    '-- script (executable) --\n',
    '-- before/a (removed) --\n',
    '-- before/a (link, folder) --\n',
    '-- agent.sh (programs/hello.sh) --\nexit 1\n',
    '-- after/a (link) --\n',
    '-- before/a --\n-- before/a --\n',
    '-- script --\nlist',
  ])('%j', (wrong) => {
    expect(() => parseCase(wrong)).toThrow();
  });
});

describe('what is expected afterwards', () => {
  const tree = (paths: Record<string, string>): Map<string, string> =>
    new Map(Object.entries(paths));
  const before = tree({
    'active_tasks/ready/a/contract.md': 'A\n',
    'active_tasks/ready/b/contract.md': 'B\n',
    'gone.txt': '',
    'kept.txt': 'kept\n',
  });
  const outcome = '---\nkind: work\noutcome: complete\nagent: builder\n---\n';
  const after = tree({
    'active_tasks/done/a/attempts/0001/brief.md': 'Again\n',
    'active_tasks/done/a/attempts/0001/outcome.md': outcome,
    'active_tasks/done/a/attempts/0002/lease.md': '',
    'active_tasks/done/a/contract.md': 'A\n',
    'active_tasks/done/c/contract.md': 'C\n',
    'active_tasks/ready/c/contract.md': 'C\n',
    'kept.txt': 'changed\n',
  });

  test('a line for each attempt, and the files that differ from those before', () => {
    const { tasks, files } = expectedOf(before, after, () => false);
    expect(tasks).toBe(
      'a: ready → done\n  0001 work by builder, complete: brief.md\n  0002 no outcome: lease.md\n' +
        'b: ready → removed\nc: new → done, ready\n',
    );
    expect(Object.fromEntries(files)).toEqual({
      'active_tasks/done/c/contract.md': 'C\n',
      'active_tasks/ready/b/contract.md': undefined,
      'active_tasks/ready/c/contract.md': 'C\n',
      'gone.txt': undefined,
      'kept.txt': 'changed\n',
    });
  });

  test('records that the case asks for are shown whole, and not in the line', () => {
    const { tasks, files } = expectedOf(before, after, (name) => name === 'brief.md');
    expect(tasks).toContain('  0001 work by builder, complete\n');
    expect(files.get('active_tasks/done/a/attempts/0001/brief.md')).toBe('Again\n');
    expect(files.has('active_tasks/done/a/attempts/0001/outcome.md')).toBe(false);
  });
});
