/**
 * Learnings on the disk, a file each: `.contracts/memory/<type>/<id>.md`, and in `candidates/` those that a
 * person has not accepted. Nothing else knows of them, so a person may edit, move or delete any.
 */
import { basename, dirname, join } from 'node:path';
import { problem, type Problem, type Result } from '../../task/core/model/problem.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { isTerminal, STATES, type State } from '../../task/core/model/state.ts';
import { unlessGone } from '../../task/store/disk/disk.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { makeDurable, namesInState } from '../../task/store/tasks/tasks.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { archivedIds } from '../../engine/board/resolve-id.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { LedgerPart } from '../../workspace/tasks/ledger-part.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import {
  idFor,
  isByPerson,
  LEARNING_TYPES,
  type Kept,
  type Learning,
  type LearningType,
} from '../core/learning.ts';
import { sameAs } from '../core/similar.ts';
import type { TaskNames } from '../core/weight.ts';
import { editFile } from './edit-file.ts';
import { CANDIDATES, memoryFolder } from './folder.ts';
import { namesIn, readFolder } from './read-folder.ts';
import {
  editHead,
  parseLearning,
  renderLearning,
  type LearningRead,
} from '../text/learning-file.ts';

type Place = LearningType | typeof CANDIDATES;
const PLACES: readonly string[] = [...LEARNING_TYPES, CANDIDATES];

export interface Memory {
  readonly learnings: readonly Kept[];
  readonly candidates: readonly Kept[];
  readonly problems: readonly Problem[];
}

export function readMemory(ws: Workspace): Memory {
  const problems: Problem[] = [];
  const top = shown(ws.layout, memoryFolder(ws));
  const names = namesIn(ws, top);
  if (!names.ok) return { learnings: [], candidates: [], problems: names.problems };
  const learnings = LEARNING_TYPES.flatMap((type) => readPlace(ws, type, problems));
  const candidates = readPlace(ws, CANDIDATES, problems);
  for (const { name, kind } of names.value) {
    const isStray = kind === 'folder' ? !PLACES.includes(name) : name.endsWith('.md');
    if (isStray) problems.push(stray(`${top}/${name}`));
  }
  return { learnings, candidates, problems };
}

function readPlace(ws: Workspace, place: Place, problems: Problem[]): readonly Kept[] {
  const type = place === CANDIDATES ? undefined : place;
  const parse = (text: string, file: string): Result<Learning> => {
    const read = parseLearning(text, file, type);
    return read.ok ? { ...read, value: read.value.learning } : read;
  };
  return readFolder(ws, join(memoryFolder(ws), place), parse, problems);
}

function stray(file: string): Problem {
  const message = 'this is in no type of learning, so it is not read';
  const expected = PLACES.join(', ');
  const fix = 'Move it into one of these folders';
  return problem({ code: 'bad_value', severity: 'warning', file, message, expected, fix });
}

/** For the ledger, the newest first. */
export function ledgerSections(ws: Workspace): NonNullable<LedgerPart['sections']> {
  const learnings = readMemory(ws).learnings.filter(standing(ws));
  const newest = learnings.toSorted((a, b) => (a.created < b.created ? 1 : -1));
  // Who says it: the decision of an agent is no person's.
  const by = (one: Kept): string => (isByPerson(one) ? PERSON : (one.source[0] ?? 'by hand'));
  const of = (type: LearningType): readonly string[] =>
    newest.flatMap((one) => (one.type === type ? `${by(one)}: ${one.information}` : []));
  return { decisions: of('decision'), patterns: of('pattern'), anti_patterns: of('anti_pattern') };
}

/** True if a person or a task that ended taught it: by names alone, which is cheap for many. */
export function standing(ws: Workspace, { ended } = namesOf(ws)): (one: Kept) => boolean {
  return ({ source }) => source.length === 0 || source.some((id) => id === PERSON || ended.has(id));
}

/** Names of folders, of which none is opened: what a step costs does not grow with what is in them. */
export function namesOf(ws: Workspace): TaskNames {
  const named = (state: State): readonly string[] => namesInState(ws.disk, ws.layout, state);
  const ended = new Set([...named('done'), ...archivedIds(ws)]);
  let live: ReadonlySet<string> | undefined;
  return {
    ended,
    live: () => (live ??= new Set(STATES.filter((one) => !isTerminal(one)).flatMap(named))),
  };
}

/**
 * A near-duplicate gets the source, and what it said stays below the head where a person says it in other
 * words. A candidate is no part of what counts at once, nor goes under in it. `merged`: one that says the
 * same was there, and has this source now; `kept` is as it was.
 */
export function keepLearning(
  ws: Workspace,
  memory: Pick<Memory, 'learnings' | 'candidates'>,
  wanted: Omit<Learning, 'uses' | 'returned' | 'feedback'>,
  place: Place,
  taken = new Set<string>(),
): { readonly kept: Kept; readonly how: 'new' | 'merged' } {
  const learning = redactedRecord(ws, { ...wanted, uses: [], returned: [], feedback: 0 });
  const all = [...memory.learnings, ...memory.candidates];
  // What a person says never goes under in what an agent had guessed, as something of another kind.
  const isOfPerson = isByPerson(learning);
  const isOfType = ({ type }: Kept): boolean => !isOfPerson || type === wanted.type;
  const isAlike = (one: Kept): boolean => {
    if (place !== CANDIDATES) return !isOfPerson || one.type === place;
    const isSaid = one.type === wanted.type && one.information === learning.information;
    return isOfPerson ? isSaid && isByPerson(one) : isSaid || isByPerson(one);
  };
  const waiting = place === CANDIDATES ? memory.candidates.filter(isOfType) : [];
  const same = sameAs(learning, [...memory.learnings.filter(isAlike), ...waiting]);
  if (same !== undefined) {
    const { information } = learning;
    const isSaidNow = isOfPerson && !isByPerson(same);
    // Also where the source is there: a runner that died may have come to its first wording only.
    const change = (one: Learning): Partial<Learning> => {
      const { entities, tags, confidence, source } = mergedInto(one, learning);
      if (!isOfPerson) return { source };
      return { ...(isSaidNow && { information }), entities, tags, confidence, source };
    };
    const note = isSaidNow ? wordingOf(learning, same) : wordingOf(same, learning);
    changeLearning(ws, same, change, note);
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

/** Other words of the other, for the text below the head. */
function wordingOf(one: Learning, other: Learning): string {
  if (one.information === other.information) return '';
  return `- ${other.source.join(', ')}: ${other.information}`;
}

function mergedInto(one: Learning, other: Learning) {
  const both = (key: 'source' | 'uses' | 'returned' | 'entities' | 'tags') => [
    ...new Set([...one[key], ...other[key]]),
  ];
  const persons = [one, other].filter(isByPerson);
  const sure = (persons.length === 0 ? [one, other] : persons).map(({ confidence }) => confidence);
  return {
    entities: both('entities'),
    tags: both('tags'),
    confidence: Math.max(...sure),
    source: both('source'),
    uses: both('uses'),
    returned: both('returned'),
    feedback: one.feedback + other.feedback,
  };
}

function notesIn({ learning, body }: LearningRead): string {
  return oneLine(body) === learning.information ? '' : body.trim();
}

/** Notes of people below its head. */
export function notesOf(ws: Workspace, { file, type }: Kept): string {
  const text = readText(ws.disk, join(ws.layout.root, file), file);
  const read = text.ok ? parseLearning(text.value, file, type) : text;
  return read.ok ? notesIn(read.value) : '';
}

/** Merges the other into it, with all notes of people. False: one of them was changed at the same time. */
export function mergeLearnings(ws: Workspace, one: Kept, other: Kept): boolean {
  const path = join(ws.layout.root, other.file);
  const text = readText(ws.disk, path, other.file);
  const read = text.ok ? parseLearning(text.value, other.file, other.type) : text;
  if (!text.ok || !read.ok) return false;
  const { learning } = read.value;
  const notes = [notesIn(read.value), wordingOf(one, learning)].filter(Boolean);
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
  // Without a source it is by hand already.
  const source = one.source.length === 0 ? [] : [...new Set([...one.source, PERSON])];
  if (ws.disk.stat(to) !== undefined || !changeLearning(ws, one, () => ({ type, source })))
    return undefined;
  ws.disk.rename(from, to);
  ws.disk.sync(folder);
  ws.disk.sync(dirname(from));
  return { ...one, type, source, file: shown(ws.layout, to) };
}

export function forgetLearning(ws: Workspace, { file }: Kept): void {
  const path = join(ws.layout.root, file);
  unlessGone(() => ws.disk.remove(path), undefined);
  ws.disk.sync(dirname(path));
}
