/**
 * The stories of plans, `.contracts/plans/<plan>/stories/<id>.md`: made where one is missing and kept up
 * to date at each move of its task, by the smallest edits. A projection: what is in it is never believed.
 * A file that somebody changed between our look and our write is left to the next step.
 */
import { checkName, type Contract } from '../core/contract.ts';
import { isStory, storyStatus } from '../core/story.ts';
import { metCriteria } from '../core/unmet.ts';
import { isTaskId } from '../core/id.ts';
import { gatesFor } from '../core/policy.ts';
import type { Attempt } from '../core/record.ts';
import type { State } from '../core/state.ts';
import { errorCode } from '../store/disk.ts';
import { sha256 } from '../store/hash.ts';
import { planFolder, shown, taskFolder } from '../store/layout.ts';
import { inside, listOrNothing, locate } from '../store/tasks.ts';
import { parseResult } from '../text/documents.ts';
import { decodeText } from '../text/front-matter.ts';
import { itemsOf, oneLine } from '../text/sections.ts';
import { scanMarkdown } from '../text/markdown.ts';
import { followedStory, isStale, type StoryNews } from '../text/story-edit.ts';
import { readAttempts } from './attempts.ts';
import { bytesOf, type Context } from './attempt/running.ts';
import type { Board } from './board.ts';
import { faultEvent } from './fault-event.ts';
import { putOwn } from './own-writes.ts';
import { hasPlanFolder } from './plan-notes.ts';
import { inSquad } from './squad-contract.ts';
import { readBytes, readText } from './read-text.ts';
import { readContract } from './read-contract.ts';
import { executorOf } from './roles.ts';
import { fillTemplate, type Workspace } from './workspace.ts';

const STORIES = 'stories';
const TASKS_MAX = 30;

/** Where the story of a task is, when it has one or would get one. */
export function storyPath(ws: Workspace, id: string, contract: Contract): string | undefined {
  const { plan } = contract.head;
  if (plan === undefined || !isStory(contract) || !hasPlanFolder(ws, plan)) return undefined;
  return `${planFolder(ws.layout, plan)}/${STORIES}/${id}.md`;
}

/** After each move: whoever works on it next reads it as it is now. */
export function followStory({ ws, emit }: Pick<Context, 'ws' | 'emit'>, id: string): void {
  try {
    follow(ws, id);
  } catch (error) {
    emit(faultEvent(id, error));
  }
}

function follow(ws: Workspace, id: string): void {
  const [state, ...others] = locate(ws.disk, ws.layout, id);
  if (state === undefined || others.length > 0) return;
  const read = readContract(ws, taskFolder(ws.layout, state, id), id).contract;
  if (read.ok) keepStory(ws, id, state, read.value);
}

/**
 * At the end of a step: those that are missing, those of tasks at work, and those that say another state
 * than the one that their task was brought to by a person, another runner, or a step that was cut short.
 * Asks nothing of the disk for tasks that are no stories of a plan.
 */
export function followStories(
  ws: Workspace,
  board: Board,
  moved: ReadonlySet<string>,
  names: readonly string[],
): void {
  const plans = new Map(names.map((name) => [name, storiesOf(ws, name)]));
  const followed = new Set<string>();
  for (const task of board.tasks.values()) {
    const contract = task.contract.ok ? task.contract.value : undefined;
    const plan = contract?.head.plan;
    if (contract === undefined || plan === undefined || !isStory(contract)) continue;
    const missing = plans.get(plan)?.has(task.id) === false;
    const at_work = task.state !== 'draft' && task.state !== 'ready';
    if (!missing && !at_work && !moved.has(task.id)) continue;
    follow(ws, task.id);
    followed.add(task.id);
  }
  for (const [plan, stories] of plans) {
    for (const id of stories)
      if (!followed.has(id) && isBehind(ws, board, plan, id)) follow(ws, id);
  }
}

function isBehind(ws: Workspace, board: Board, plan: string, id: string): boolean {
  const path = `${planFolder(ws.layout, plan)}/${STORIES}/${id}.md`;
  const text = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  if (!text.ok) return false;
  const state = board.tasks.get(id)?.state ?? endedState(ws, id);
  return state !== undefined && isStale(text.value, state);
}

/** Of a task that is not live: done and aborted are asked by name and never listed. */
function endedState(ws: Workspace, id: string): State | undefined {
  return (['done', 'aborted'] as const).find(
    (state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder',
  );
}

/** Ids of tasks of which a story is there. */
function storiesOf(ws: Workspace, plan: string): ReadonlySet<string> {
  if (!hasPlanFolder(ws, plan)) return new Set();
  const folder = `${planFolder(ws.layout, plan)}/${STORIES}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return new Set();
  const files = listOrNothing(ws.disk, folder).filter(({ kind }) => kind === 'file');
  return new Set(files.flatMap(({ name }) => idOf(name) ?? []));
}

function idOf(name: string): string | undefined {
  const id = name.slice(0, -'.md'.length);
  return name.endsWith('.md') && isTaskId(id) ? id : undefined;
}

function keepStory(ws: Workspace, id: string, state: State, read: Contract): void {
  const path = storyPath(ws, id, read);
  if (path === undefined || !madeFolder(ws, path)) return;
  const contract = inSquad(ws, read);
  const folder = taskFolder(ws.layout, state, id);
  const { attempts } = readAttempts(ws, folder, id);
  const news = newsOf(ws, contract, { folder, state, attempts });
  const file = shown(ws.layout, path);
  if (ws.disk.stat(path) === undefined) {
    const text = followedStory(firstStory(ws, id, contract, news.status), news);
    putOwn(ws, path, undefined, bytesOf(text));
    return;
  }
  if (!inside(ws.disk, ws.layout.root, file).ok) return;
  const bytes = readBytes(ws.disk, path, file, { single_link: false });
  const text = bytes.ok ? decodeText(bytes.value, file) : bytes;
  if (!bytes.ok || !text.ok) return;
  const edited = followedStory(text.value, news);
  if (edited !== text.value) putOwn(ws, path, sha256(bytes.value), bytesOf(edited));
}

/** False where something else stands in its place. */
function madeFolder(ws: Workspace, path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const found = ws.disk.stat(folder);
  if (found !== undefined) return found.kind === 'folder';
  try {
    ws.disk.mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return true;
}

function firstStory(ws: Workspace, id: string, contract: Contract, status: string): string {
  const { head, title, objective, criteria } = contract;
  return fillTemplate(ws, 'story', {
    id,
    title,
    status,
    plan: head.plan ?? '',
    executor: executorOf(ws, contract).name,
    gates: gatesFor(contract, ws.config).join(', ') || 'none',
    objective: objective === '' ? title : objective,
    criteria: criteria.map(({ text }) => text),
    tasks: tasksOf(contract),
    definition: definitionOf(ws, contract),
  });
}

/** The list in its requirements, else its title. */
function tasksOf({ requirements, title }: Contract): readonly string[] {
  const items = itemsOf(scanMarkdown(requirements)).map(({ text }) => oneLine(text));
  const listed = items.filter((text) => text !== '').slice(0, TASKS_MAX);
  return listed.length > 0 ? listed : [title];
}

const FILES_LISTED = 'The file list and the dev notes are up to date';
const CRITERIA_HOLD = 'Every acceptance criterion holds, with evidence in the result';

function definitionOf(ws: Workspace, contract: Contract): readonly string[] {
  return [
    CRITERIA_HOLD,
    ...contract.checks.map((check) => `Check passes: ${checkName(check)}`),
    ...gatesFor(contract, ws.config).map((gate) => `Approved by ${gate}`),
    FILES_LISTED,
  ].map(oneLine);
}

interface Standing {
  readonly folder: string;
  readonly state: State;
  readonly attempts: readonly Attempt[];
}

function newsOf(ws: Workspace, contract: Contract, standing: Standing): StoryNews {
  const { state, attempts } = standing;
  const ended = attempts.filter(({ lost, outcome }) => !lost && outcome !== undefined);
  const of = (kind: Attempt['kind']) => ended.filter((one) => one.kind === kind);
  const own = `.contracts/plans/${contract.head.plan ?? ''}/`;
  const changed = of('work').flatMap(({ outcome }) => outcome?.changed ?? []);
  const approved = state === 'done' && isApproved(ended.at(-1));
  const met = metIn(ws, contract, standing);
  const definition = definitionOf(ws, contract);
  const holding = approved ? heldOf(ws, contract, met.length) : new Set<string>();
  return {
    status: storyStatus(state, of('work').length > 0),
    met: [...met, ...holding],
    unmet: definition.filter((text) => !holding.has(text)),
    tasks: approved ? tasksOf(contract) : [],
    files: [...new Set(changed)].filter((path) => !path.startsWith(own)),
    changes: of('work').map((one) => lineOf(`Attempt ${one.number}`, one)),
    reviews: of('review').map((one) => lineOf(`Review ${one.number}`, one)),
  };
}

/** The last thing that happened to it; moved to done by hand, nobody has said so. */
function isApproved(last: Attempt | undefined): boolean {
  return last?.kind === 'review' && last.outcome?.outcome === 'approved' && !last.anew;
}

/** What an approval says of its definition of done: of its notes only a reviewer knows anything. */
function heldOf(ws: Workspace, contract: Contract, met: number): ReadonlySet<string> {
  const { criteria } = contract;
  const unknown = new Set([
    ...(criteria.length > 0 && met === criteria.length ? [] : [CRITERIA_HOLD]),
    ...(gatesFor(contract, ws.config).length > 0 ? [] : [FILES_LISTED]),
  ]);
  return new Set(definitionOf(ws, contract).filter((text) => !unknown.has(text)));
}

function lineOf(start: string, { outcome }: Attempt): { start: string; rest: string } {
  const agent = outcome?.gate ?? outcome?.agent ?? '';
  const by = agent === '' ? '' : ` by ${agent}`;
  return {
    start,
    rest: `${by}, ${outcome?.at ?? ''}: ${outcome?.outcome ?? ''}, ${outcome?.reason ?? ''}`,
  };
}

/** As its current result says, by the same look as a review's. */
function metIn(ws: Workspace, contract: Contract, { folder }: Standing): readonly string[] {
  const path = `${folder}/result.md`;
  if (ws.disk.stat(path) === undefined) return [];
  const read = readText(ws.disk, path, 'result.md');
  if (!read.ok) return [];
  return metCriteria(contract, parseResult(read.value)).map(({ text }) => oneLine(text));
}
