/** The notepad of a plan: an entry for each result, added at the end. Other text in it stays. */
import { RUNNERS_NOTES, type ResultDocument } from '../../task/core/model/documents.ts';
import { escapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';

export const NOTEPAD_BRIEF_BYTES = 8 * 1024;
const NOTES_LINES_MAX = 12;
const LISTED_MAX = 40;
const LINE_CHARS_MAX = 600;

export interface NotepadEntry {
  readonly id: string;
  /** Together with the id it identifies the entry. */
  readonly attempt: number;
  readonly title: string;
  readonly result: Pick<ResultDocument, 'learnings' | 'decisions_needed' | 'notes'>;
}

function headingStart({ id, attempt }: Pick<NotepadEntry, 'id' | 'attempt'>): string {
  return `## ${id} (attempt ${attempt})`;
}

export function hasEntry(text: string, entry: Pick<NotepadEntry, 'id' | 'attempt'>): boolean {
  const start = headingStart(entry);
  return text.split(/\r?\n/).some((line) => line.startsWith(start));
}

/** undefined: the result has nothing to add. */
export function addedEntry(text: string, plan: string, entry: NotepadEntry): string | undefined {
  const { learnings, decisions_needed, notes } = entry.result;
  const parts = [
    ...listed('Learnings', learnings),
    ...listed('Decisions needed', decisions_needed),
    ...quoted('Notes', notes.trim() === RUNNERS_NOTES ? '' : notes),
  ];
  if (parts.length === 0) return undefined;
  const lines = [`${headingStart(entry)}: ${oneLine(entry.title)}`, ...parts, ''];
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const before = text === '' ? [`# Notepad: ${plan}`, ''] : text.endsWith('\n') ? [''] : ['', ''];
  return [...before, ...lines].join(eol);
}

function listed(name: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, LISTED_MAX).map((item) => `- ${short(oneLine(item))}`);
  const more = items.length - shown.length;
  return ['', `${name}:`, '', ...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
}

/** As a quotation, so that no line looks like an entry. */
function quoted(name: string, text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (text.trim() === '') return [];
  const more = lines.length > NOTES_LINES_MAX ? ['> …'] : [];
  const shown = lines.slice(0, NOTES_LINES_MAX).map((line) => `> ${short(line)}`.trimEnd());
  return ['', `${name}:`, '', ...shown, ...more];
}

function short(line: string): string {
  const text = line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
  return escapeComments(text);
}

/** As many whole lines from the end as fit; `cut`: there is more above. */
export function endOfNotepad(text: string, bytes_max: number) {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n');
  let from = lines.length;
  for (let left = bytes_max; from > 0; from--) {
    left -= Buffer.byteLength(lines[from - 1]!) + 1;
    if (left < -1) break;
  }
  return { text: lines.slice(from).join('\n').trim(), cut: from > 0 };
}
