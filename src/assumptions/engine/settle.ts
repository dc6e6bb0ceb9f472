/**
 * What the answers about assumptions do before the contract moves to done: each becomes a learning, and its
 * file leaves the open ones. Safe to repeat: what is no longer open was settled.
 */
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';
import { keepLearning, readMemory } from '../../memory/engine/store.ts';
import { settledBy } from '../../memory/text/harvest.ts';
import { answerOf, askedIn, type Answer, type KeptAssumption } from '../core/assumption.ts';
import { archivedState } from '../../engine/board/archive.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { askedBy, putQuestions } from './ask.ts';
import { closeAssumption, closedAssumptions } from './store.ts';

export function beforeClaim(): void {}

export function afterMove(): void {}

export function putForm({ ws }: Context, { id, contract }: TaskRead): void {
  if (contract.ok) putQuestions(ws, id, askedBy(ws, contract.value));
}

/** Returns what they led to, as more words for the reason of the move. */
export function beforeMove(context: Context, task: TaskRead, trigger: string): string {
  if (trigger === 'assumptions_asked') putForm(context, task);
  const { ws } = context;
  const { contract, questions } = task;
  if (trigger !== 'assumptions_answered' || !contract.ok || questions?.ok !== true) return '';
  const open = new Map(askedBy(ws, contract.value).map((one) => [one.id, one]));
  // What a runner that died settled is named, too.
  const closed = (['confirmed', 'rejected'] as const).flatMap((as) => closedAssumptions(ws, as));
  const settled = new Map(closed.map((one) => [one.id, one]));
  const resting = new Set<string>();
  const left: string[] = [];
  const gone: string[] = [];
  const rejected: string[] = [];
  for (const { text, answer } of questions.value.questions) {
    const id = askedIn(text) ?? '';
    const one = open.get(id) ?? settled.get(id);
    if (one === undefined) {
      gone.push(id);
      continue;
    }
    const given = answerOf(one.kind, answer);
    // The person read the question: an answer is none about other words that are in the file since then.
    const isOther = !unescapeComments(text).includes(oneLine(one.information));
    if (open.has(id)) {
      if (given.means === 'open' || isOther) {
        left.push(id);
        continue;
      }
      keep(context, one, given);
      closeAssumption(ws, one, given.means === 'rejected' ? 'rejected' : 'confirmed');
    }
    if (given.means !== 'rejected') continue;
    rejected.push(id);
    for (const id of [...one.source, ...one.uses]) if (isDone(ws, id)) resting.add(id);
  }
  const ids = [...resting].sort().join(' ');
  const listed = (words: string, of: readonly string[]): string =>
    of.length === 0 ? '' : `; ${words}: ${of.join(', ')}`;
  return [
    listed('still open', left),
    listed('not kept, for its file is gone', gone),
    listed('taken as no', rejected),
    ids === '' ? '' : `; these done tasks rest on that: contracts retry ${ids} --again`,
  ].join('');
}

function isDone(ws: Workspace, id: string): boolean {
  if (!isTaskId(id)) return false;
  return (
    locate(ws.disk, ws.layout, id).includes('done') || archivedState(ws, id) === 'archived_done'
  );
}

type Settled = Exclude<Answer, { readonly means: 'open' }>;

function keep({ ws }: Context, one: KeptAssumption, answer: Settled): void {
  const [type, information] = wordsOf(one, answer);
  const created = ws.machine.now().toISOString();
  const entities = one.plan === undefined ? [] : [`plan:${one.plan}`];
  const more = { entities, tags: [], confidence: 0.95, source: [...one.source, 'person'] };
  keepLearning(ws, readMemory(ws), { type, information, ...more, created }, type);
}

function wordsOf({ kind, information }: KeptAssumption, answer: Settled) {
  switch (answer.means) {
    case 'confirmed':
      return ['decision', information] as const;
    case 'decided':
      if (kind === 'decision') return ['decision', settledBy(information, answer.text)] as const;
      return ['decision', `${information} Decision: ${answer.text}`] as const;
    default:
      return answer.instead === ''
        ? (['preference', `This was assumed, and does not hold: ${information}`] as const)
        : (['preference', `${answer.instead} (and not, as was assumed: ${information})`] as const);
  }
}
