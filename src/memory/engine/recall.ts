/** The learnings that fit a task or some words, whose word each is, and how a brief and a session show them. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { findAny } from '../../engine/queries/find-task.ts';
import { packageText } from '../../workspace/open/package-data.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Section } from '../../workspace/tasks/capability.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { isByPerson, isDoubted, isOfPersons, sureness, type Kept } from '../core/learning.ts';
import { rank, type Found } from '../core/rank.ts';
import { contradicting, saysAllOf } from '../core/similar.ts';
import { relatedIn } from '../core/related.ts';
import { weightOf } from '../core/weight.ts';
import { CANDIDATES } from './folder.ts';
import { taughtBy } from './harvest.ts';
import { namesOf, readMemory, standing } from './store.ts';

const LEARNINGS_MAX = 10;
const CHARS_MAX = 4000;
/** More say nothing else, and cost time. */
const WORDS_CHARS_MAX = 20_000;
const WORDS_FILE = 'templates/memory/related-words.txt';

/** `from`: whose word it is, as a brief names it; empty: no task that taught it is done, and no brief shows it. */
export type Recalled = Found & { readonly learning: Kept & { readonly from: string } };

/** Learnings that count, the best first, for each brief and each list. */
export function recall(ws: Workspace, words: string, memory = readMemory(ws)): readonly Recalled[] {
  const names = namesOf(ws);
  const all = memory.learnings.filter(standing(ws, names));
  if (all.length === 0) return [];
  const related = relatedIn(packageText(ws, WORDS_FILE));
  const most = words.slice(0, WORDS_CHARS_MAX);
  const wanted = {
    words: most,
    now: ws.machine.now().getTime(),
    weightOf: (one: Kept) => weightOf(one, names).weight,
  };
  return rank(all, wanted, related)
    .map((found) => ({ ...found, learning: weigh(ws, found.learning) }))
    .filter(({ learning }) => learning.from !== '');
}

/** As a brief has it. Looked up each time, so what a task taught goes when it is opened again or aborted. */
export function weigh(ws: Workspace, one: Kept): Recalled['learning'] {
  if (one.source.length === 0) return { ...one, from: 'by hand' };
  const done = isByPerson(one) ? [] : one.source.flatMap((id) => voiceOf(ws, id, one));
  const saying = done.filter(({ said }) => said.length > 0);
  const isTheirs = isOfPersons(one.type);
  const isPersons = isTheirs && saying.some(({ said }) => said.some(({ by_person }) => by_person));
  if (isByPerson(one) || isPersons) return { ...one, from: 'from a person' };
  const tasks = saying.slice(0, 3).map(({ id }) => `task ${id}`);
  const isEarlier = tasks.length === 0 || (isTheirs && !one.file.includes(`/${CANDIDATES}/`));
  const from = isEarlier ? 'kept earlier' : `from ${tasks.join(', ')}`;
  const isAgreed = new Set(saying.map(({ role }) => role)).size > 1;
  return { ...one, confidence: sureness(one, isAgreed), from: done.length === 0 ? '' : from };
}

/** The feedback of a done task, and its role. */
function voiceOf(ws: Workspace, id: string, one: Kept) {
  const found = findAny(ws, id);
  if (!found.ok || found.value.task.state !== 'done') return [];
  const { task, folder } = found.value;
  const { learnings, candidates } = taughtBy(ws, folder, task);
  const all = redactedRecord(ws, [...learnings, ...candidates]);
  const role = lastEnded(task.attempts, 'work')?.owner?.agent;
  return [{ id, role, said: all.filter((other) => saysAllOf(one, other)) }];
}

/** For a brief or a session: those that fit these words. */
export function learningsFor(ws: Workspace, words: string): Section {
  const found = recall(ws, words).filter(({ fits }) => fits);
  return { title: 'Learnings of earlier work', text: learningLines(found) };
}

/** Words of a task, and the files that it names. */
export function wordsOf(contract: Contract): string {
  const { title, objective, requirements, criteria, head, context_files } = contract;
  const { plan, category, deliverables, write = [] } = head;
  const about = [title, objective, requirements, category, plan && `plan:${plan}`];
  const checked = criteria.map(({ text }) => text);
  return [...about, ...checked, ...deliverables, ...write, ...context_files].join('\n');
}

/** The best ten within the budget, a line each; empty where none fits. */
export function learningLines(found: readonly Recalled[]): string {
  const best = found.slice(0, LEARNINGS_MAX);
  const all = best.map(({ learning }) => learning);
  const lines: string[] = [];
  let chars = 0;
  for (const { learning } of best) {
    const { type, confidence, from, information, file } = learning;
    const other = contradicting(learning, all);
    const doubt = isDoubted(learning) ? '⚠ verify: ' : '';
    const marks = `${doubt}${other === undefined ? '' : `⚠ may contradict \`${other.id}\`: `}`;
    const line = `- [${type} ${confidence}, ${from}] ${marks}${oneLine(information)} (\`${file}\`)`;
    if (chars + line.length > CHARS_MAX) continue;
    chars += line.length;
    lines.push(line);
  }
  return lines.join('\n');
}
