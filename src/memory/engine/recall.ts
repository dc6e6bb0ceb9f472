/** The learnings that fit a task or some words, and how a brief and a session show them. */
import { join } from 'node:path';
import type { Contract } from '../../task/core/model/contract.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Section } from '../../workspace/tasks/capability.ts';
import { isDoubted } from '../core/learning.ts';
import { rank, type Found } from '../core/rank.ts';
import { contradicting } from '../core/similar.ts';
import { relatedIn } from '../core/related.ts';
import { readMemory } from './store.ts';

const LEARNINGS_MAX = 10;
/** Of all that a brief shows. */
const CHARS_MAX = 4000;
/** More say nothing else, and cost time. */
const WORDS_CHARS_MAX = 20_000;
const WORDS_FILE = 'templates/memory/related-words.txt';

/** The best first. */
export function recall(ws: Workspace, words: string, memory = readMemory(ws)): readonly Found[] {
  if (memory.learnings.length === 0) return [];
  const related = relatedIn(textIfThere(ws.disk, join(packageFolder(), WORDS_FILE)) ?? '');
  const most = words.slice(0, WORDS_CHARS_MAX);
  return rank(memory.learnings, { words: most, now: ws.machine.now().getTime() }, related);
}

/** For a brief or a session: those that fit these words. */
export function learningsFor(ws: Workspace, words: string): Section {
  const found = recall(ws, words).filter(({ fits }) => fits);
  return { title: 'Learnings of earlier work', text: learningLines(found) };
}

/** What a task is about: its words, and the files that it names. */
export function wordsOf(contract: Contract): string {
  const { title, objective, requirements, criteria, head, context_files } = contract;
  const { plan, category, deliverables, write = [] } = head;
  const about = [title, objective, requirements, category, plan && `plan:${plan}`];
  const checked = criteria.map(({ text }) => text);
  return [...about, ...checked, ...deliverables, ...write, ...context_files].join('\n');
}

/** The best ten within the budget, a line each; empty where none fits. */
export function learningLines(found: readonly Found[]): string {
  const best = found.slice(0, LEARNINGS_MAX);
  const all = best.map(({ learning }) => learning);
  const lines: string[] = [];
  let chars = 0;
  for (const { learning, why } of best) {
    const { type, confidence, information, file } = learning;
    const other = contradicting(learning, all);
    const doubt = isDoubted(learning) ? '⚠ verify: ' : '';
    const marks = `${doubt}${other === undefined ? '' : `⚠ may contradict \`${other.id}\`: `}`;
    const reason = why.length === 0 ? '' : `it is about ${why.slice(0, 5).join(', ')}; `;
    const line = `- [${type} ${confidence}] ${marks}${oneLine(information)} (${reason}\`${file}\`)`;
    if (chars + line.length > CHARS_MAX) continue;
    chars += line.length;
    lines.push(line);
  }
  return lines.join('\n');
}
