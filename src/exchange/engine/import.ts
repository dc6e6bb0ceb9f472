/** `import`: foreign lists become plans, or contracts in draft. What is there already is only compared. */
import { join } from 'node:path';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { put, putIfUnchanged, TEMPORARY } from '../../task/store/disk/put.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { planFolder, shown, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { inside, listOrNothing } from '../../task/store/tasks/tasks.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { lastFolder } from '../../engine/board/archive.ts';
import { makeTasks, namesTaken, type NewTask } from '../../engine/board/make-task.ts';
import { PLAN_NAME } from '../../plans/core/plan-document.ts';
import { planPath } from '../../plans/engine/follow/plan-facts.ts';
import { parsePlan } from '../../plans/text/plan.ts';
import { packageData } from '../../workspace/open/package-data.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { templateOf, type Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { arrange, idOf, type Arranged } from '../core/arrange.ts';
import { warning, type ForeignList } from '../core/foreign.ts';
import { wordsOf, type WordData } from '../core/words.ts';
import { contractText, fenced } from '../text/contract-text.ts';
import { itemsText, itemText, planText } from '../text/plan-text.ts';
import { PLAIN_PATH, readSource, type Source } from './sources.ts';
import { changesIn, digest, readTable, seenOf, tablePath, writeTable, type Row } from './table.ts';

export type Wish = Omit<Source, 'words'> & { readonly map: WordData };

/** One task of the source, and what became of it. */
export interface Read extends Arranged {
  readonly action: 'made' | 'done' | 'left_out';
  readonly isNew: boolean;
}

export interface Prepared {
  readonly list: ForeignList;
  readonly reads: readonly Read[];
  /** Name of the plan, or of the file of the table. */
  readonly name: string;
  readonly before: ReturnType<typeof readTable>;
  /** The text of the plan that is there. */
  readonly plan: string | undefined;
  /** Waves of that plan. */
  readonly waves: ReadonlySet<number | undefined> | undefined;
}

export function prepareImport(wish: Wish): Result<readonly Prepared[]> {
  const { ws, map, to } = wish;
  const words = wordsOf([map, packageData<WordData>(ws, 'templates/exchange/words.yaml')]);
  const lists = readSource({ ...wish, words });
  if (!lists.ok) return lists;
  const problems = [...lists.warnings];
  let taken: ReadonlySet<string> | undefined;
  const isTaken = (id: string): boolean => (taken ??= namesTaken(ws)).has(id);
  const isAgent = (name: string): boolean => agentsOf(ws).has(name);
  const prepared = lists.value.map((list): Prepared => {
    const { name, before } = nameFor(list, wish);
    const other = nameFor(list, { ...wish, to: to === 'plan' ? 'contracts' : 'plan' });
    const again = `this was imported as ${to === 'plan' ? 'contracts' : 'a plan'} before, and would be here twice`;
    if (other.before && !before)
      problems.push(warning({ ...list, line: 1 }, 'two_states', again, other.name));
    const rows = [...(before?.tasks ?? [])];
    const known = new Map(rows.map(([from, { id }]) => [from, id]));
    const plan = to === 'plan' && before ? textIfThere(ws.disk, planPath(ws, name)) : undefined;
    const file = `.contracts/plans/${name}/plan.md`;
    const document = plan === undefined ? undefined : parsePlan(plan, file);
    if (document?.ok === false) problems.push(...document.problems);
    const keys = new Set(document?.ok ? document.value.items.map(({ key }) => key) : []);
    // Of a plan that cannot be read nothing is said to be gone.
    const isHere = (id: string): boolean => {
      const there = document?.ok === false || keys.has(id);
      return there || ws.disk.stat(join(lastFolder(ws, id), 'contract.md')) !== undefined;
    };
    const missing = before?.complete === true ? rows.filter(([, { id }]) => !isHere(id)) : [];
    const gone = new Set(missing.map(([from]) => from));
    const { items, problems: found } = arrange(list.tasks, {
      ...wish,
      words,
      isAgent,
      known,
      gone,
      isTaken: (id, place) => (place === 'plan' ? keys.has(id) : isTaken(id)),
    });
    problems.push(...(list.problems ?? []), ...found);
    const ids = new Set(list.tasks.map(({ id }) => id));
    const left = [...known.keys()].filter((from) => !ids.has(from)).join(', ');
    const message = 'what was imported is not there any more; here it stays';
    if (left !== '') problems.push(warning({ ...list, line: 1 }, 'missing_file', message, left));
    const there = { plan, before, isHere };
    const isBroken = document?.ok === false;
    const reads = items.map((one) => readOf(one, there, isBroken, ws));
    return { list, name, before, plan, waves: wavesIn(document), reads };
  });
  return ok(prepared, problems);
}

/** The name in the list's own table, or one that is free. */
function nameFor(list: ForeignList, { ws, tool, to }: Wish): Pick<Prepared, 'name' | 'before'> {
  const id = idOf(to === 'plan' || list.name === tool ? list.name : `${tool}-${list.name}`);
  const base = PLAN_NAME.test(id) ? id : `${id.slice(0, 43)}-${digest(list.name).slice(0, 4)}`;
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base.slice(0, 44)}-${n}`;
    const path = tablePath(ws, to, name);
    const before = readTable(ws, path, { tool, path: list.file, list: list.name });
    // What an import that was ended left is not in the way.
    const isOther = ({ name: file }: { name: string }): boolean => !file.startsWith(TEMPORARY);
    const there =
      to === 'plan'
        ? listOrNothing(ws.disk, planFolder(ws.layout, name)).find(isOther)
        : ws.disk.stat(path);
    if (before !== undefined || there === undefined) return { name, before };
  }
}

function wavesIn(document: ReturnType<typeof parsePlan> | undefined): Prepared['waves'] {
  if (document?.ok !== true) return undefined;
  return new Set(document.value.items.map(({ wave }) => wave));
}

interface There extends Pick<Prepared, 'plan' | 'before'> {
  readonly isHere: (id: string) => boolean;
}

function readOf(one: Arranged, there: There, isBroken: boolean, ws: Workspace): Read {
  const { task, id, place, reason, twice } = one;
  const { plan, before } = there;
  const row = before?.tasks.get(task.id);
  const isHere = row !== undefined && there.isHere(id);
  if (isBroken && row === undefined && place === 'plan') {
    return { ...one, action: 'left_out', isNew: false, reason: 'the plan cannot be read' };
  }
  if (!twice && row !== undefined && (isHere || before?.complete === true)) {
    const changes = changesIn(row.seen, task).join(', ');
    const text = textIfThere(ws.disk, join(lastFolder(ws, id), 'contract.md'));
    const isSame = text === undefined ? plan?.includes(row.here) : digest(text) === row.here;
    const more =
      changes.length === 0
        ? ''
        : `; changed there: ${changes}${isSame ? '' : '; changed here, too'}`;
    const why = `was imported before as ${id}${isHere ? more : ', and removed here'}`;
    return { ...one, action: 'left_out', isNew: false, reason: why };
  }
  const isDone = task.meaning === 'done' && task.left === undefined && !twice;
  const isClosed = place === 'plan' && task.meaning === 'dropped';
  const action = isDone ? 'done' : place === undefined || isClosed ? 'left_out' : 'made';
  return {
    ...one,
    action,
    isNew: place !== undefined,
    reason: isClosed
      ? `${reason}; here its box is [-]`
      : place === 'done'
        ? `${reason}; put into done/`
        : reason,
  };
}

export interface Made {
  readonly plan?: string;
  /** Relative to the workspace. */
  readonly table: string;
}

/**
 * The table first, as not complete: an import that was ended is continued. `accepted`: commands that become
 * checks. undefined: there is nothing to make.
 */
export function makeImport(
  prepared: Prepared,
  { ws, to, tool }: Wish,
  accepted: ReadonlySet<string>,
): Result<Made | undefined> {
  const { reads, list, name, before, plan: old } = prepared;
  const news = reads.filter(({ isNew }) => isNew).map((one) => withFiles(one, ws, accepted));
  if (news.length === 0 && before?.complete !== false) return ok(undefined);
  const tasks = news.filter(({ place }) => place !== 'plan').map((one) => newTask(one, list, ws));
  const items = news.filter(({ place }) => place === 'plan');
  const more = `\n\n${itemsText(list, items, prepared.waves)}\n`;
  const added = old === undefined ? planText(list, items, name) : `${old.trimEnd()}${more}`;
  if (to === 'plan' && bytesOf(added).length > TEXT_BYTES_MAX) return refused([tooLarge(list)]);
  if (to === 'plan' && !isFaithful(added, items)) return refused([notFaithful(list, name)]);
  const path = tablePath(ws, to, name);
  const written = new Map([
    ...tasks.map(({ id, text }) => [id, digest(text)] as const),
    ...items.map((one) => [one.id, itemText(one)] as const),
  ]);
  const rows = news.map(({ task, id }): [string, Row] => [
    task.id,
    { id, seen: seenOf(task), here: written.get(id) ?? '' },
  ]);
  const table = {
    v: 1,
    tool,
    path: list.file,
    list: list.name,
    tasks: new Map([...(before?.tasks ?? []), ...rows]),
  } as const;
  writeTable(ws, path, { ...table, complete: false });
  makeTasks(ws, tasks);
  const isKept = to === 'plan' || list.original !== undefined;
  if (isKept)
    put(
      ws.putting,
      path.replace(/imported\.json$|json$/, 'original.md'),
      bytesOf(originalOf(list)),
    );
  if (to === 'plan') {
    const file = planPath(ws, name);
    const seen = old === undefined ? undefined : sha256(bytesOf(old));
    const done =
      items.length === 0 && old !== undefined
        ? 'put'
        : putIfUnchanged(ws.putting, file, seen, bytesOf(added));
    const message = 'the plan was changed while its list was imported';
    if (done !== 'put')
      return refused({
        code: 'bad_value',
        file: shown(ws.layout, file),
        message,
        fix: 'Import again',
      });
  }
  writeTable(ws, path, { ...table, complete: true });
  return ok({ ...(to === 'plan' && { plan: name }), table: shown(ws.layout, path) });
}

/** Read back, it has these items, and no check or agent that is not meant. */
function isFaithful(text: string, items: readonly Arranged[]): boolean {
  const read = parsePlan(text, 'plan.md');
  const found = new Map(read.ok ? read.value.items.map((item) => [item.key, item]) : []);
  const isMeant = ({ id, checks, agent }: Arranged): boolean => {
    const item = found.get(id);
    const runs = checks.map((check) => `run: ${check}`).join('\n');
    return item?.verify.join('\n') === runs && item.executors.join() === (agent ?? '');
  };
  const keys = new Set(items.map(({ id }) => id));
  const isOurs = [...found.values()].every(
    ({ key, write }) => !keys.has(key) || write === undefined,
  );
  return isOurs && items.every(isMeant);
}

function notFaithful({ file }: ForeignList, found: string): Problem {
  const message = 'the plan could not be read back as it was meant, so it is not written';
  const fix = 'Is a block of code open at the end of plan.md? Else use --to contracts';
  return problem({ code: 'unreadable', file, message, found, fix });
}

function tooLarge({ file, name }: ForeignList): Problem {
  const expected = `at most ${TEXT_BYTES_MAX / 1024} KiB`;
  const fix = 'Take it over with --to contracts, or divide it there';
  return problem({
    code: 'too_large',
    file,
    message: 'this is too large to be taken over',
    found: name,
    expected,
    fix,
  });
}

/** Files that it names are context where they are there. */
function withFiles(one: Arranged, ws: Workspace, accepted: ReadonlySet<string>): Arranged {
  const isPath = (path: string): boolean => checkPath(path) === undefined && PLAIN_PATH.test(path);
  const isThere = (path: string): boolean =>
    isPath(path) && inside(ws.disk, ws.layout.root, path).ok;
  const deliverables = (one.task.deliverables ?? []).filter(isPath);
  const mentions = one.task.mentions.filter(
    (path) => isThere(path) && !deliverables.includes(path),
  );
  const checks = one.task.commands.filter((command) => accepted.has(command));
  return { ...one, checks, task: { ...one.task, deliverables, mentions } };
}

function newTask(one: Arranged, { context = [] }: ForeignList, ws: Workspace): NewTask {
  const { task, id, place } = one;
  const files = [...context, ...task.mentions].filter((path) => checkPath(path) === undefined);
  const textOf = (of: Arranged): string =>
    contractText(of, files, ws.machine.now().toISOString(), templateOf(ws, 'contract'));
  const whole = textOf(one);
  const text = bytesOf(whole).length > TEXT_BYTES_MAX ? textOf(cut(one)) : whole;
  const notes = (task.notes ?? []).map(({ title, text: words }, i) => {
    return {
      name: `${i + 1}-${idOf(title).slice(0, 30)}.md`,
      bytes: bytesOf(`${title}\n\n${words.trim()}\n`),
    };
  });
  return { state: place === 'done' || place === 'aborted' ? place : 'draft', id, text, notes };
}

/** Cuts what is too large for a contract, and names the place of the whole. */
function cut(one: Arranged): Arranged {
  const { objective, instructions = '', original, criteria, file } = one.task;
  const short = (text: string): string =>
    text.length > CUT_CHARS ? `${text.slice(0, CUT_CHARS)}\n\n… (the whole is in ${file})` : text;
  const texts = {
    objective: short(objective),
    instructions: short(instructions),
    original: short(original),
  };
  const more = criteria.length > CUT_CRITERIA ? [`There are more criteria in ${file}.`] : [];
  const facts = [...more, short(one.facts.join('\n'))];
  return {
    ...one,
    facts,
    task: { ...one.task, ...texts, criteria: criteria.slice(0, CUT_CRITERIA) },
  };
}

const CUT_CHARS = 20_000;
const CUT_CRITERIA = 200;

/** Each source below a heading, as it was. */
function originalOf({ original, tasks, file, title }: ForeignList): string {
  const each = tasks.map(
    (task) => `## ${task.id} (${task.file}:${task.line})\n\n${fenced(task.original)}`,
  );
  const parts = original === undefined ? each : [`## ${file}\n\n${fenced(original)}`];
  return `# ${title}: what was imported\n\n${parts.join('\n\n')}\n`;
}
