/**
 * What a task taught, kept before it moves to done, and the same when repeated: `## Learnings` of its result
 * count at once; a person's findings and answers are candidates, for they may be true of this task alone.
 */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { problem } from '../../task/core/model/problem.ts';
import { attemptFolder, shown } from '../../task/store/tasks/layout.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { itemsOf, oneLine } from '../../task/text/markdown/sections.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { gatherInputs } from '../../workspace/tasks/inputs.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Learning } from '../core/learning.ts';
import { contradicting } from '../core/similar.ts';
import { cut, learningIn, type Harvested } from '../text/harvest.ts';
import { CANDIDATES, hasMemory } from './folder.ts';
import { changeLearning, keepLearning, readMemory, type Memory } from './store.ts';

/** Of one result; more are no learnings but a report. */
const LEARNINGS_MAX = 20;
const CONFIDENCE_OF_PERSON = 0.9;

export interface Taught {
  readonly learnings: readonly Harvested[];
  readonly candidates: readonly Harvested[];
  readonly left: number;
}

/** `folder` has result.md, or the attempts that led to it. */
export function taughtBy(
  ws: Workspace,
  folder: string,
  task: Pick<Running['task'], 'attempts'>,
): Taught {
  const result = textIfThere(ws.disk, `${folder}/result.md`) ?? '';
  const all = parseResult(result).learnings.flatMap((line) => learningIn(line) ?? []);
  const { findings, answers } = gatherInputs(ws, folder, task.attempts);
  const said = findings.filter(({ by }) => by === PERSON).flatMap(({ text }) => itemsIn(text));
  const candidates = [
    ...said.map((text) => byPerson('correction', text)),
    ...answers.map(({ question, answer }) => byPerson('decision', `${question} Answer: ${answer}`)),
  ];
  const learnings = all.slice(0, LEARNINGS_MAX);
  return { learnings, candidates, left: all.length - learnings.length };
}

function itemsIn(text: string): readonly string[] {
  return itemsOf(scanMarkdown(text), true).map(({ text: first, below }) =>
    [first, ...below].join(' '),
  );
}

function byPerson(type: Learning['type'], text: string): Harvested {
  const information = cut(oneLine(text));
  return { type, information, entities: [], tags: [], confidence: CONFIDENCE_OF_PERSON };
}

export function harvest(running: Running, folder: string): void {
  const { ws, id, task, emit } = running;
  const { learnings, candidates, left } = taughtBy(ws, folder, task);
  if (learnings.length + candidates.length === 0 && !hasMemory(ws)) return;
  const memory = readMemory(ws);
  const used = namedInBrief(running, folder);
  for (const one of memory.learnings) {
    if (used.has(one.file)) changeLearning(ws, one, ({ uses }) => ({ uses: withUse(uses, id) }));
  }
  const created = ws.machine.now().toISOString();
  const known = { learnings: [...memory.learnings], candidates: [...memory.candidates] };
  const keep = (one: Harvested, place: 'learnings' | 'candidates'): void => {
    if (one.information === '') return;
    const wanted = { ...one, source: [id], created };
    const { kept, how } = keepLearning(ws, known, wanted, place === CANDIDATES ? place : one.type);
    if (how !== 'new') return;
    warnOfOther(running, known, kept);
    known[place].push(kept);
  };
  for (const one of learnings) keep(one, 'learnings');
  for (const one of candidates) keep(one, 'candidates');
  if (left > 0) {
    const message = `${left} learnings of ${id} are left out: only the first ${LEARNINGS_MAX} are kept`;
    const file = shown(ws.layout, `${folder}/result.md`);
    const fix = 'Add the others if they matter: contracts memory add';
    emit({
      event: 'problem',
      problem: problem({ code: 'bad_value', severity: 'warning', file, message, fix }),
    });
  }
}

/** The newest last; what was used long ago says little. */
const USES_MAX = 20;

function withUse(uses: readonly string[], id: string): readonly string[] {
  return uses.includes(id) ? uses : [...uses, id].slice(-USES_MAX);
}

/** Files of learnings. */
function namedInBrief({ ws, task }: Running, folder: string): ReadonlySet<string> {
  const work = lastEnded(task.attempts, 'work')?.number ?? 0;
  const brief = textIfThere(ws.disk, `${attemptFolder(folder, work)}/desk/brief.md`);
  return new Set(brief?.match(/\.contracts\/memory\/[a-z_]+\/[^\s`/]+\.md/g));
}

/** Both stay: which of them holds is a person's decision. */
function warnOfOther(
  { emit }: Running,
  known: Pick<Memory, 'learnings'>,
  kept: Memory['learnings'][0],
): void {
  const other = contradicting(kept, known.learnings);
  if (other === undefined) return;
  emit({
    event: 'problem',
    problem: problem({
      code: 'conflict',
      severity: 'warning',
      file: kept.file,
      message: 'this learning may contradict another',
      found: kept.information,
      expected: `${other.information} (${other.file})`,
      fix: `Read both, then drop the wrong one: contracts memory forget ${kept.id}, or ${other.id}`,
    }),
  });
}
