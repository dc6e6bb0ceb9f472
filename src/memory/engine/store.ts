/**
 * Learnings on the disk, a file each: `.contracts/memory/<type>/<id>.md`, and in `candidates/` those that a
 * person has not accepted. Nothing else knows of them, so a person may edit, move or delete any.
 */
import { basename, dirname, join } from 'node:path';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { unlessGone } from '../../task/store/disk/disk.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing, makeDurable } from '../../task/store/tasks/tasks.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { LedgerPart } from '../../workspace/tasks/ledger-part.ts';
import { linkOn, type Workspace } from '../../workspace/open/workspace.ts';
import {
  idFor,
  LEARNING_TYPES,
  type Kept,
  type Learning,
  type LearningType,
} from '../core/learning.ts';
import { sameAs } from '../core/similar.ts';
import { editFile } from './edit-file.ts';
import { CANDIDATES, memoryFolder } from './folder.ts';
import { editHead, parseLearning, renderLearning } from '../text/learning-file.ts';

type Place = LearningType | typeof CANDIDATES;
const PLACES: readonly string[] = [...LEARNING_TYPES, CANDIDATES];

export interface Memory {
  readonly learnings: readonly Kept[];
  readonly candidates: readonly Kept[];
  readonly problems: readonly Problem[];
}

export function readMemory(ws: Workspace): Memory {
  const problems: Problem[] = [];
  const top = memoryFolder(ws);
  const link = linkOn(ws.disk, ws.layout.root, shown(ws.layout, top));
  if (link !== undefined) return { learnings: [], candidates: [], problems: [link] };
  const learnings = LEARNING_TYPES.flatMap((type) => readPlace(ws, type, problems));
  const candidates = readPlace(ws, CANDIDATES, problems);
  for (const { name, kind } of listOrNothing(ws.disk, top)) {
    const isFolder = kind === 'folder';
    if (isFolder !== PLACES.includes(name))
      problems.push(wrong(shown(ws.layout, join(top, name)), isFolder));
  }
  return { learnings, candidates, problems };
}

/** For the ledger, the newest first. */
export function ledgerSections(ws: Workspace): NonNullable<LedgerPart['sections']> {
  const { learnings } = readMemory(ws);
  const newest = learnings.toSorted((a, b) => (a.created < b.created ? 1 : -1));
  // Who says it: the decision of an agent is no person's.
  const of = (type: LearningType): readonly string[] =>
    newest.flatMap((one) =>
      one.type === type ? `${one.source[0] ?? 'unknown'}: ${one.information}` : [],
    );
  return { decisions: of('decision'), patterns: of('pattern'), anti_patterns: of('anti_pattern') };
}

function readPlace(ws: Workspace, place: Place, problems: Problem[]): readonly Kept[] {
  const folder = join(memoryFolder(ws), place);
  const type = place === CANDIDATES ? undefined : place;
  if (ws.disk.stat(folder)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    if (kind === 'folder' || !name.endsWith('.md') || name.startsWith('.')) return [];
    const file = shown(ws.layout, join(folder, name));
    const text = readText(ws.disk, join(folder, name), file);
    const read = text.ok ? parseLearning(text.value, file, type) : text;
    problems.push(...(read.ok ? read.warnings : read.problems));
    return read.ok ? { ...read.value.learning, id: basename(name, '.md'), file } : [];
  });
}

function wrong(file: string, isFolder: boolean): Problem {
  const message = isFolder ? 'this is no type of learning' : 'this is a link or a file';
  const expected = isFolder ? PLACES.join(', ') : 'a folder';
  const fix = isFolder ? 'Move its files into one of these folders' : 'Put a real folder there';
  return problem({ code: 'bad_value', severity: 'warning', file, message, expected, fix });
}

/**
 * A near-duplicate gets the source; none is replaced, and what counts at once is no part of a
 * candidate. `merged`: one that says the same was there, and has this source now; `kept` is as
 * it was.
 */
export function keepLearning(
  ws: Workspace,
  memory: Pick<Memory, 'learnings' | 'candidates'>,
  wanted: Omit<Learning, 'uses' | 'feedback'>,
  place: Place,
  taken = new Set<string>(),
): { readonly kept: Kept; readonly how: 'new' | 'merged' } {
  const learning = { ...wanted, uses: [], feedback: 0 };
  const all = [...memory.learnings, ...memory.candidates];
  // What a person says never goes under in what an agent had guessed, as something of another kind.
  const isOfPerson = wanted.source.includes(PERSON);
  const alike = memory.learnings.filter(({ type }) => !isOfPerson || type === place);
  const same = sameAs(wanted, place === CANDIDATES ? all : alike);
  if (same !== undefined) {
    // Also where the source is there: a runner that died may have come to its first wording only.
    const change = (one: Learning): Partial<Learning> => {
      const { entities, tags, confidence, source } = mergedInto(one, learning);
      return isOfPerson ? { entities, tags, confidence, source } : { source };
    };
    changeLearning(ws, same, change, wordingOf(same, learning));
    return { kept: same, how: 'merged' };
  }
  const folder = join(memoryFolder(ws), place);
  makeDurable(ws.disk, ws.layout, folder);
  for (const { id } of all) taken.add(id);
  for (let number = 1; ; number++) {
    const id = idFor(wanted.information, number);
    const path = join(folder, `${id}.md`);
    if (taken.has(id)) continue;
    const bytes = bytesOf(renderLearning(learning));
    // Another runner may have written the same one just now.
    if (putIfUnchanged(ws.putting, path, undefined, bytes) !== 'put')
      return keepLearning(ws, readMemory(ws), wanted, place, taken.add(id));
    return { kept: { ...learning, id, file: shown(ws.layout, path) }, how: 'new' };
  }
}

/** What the other said in other words, for the text below the head: it may say more. */
function wordingOf(one: Learning, other: Learning): string {
  if (one.information === other.information) return '';
  return `- ${other.source.join(', ')}: ${other.information}`;
}

function mergedInto(one: Learning, other: Learning) {
  const both = (key: 'source' | 'uses' | 'entities' | 'tags') => [
    ...new Set([...one[key], ...other[key]]),
  ];
  return {
    entities: both('entities'),
    tags: both('tags'),
    confidence: Math.max(one.confidence, other.confidence),
    source: both('source'),
    uses: both('uses'),
    feedback: one.feedback + other.feedback,
  };
}

/** The other goes into it with all that people wrote below its head. False: one of them was changed at the same time. */
export function mergeLearnings(ws: Workspace, one: Kept, other: Kept): boolean {
  const path = join(ws.layout.root, other.file);
  const text = readText(ws.disk, path, other.file);
  const read = text.ok ? parseLearning(text.value, other.file, other.type) : text;
  if (!text.ok || !read.ok) return false;
  const { learning, body } = read.value;
  const isSaid = oneLine(body) === learning.information;
  const notes = [isSaid ? '' : body.trim(), wordingOf(one, learning)].filter(Boolean);
  if (!changeLearning(ws, one, (now) => mergedInto(now, learning), notes.join('\n'))) return false;
  const now = readText(ws.disk, path, other.file);
  if (!now.ok || now.value !== text.value) return false;
  forgetLearning(ws, other);
  return true;
}

/** `note`: text for its end. False: as of `editFile`. */
export function changeLearning(
  ws: Workspace,
  { file, type }: Kept,
  change: (learning: Learning) => Partial<Learning>,
  note = '',
): boolean {
  const parse = (text: string) => parseLearning(text, file, type);
  return editFile(ws, file, parse, ({ learning }, text) => {
    const { information } = learning;
    const isNew = note !== '' && !text.includes(note);
    // A note is no part of what a text without that key says.
    const says = isNew && !/^information:/m.test(text) ? { information } : {};
    const head = editHead(text, { ...says, ...change(learning) });
    return isNew ? `${head.replace(/\n?$/, '\n')}${note}\n` : head;
  });
}

/** Into the folder of its type, as a person's `mv` does; its id stays. undefined: that name is taken there. */
export function acceptCandidate(ws: Workspace, one: Kept, type: LearningType): Kept | undefined {
  const folder = join(memoryFolder(ws), type);
  const [from, to] = [join(ws.layout.root, one.file), join(folder, basename(one.file))];
  makeDurable(ws.disk, ws.layout, folder);
  if (ws.disk.stat(to) !== undefined || !changeLearning(ws, one, () => ({ type })))
    return undefined;
  ws.disk.rename(from, to);
  ws.disk.sync(folder);
  ws.disk.sync(dirname(from));
  return { ...one, type, file: shown(ws.layout, to) };
}

export function forgetLearning(ws: Workspace, { file }: Kept): void {
  const path = join(ws.layout.root, file);
  unlessGone(() => ws.disk.remove(path), undefined);
  ws.disk.sync(dirname(path));
}
