/**
 * A golden case as a text file: its sections as data, and back. Knows the names and notes of the
 * sections that test/cases/README.md describes. A section that it does not know is an error, so that
 * nothing is left out in silence.
 */
import type { Expected } from './golden-after.ts';
import { contentOf, parseArchive, printArchive, sectionOf, type Section } from './golden-text.ts';

export type FileKind = 'file' | 'executable' | 'link' | 'folder';

export interface CaseFile {
  /** In the workspace; an agent or reviewer of the case lies in .contracts/. */
  readonly path: string;
  readonly kind: FileKind;
  /** Of a link its target, of a folder nothing, of a shared file the lines that are added to its head. */
  readonly bytes: Buffer;
  /** The file of test/ that it is: `programs/hello.sh`, `contracts/hello.md`. */
  readonly shared?: string;
}

export interface CaseFileText {
  /** What the case shows. */
  readonly comment: string;
  readonly script: string;
  readonly before: readonly CaseFile[];
  /** What each command printed, and its exit code. */
  readonly reported: string;
  readonly after: Expected;
}

const BEFORE = 'before/';
const AFTER = 'after/';
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  ['agent.sh', 'reviewer.sh'].map((name) => [name, `.contracts/${name}`]),
);
const REMOVED = 'removed';
const SHARED = /^(programs|contracts)\/[^/]+$/;

export function printCase(text: CaseFileText): string {
  return printArchive({
    comment: text.comment,
    sections: [
      sectionOf('script', text.script),
      ...text.before.map(sectionOfFile),
      ...expectedSections(text.reported, text.after),
    ],
  });
}

export function expectedSections(reported: string, after: Expected): readonly Section[] {
  return [
    sectionOf('reported', reported),
    sectionOf('after', after.tasks),
    ...[...after.files].map(([path, text]) =>
      text === undefined ? sectionOf(AFTER + path, '', [REMOVED]) : sectionOf(AFTER + path, text),
    ),
  ];
}

function sectionOfFile({ path, kind, bytes, shared }: CaseFile): Section {
  const [own] = [...PROGRAMS].find(([, place]) => place === path) ?? [];
  const name = own ?? BEFORE + path;
  if (shared !== undefined) return sectionOf(name, bytes, [shared]);
  return sectionOf(name, bytes, kind === 'file' ? [] : [kind]);
}

export function parseCase(text: string): CaseFileText {
  const { comment, sections } = parseArchive(text);
  const twice = sections.find(({ name }, i) => sections.findIndex((s) => s.name === name) !== i);
  if (twice !== undefined) throw new Error(`there are two sections ${twice.name}`);
  const files = new Map<string, string | undefined>();
  const before: CaseFile[] = [];
  const texts: Record<string, string> = {};
  for (const section of sections) {
    const { name } = section;
    const { bytes, notes } = contentOf(section);
    if (name.startsWith(BEFORE) || PROGRAMS.has(name)) {
      const path = PROGRAMS.get(name) ?? name.slice(BEFORE.length);
      before.push(caseFile(path, bytes, notes, section));
    } else if (name.startsWith(AFTER) && notes.every((note) => note === REMOVED)) {
      files.set(name.slice(AFTER.length), notes.length === 0 ? bytes.toString() : undefined);
    } else if (['script', 'reported', 'after'].includes(name) && notes.length === 0) {
      texts[name] = bytes.toString();
    } else throw unknown(section);
  }
  const { script = '', reported = '', after: tasks = '' } = texts;
  return { comment, script, before, reported, after: { tasks, files } };
}

function caseFile(
  path: string,
  bytes: Buffer,
  notes: readonly string[],
  section: Section,
): CaseFile {
  const [note, ...more] = notes;
  if (more.length > 0) throw unknown(section);
  if (note !== undefined && SHARED.test(note)) {
    if (note.startsWith('programs/') && bytes.length > 0) throw unknown(section);
    return { path, kind: 'file', bytes, shared: note };
  }
  switch (note) {
    case undefined:
      return { path, kind: 'file', bytes };
    case 'executable':
    case 'link':
    case 'folder':
      return { path, kind: note, bytes };
    default:
      throw unknown(section);
  }
}

function unknown({ name, notes }: Section): Error {
  return new Error(`what does this section mean? ${name} ${notes.join(', ')}`);
}
