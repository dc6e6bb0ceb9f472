/**
 * What a session is given at its start, and handoffs: numbered files in `.contracts/handoffs/` with more of the same,
 * for whoever continues. The newest one counts.
 */
import { join } from 'node:path';
import { readBoard, tasksIn } from '../../engine/board/board.ts';
import { questionsOf } from '../../engine/commands/write-words.ts';
import { accountSince } from '../../engine/queries/account.ts';
import { countTasks } from '../../engine/queries/count-by-state.ts';
import { isYours, listTasks } from '../../engine/queries/list.ts';
import { byUrgency } from '../../engine/queries/waiting.ts';
import { many } from '../../task/core/base/plural.ts';
import { accountWords } from '../../task/core/attempts/account.ts';
import { Fault, type Problem } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { put } from '../../task/store/disk/put.ts';
import { SETTINGS, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing, makeBelow } from '../../task/store/tasks/tasks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { pauseWords } from '../../workspace/open/pause-file.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { linkOn, type Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { Section } from '../../workspace/tasks/capability.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import { planLines } from '../core/plan-lines.ts';
import { brief } from '../core/talk.ts';

const FOLDER = `${SETTINGS}/handoffs`;
const LINE_CHARS_MAX = 160;
const [SHOWN_MAX, WRITTEN_MAX, HANDOFF_LINES_MAX, SECTION_LINES_MAX] = [6, 20, 12, 3];
const HEAD = '# Handoff\n\nWritten by `contracts status --write`. The folders are the truth.';

const shown = (text: string): string => brief(escapeText(oneLine(text)), LINE_CHARS_MAX);

function sectionOf(title: string, lines: readonly string[], most = WRITTEN_MAX): Section {
  const more = lines.length - most;
  const left = more > 0 ? [`and ${more} more: contracts list`] : [];
  const all = [...lines.slice(0, most).map(shown), ...left];
  return { title, text: all.map((one) => `- ${one}`).join('\n') };
}

/** Without those that say nothing. */
export function markdownOf(head: string, sections: readonly Section[]): string {
  const some = sections.filter(({ text }) => text.trim() !== '');
  return [head, ...some.map(({ title, text }) => `## ${title}\n\n${text.trim()}`)].join('\n\n');
}

/** `since_ms`: when the session before this one began. */
export function startSections(ws: Workspace, since_ms?: number): readonly Section[] {
  const { file = '', text = '' } = newestHandoff(ws) ?? {};
  const now = sectionsOf(ws, SHOWN_MAX);
  // A handoff that contracts wrote repeats the sections above: only its others are shown, the first lines of each.
  const isOurs = text.startsWith(HEAD);
  const isNew = (part: string): boolean =>
    !now.some(({ title }) => part.startsWith(`## ${title}\n`));
  const parts = isOurs
    ? text
        .slice(HEAD.length)
        .split(/^(?=## )/m)
        .filter(isNew)
    : [text];
  const most = isOurs ? SECTION_LINES_MAX : HANDOFF_LINES_MAX;
  const told = parts.flatMap((part) => {
    const lines = part.split('\n').filter((line) => line.trim() !== '');
    const more = lines.length > most ? [`- … and more in ${file}`] : [];
    return [...lines.slice(0, most).map(plain), ...more];
  });
  return [
    ...now,
    endedSince(ws, since_ms),
    { title: `Newest handoff: ${file}`, text: told.join('\n') },
  ];
}

/** Plain text, whatever the line is: a heading, a fence or a comment would hold what comes below it. */
function plain(line: string): string {
  const text = shown(line).replace(/^(?:[#>]+ )+/, '');
  return /^(?:[#>`~<|]|[=-]+$)/.test(text) ? `- ${text}` : text;
}

const DAY_MS = 24 * 3_600_000;

/** Else of a day: a host session must not take work that ended for work that still runs. */
function endedSince(ws: Workspace, since_ms?: number): Section {
  const from = since_ms ?? ws.machine.now().getTime() - DAY_MS;
  const account = accountSince(ws, from);
  const { done } = account;
  const aborted = tasksIn(ws, ['aborted']).filter(({ state, id, attempts }) => {
    const at = attempts.at(-1)?.outcome?.at;
    // Its move, which has no record where a person made it; in a new clone it would be the clone's.
    const moved = ws.disk.stat(taskFolder(ws.layout, state, id))?.ctime_ms ?? 0;
    return Date.parse(at ?? '') >= from || (since_ms !== undefined && moved >= from);
  });
  const named = [
    ...(done.length === 0 ? [] : [`${many(done.length, 'task')} done: ${done.join(', ')}.`]),
    ...(aborted.length === 0 ? [] : [`Aborted: ${aborted.map(({ id }) => id).join(', ')}.`]),
  ];
  const words = [...named, ...accountWords(account)].join(' ');
  const title = since_ms === undefined ? 'Ended in the last day' : 'Ended since the last session';
  return sectionOf(title, words === '' ? [] : [words]);
}

/** Writes one where the newest has other bytes. `file` is relative to the workspace. */
export function writeHandoff(ws: Workspace): { readonly file: string; readonly written: boolean } {
  const { disk, layout, putting } = ws;
  if (!makeBelow(disk, layout.root, FOLDER, []))
    throw new Fault('tree', `${FOLDER} is no folder`, { fix: 'Put a real folder there' });
  const all = [...sectionsOf(ws, WRITTEN_MAX), ...moreSections(ws)];
  const bytes = redacted(ws, bytesOf(`${markdownOf(HEAD, all)}\n`));
  const { file = '0.md', text } = newestHandoff(ws) ?? {};
  if (text !== undefined && Buffer.from(text).equals(bytes)) return { file, written: false };
  const number = Number(/(\d+)\.md$/.exec(file)?.[1]) + 1;
  const next = `${FOLDER}/${String(number).padStart(4, '0')}.md`;
  put(putting, join(layout.root, next), bytes);
  return { file: next, written: true };
}

/** undefined where none is; without text where it cannot be read. */
export function newestHandoff({ disk, layout: { root } }: Workspace) {
  if (linkOn(disk, root, FOLDER) !== undefined) return undefined;
  const names = listOrNothing(disk, join(root, FOLDER)).map(({ name }) => `${FOLDER}/${name}`);
  const file = names.findLast((one) => /\/\d{4}\.md$/.test(one));
  if (file === undefined) return undefined;
  return { file, text: textIfThere(disk, join(root, file)) ?? '' };
}

export function handoffProblems({ disk, layout }: Workspace): readonly Problem[] {
  return [linkOn(disk, layout.root, FOLDER) ?? []].flat();
}

function sectionsOf(ws: Workspace, most: number): readonly Section[] {
  const { tasks } = listTasks(ws, { sort: 'id' });
  const needed = byUrgency(tasks.filter(isYours));
  const counts = countTasks(ws, STATES).filter((one) => one.tasks > 0);
  const count = counts.map((one) => `${one.tasks} ${one.state}`).join(', ');
  const stop = pauseWords(ws) === undefined ? [] : ['everything is paused: contracts pause --end'];
  const working = tasks
    .filter(({ waits_for }) => waits_for === 'agent')
    .map(({ id, agent, attempt, step = '' }) => `${id}: ${agent} #${attempt} ${step}`);
  const waiting = needed.map(
    ({ id, state, title, fix }) => `${id} (${state}): ${title.slice(0, 80)} → ${fix}`,
  );
  const taken = tasks.filter(({ code }) => code === 'to_delegate');
  const host = taken.map(({ id, title, fix }) => `${id}: ${title.slice(0, 80)} → ${fix}`);
  const questions = needed.flatMap(({ id, state }) => {
    const found = state === 'questions' && questionsOf(ws, id);
    const open = found && found.ok ? found.value.filter(({ answer }) => answer === '') : [];
    return open.map(({ number, text }) => `${id}, question ${number}: ${text}`);
  });
  return [
    sectionOf('Tasks', [...stop, count === '' ? 'none yet' : count], most),
    sectionOf('At work', working, most),
    sectionOf('Waits for a person', waiting, most),
    sectionOf('For a session like this one', host, most),
    sectionOf('Open questions', questions, most),
  ];
}

function moreSections(ws: Workspace): readonly Section[] {
  const tasks = [...readBoard(ws).tasks.values()];
  const moves = [...tasks, ...tasksIn(ws, ['done', 'aborted'])].flatMap(lastMoveOf);
  return [
    sectionOf('Plans at work', planLines(tasks.flatMap(planOf))),
    sectionOf('Last moves', moves.toSorted().toReversed()),
  ];
}

function planOf({ contract }: TaskRead) {
  const { plan, wave = '' } = contract.ok ? contract.value.head : {};
  return plan === undefined ? [] : [{ plan, wave: String(wave) }];
}

/** By the records of attempts: the times of files differ from checkout to checkout. */
function lastMoveOf({ id, state, attempts }: TaskRead): readonly string[] {
  const { number, outcome } = attempts.findLast((one) => !one.lost && one.outcome) ?? {};
  if (outcome === undefined) return [];
  const { at, kind, reason } = outcome;
  return [`${at} ${id}: ${kind} #${number} → ${state}: ${reason}`];
}
