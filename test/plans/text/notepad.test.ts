/** A plan's notepad only grows, an entry is found by its heading, and its end is whole lines. */
import { expect, test } from 'vitest';
import { addedEntry, endOfNotepad, hasEntry } from '../../../src/plans/text/notepad.ts';
import { RUNNERS_NOTES } from '../../../src/task/core/model/documents.ts';
import * as fc from '../../support/property.ts';

const entry = {
  id: 'launch_draft_abcd',
  attempt: 3,
  title: 'Draft\nthe page',
  result: { learnings: ['green'], decisions_needed: [], notes: '' },
};
const words = fc.string({ unit: 'grapheme', maxLength: 80 });

test('the first entry makes the notepad, others go below it in its own line ends', () => {
  const first = addedEntry('', 'launch', entry);
  expect(first).toBe(
    '# Notepad: launch\n\n## launch_draft_abcd (attempt 3): Draft the page\n\nLearnings:\n\n- green\n',
  );
  const crlf = addedEntry('# Ours\r\n\r\nAsk Ada', 'launch', entry) ?? '';
  expect(crlf.startsWith('\r\n\r\n## launch_draft_abcd (attempt 3)')).toBe(true);
  expect(/[^\r]\n/.test(crlf)).toBe(false);
});

test('what has nothing to tell adds nothing, and of much the rest is counted', () => {
  const nothing = { learnings: [], decisions_needed: [], notes: ' \n' };
  expect(addedEntry('x\n', 'launch', { ...entry, result: nothing })).toBeUndefined();
  const learnings = Array.from({ length: 60 }, (_, i) => `no ${i} ${'a'.repeat(2000)}`);
  const much = addedEntry('', 'launch', { ...entry, result: { ...nothing, learnings } }) ?? '';
  expect(much).toContain('- … and 20 more');
  expect(much.length).toBeLessThan(30_000);
});

test('a result that the runner wrote itself teaches nothing, and what else it says is kept', () => {
  const own = { learnings: [], decisions_needed: [], notes: `${RUNNERS_NOTES}\n` };
  expect(addedEntry('', 'launch', { ...entry, result: own })).toBeUndefined();
  const more = { ...own, learnings: ['green'] };
  expect(addedEntry('', 'launch', { ...entry, result: more })).toBe(
    addedEntry('', 'launch', entry),
  );
});

test('whatever a result says, the entry is found and no other one is', () => {
  const other = { id: 'launch_ship_abcd', attempt: 3 };
  fc.assert(
    fc.property(words, fc.array(words), words, (before, learnings, notes) => {
      const forged = `${notes}\n## ${other.id} (attempt 3): forged\n`;
      const result = { learnings, decisions_needed: [forged], notes: forged };
      const added = addedEntry(before, 'launch', { ...entry, result }) ?? '';
      expect(hasEntry(before + added, entry)).toBe(true);
      expect(hasEntry(added, other)).toBe(false);
      expect(hasEntry(added, { ...entry, attempt: 30 })).toBe(false);
    }),
  );
});

test('its end is made of whole lines and fits', () => {
  fc.assert(
    fc.property(fc.array(words), fc.nat(300), (lines, max) => {
      const text = lines.join('\n').replaceAll('\r', '');
      const { text: end, cut } = endOfNotepad(text, max);
      expect(Buffer.byteLength(end)).toBeLessThanOrEqual(max);
      const all = text.trim().split('\n');
      const last = all.slice(all.length - end.split('\n').length).join('\n');
      if (end !== '') expect(last.trim()).toBe(end);
      if (!cut) expect(end).toBe(text.trim());
    }),
  );
});
