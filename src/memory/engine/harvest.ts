/**
 * What a task taught, kept before it moves to done, and the same when repeated: `## Learnings` of its result
 * count at once. Candidates are what an agent calls a person's, and what a person said about this task alone.
 */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { SETTINGS, shown } from '../../task/store/tasks/layout.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { itemsOf, oneLine } from '../../task/text/markdown/sections.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { gatherInputs, type Answered } from '../../workspace/tasks/inputs.ts';
import { calledIn, readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import {
  isByPerson,
  isOfPersons,
  type Kept,
  type Learning,
  type LearningType,
} from '../core/learning.ts';
import { contradicting } from '../core/similar.ts';
import { cut, learningIn, OPTION, settledBy, type Harvested } from '../text/harvest.ts';
import { CANDIDATES, CATCHER, hasMemory } from './folder.ts';
import { changeLearning, keepLearning, readMemory, type Memory } from './store.ts';

/** Learnings of one result; more are a report. */
const LEARNINGS_MAX = 20;
const SAID_BY_PERSON = { confidence: 0.9, by_person: true };
/** The newest last; what was used long ago says little. */
const USES_MAX = 20;
const LEARNING_FILE = /\.contracts\/memory\/[a-z_]+\/[^\s`/]+\.md/g;

/** `by_person`: said by one, or accepted. */
export type Taught = Harvested & { readonly by_person: boolean };

/** `folder` has result.md, or the attempts that led to it; `left`: so many learnings too many. */
export function taughtBy(ws: Workspace, folder: string, task: TaskRead) {
  const result = textIfThere(ws.disk, `${folder}/result.md`) ?? '';
  const all = parseResult(result).learnings.flatMap((line) => learningIn(line) ?? []);
  const { owner, agent = '' } = lastEnded(task.attempts, 'work')?.owner ?? {};
  const isCaught = isAccepted(ws, folder, task);
  const taught = all.slice(0, LEARNINGS_MAX).map((one) => {
    return { ...one, by_person: owner === PERSON || (isCaught && isOfPersons(one.type)) };
  });
  const waits = (one: Taught): boolean => isOfPersons(one.type) && !one.by_person;
  const { findings, answers } = gatherInputs(ws, folder, task.attempts);
  const said = findings.filter(({ by }) => by === PERSON);
  const items = said.flatMap(({ text }) => itemsOf(scanMarkdown(text), true));
  const candidates = [
    ...taught.filter(waits),
    ...items.map(({ text, below }) => byPerson('correction', [text, ...below].join(' '))),
    ...answers.map(({ question, answer }) => byPerson('decision', settledBy(question, answer))),
  ];
  const learnings = taught.filter((one) => !waits(one));
  const isInterview = /interviewer\b/.test(agent) || answers.some(hasOptions);
  return { learnings, candidates, isInterview, left: all.length - taught.length };
}

const hasOptions = ({ question, options }: Answered): boolean =>
  options !== undefined || OPTION.test(question);

function byPerson(type: LearningType, text: string): Taught {
  const information = cut(oneLine(text));
  return { type, information, entities: [], tags: [], ...SAID_BY_PERSON };
}

/** A memory-catcher hands in nothing but learnings: a person who approves its result accepts them. */
function isAccepted(ws: Workspace, folder: string, { id, contract }: TaskRead): boolean {
  if (!contract.ok || contract.value.head.agent !== CATCHER) return false;
  // Read again: the review that brings the task to done has just ended.
  const { outcome } = lastEnded(readAttempts(ws, folder, id).attempts, 'review') ?? {};
  return outcome?.code === 'approved' && (outcome.adapter ?? outcome.adopted) === undefined;
}

export function harvest(running: Running, folder: string): void {
  const { ws, id, task, emit } = running;
  const { learnings, candidates, isInterview, left } = taughtBy(ws, folder, task);
  if (learnings.length + candidates.length === 0 && !hasMemory(ws)) return;
  const memory = readMemory(ws);
  noteShown(running, memory, briefOfWork(running, folder), 'uses');
  const created = ws.machine.now().toISOString();
  const known = { learnings: [...memory.learnings], candidates: [...memory.candidates] };
  const keep = ({ by_person, ...one }: Taught, place: 'learnings' | 'candidates'): void => {
    // A task may have that name.
    if (one.information === '' || id === PERSON) return;
    const wanted = { ...one, source: by_person ? [id, PERSON] : [id], created };
    const { kept, how } = keepLearning(ws, known, wanted, place === CANDIDATES ? place : one.type);
    if (how !== 'new') return;
    const other = contradicting(kept, known.learnings);
    if (other !== undefined) emit({ event: 'problem', problem: conflictOf(kept, other) });
    known[place].push(kept);
  };
  for (const one of learnings) keep(one, 'learnings');
  for (const one of candidates) keep(one, 'candidates');
  const added = known.candidates.slice(memory.candidates.length);
  const ids = added.flatMap((one) => (one.type === 'decision' && isByPerson(one) ? one.id : []));
  if (isInterview && ids.length > 0) {
    const reason = `your answers, for later tasks: contracts memory accept ${ids.join(' ')} --into goals`;
    emit({ event: 'wrote', task: id, file: `${SETTINGS}/memory/${CANDIDATES}/`, reason });
  }
  if (left > 0) {
    const message = `${left} learnings of ${id} are left out: only the first ${LEARNINGS_MAX} are kept`;
    const file = shown(ws.layout, `${folder}/result.md`);
    const fix = 'Add the others if they matter: contracts memory add';
    const found = problem({ code: 'bad_value', severity: 'warning', file, message, fix });
    emit({ event: 'problem', problem: found });
  }
}

/** Work came back: what its brief showed loses weight. */
export function learningsReturned(running: Running, folder: string, outcome: OutcomeRecord): void {
  if (!hasMemory(running.ws)) return;
  noteShown(running, readMemory(running.ws), briefOfWork(running, folder, outcome), 'returned');
}

function noteShown({ ws, id }: Running, memory: Memory, brief: string, as: 'uses' | 'returned') {
  const shown = new Set(brief.match(LEARNING_FILE));
  for (const one of memory.learnings)
    if (shown.has(one.file)) changeLearning(ws, one, (now) => withTask(now, as, id));
}

/** The newest last, each once. */
export function withTask<K extends 'uses' | 'returned'>(
  one: Pick<Learning, K>,
  key: K,
  id: string,
) {
  if (one[key].includes(id)) return {};
  return { [key]: [...one[key], id].slice(-USES_MAX) };
}

/**
 * The brief of the work that its result came from; empty where there is none. `outcome`: of the attempt that
 * has just ended.
 */
export function briefOfWork(running: Running, folder: string, outcome?: OutcomeRecord): string {
  const { ws, task, number } = running;
  const isWork = outcome !== undefined && running.kind === 'work';
  const work = isWork ? { number, lost: false, outcome } : lastEnded(task.attempts, 'work');
  if (work === undefined) return '';
  return textIfThere(ws.disk, `${calledIn(folder, work)}/desk/brief.md`) ?? '';
}

/** Both stay: which of them holds is a person's decision. */
function conflictOf({ id, file, information: found }: Kept, other: Kept): Problem {
  const message = 'this learning may contradict another';
  const expected = `${other.information} (${other.file})`;
  const fix = `Read both, then drop the wrong one: contracts memory forget ${id}, or ${other.id}`;
  return problem({ code: 'conflict', severity: 'warning', file, message, found, expected, fix });
}
