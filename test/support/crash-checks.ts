/**
 * What must hold at the end of a story, whatever went wrong on the way: the same end with the same
 * words as without a fault, nothing lost, nobody called twice, nothing left over. Reads the tree
 * with the real disk; says what is wrong in sentences.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/task/core/lines/event.ts';
import type { Attempt } from '../../src/task/core/attempts/record.ts';
import { readAttempts, readReceipts } from '../../src/workspace/tasks/read-attempts.ts';
import type { Story, Written } from './crash-tree.ts';
import { places, type Life, type Played } from './crash-play.ts';
import { openedAt } from './opened.ts';

/** The mirror of the status is not among what a power cut must leave. */
export const DURABLE = ['contract.md', 'questions.md', 'result.md', 'review.md', 'blocked.md'];
const CURRENT = [
  'contract.md',
  'status.md',
  'questions.md',
  'result.md',
  'review.md',
  'blocked.md',
];

/** What a story comes to: by task, its state, files, outcomes and receipts, times left out. */
export function essentials(
  story: Story,
  { world }: Played,
  files: readonly string[] = CURRENT,
): Record<string, unknown> {
  const mask = files === DURABLE ? asAfterACut : timeless;
  return essentialsOf(world.root, Object.keys(story.ends), files, mask);
}

/** After a cut all files here are new ones, so that a runner cannot tell whether one has changed since. */
function asAfterACut(text: string): string {
  return timeless(text)
    .replace(
      /(It failed in the same way before, and nothing was changed|Nothing was changed that could mend it|No send-back is left)[^.]*\./g,
      'TRIED ENOUGH.',
    )
    .replace('## Files changed\n\nnothing was changed\n\n', '')
    .replace(/nothing was changed; /g, '')
    .replace(/^\d+\. you changed nothing: .*\n/gm, '')
    .replace(/^\d+\. (?=check )/gm, 'N. ');
}

/** The same of any workspace. `mask` takes out what else differs from run to run. */
export function essentialsOf(
  root: string,
  ids: readonly string[],
  files: readonly string[] = CURRENT,
  mask: (text: string) => string = timeless,
): Record<string, unknown> {
  const ws = openedAt(root);
  const told: Record<string, unknown> = {};
  for (const id of ids) {
    const states = places(root, id);
    const folder = join(root, 'active_tasks', states[0] ?? 'nowhere', id);
    const { attempts, problems } = readAttempts(ws, folder, id);
    const ended = attempts.filter((one) => !one.lost && one.outcome !== undefined);
    // A contract that cannot be read once checks ran counts as edited, which counts for nothing.
    const counted = ended.filter(
      ({ outcome }) =>
        outcome?.outcome !== 'interrupted' && !/just before the agent/.test(outcome?.reason ?? ''),
    );
    const last = counted.at(-1);
    told[id] = {
      states,
      files: Object.fromEntries(files.map((name) => [name, words(join(folder, name), mask)])),
      kept: keptFiles(folder, mask),
      outcomes: counted.map((one) => outcomeOf(one, mask)),
      receipts: last === undefined ? [] : receiptsOf(ws, folder, last),
      unreadable: problems.map((problem) => problem.message),
    };
  }
  return told;
}

/** What was asked, handed in and found in earlier rounds, in whichever attempt it is kept. */
function keptFiles(folder: string, mask: Mask): string[] {
  const attempts = join(folder, 'attempts');
  if (!fs.existsSync(attempts)) return [];
  const texts = fs.readdirSync(attempts).flatMap((attempt) =>
    ['questions.md', 'result.md', 'review.md', 'blocked.md'].flatMap((file) => {
      const text = words(join(attempts, attempt, file), mask);
      return text === undefined ? [] : [`${file}: ${text}`];
    }),
  );
  return [...new Set(texts)].sort();
}

/** Where a fault kept the tree from being seen, that nothing was changed is not known. */
function outcomeOf(attempt: Attempt, mask: Mask): string {
  const { kind, outcome } = attempt;
  const reason = mask(outcome?.reason ?? '').replace('nothing was changed; ', '');
  return `${kind} ${outcome?.outcome ?? ''} ${outcome?.gate ?? ''} ${reason}`;
}

function receiptsOf(
  ws: Parameters<typeof readReceipts>[0],
  folder: string,
  attempt: Attempt,
): unknown {
  const adopted = attempt.outcome?.adopted;
  const own = readReceipts(ws, join(folder, 'attempts', name(attempt.number)));
  const lost =
    adopted === undefined ? undefined : join(folder, 'attempts', `${name(adopted)}.lost`);
  const record = own ?? (lost === undefined ? undefined : readReceipts(ws, lost));
  const receipts = record?.receipts ?? [];
  return receipts.map(({ check, passed, exit_code }) => ({ check, passed, exit_code }));
}

function name(number: number): string {
  return String(number).padStart(4, '0');
}

type Mask = (text: string) => string;

function words(path: string, mask: Mask): string | undefined {
  return fs.existsSync(path) ? mask(fs.readFileSync(path, 'utf8')) : undefined;
}

/** Times, and numbers of attempts, which a crash may use up. */
export function timeless(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/attempt \d+/gi, 'attempt N')
    .replace(/attempts\/\d+/g, 'attempts/N')
    .replace(/^- attempt N \((work|review)\): interrupted.*\n/gm, '');
}

/** Everything that is wrong; empty when all holds. `lives` is what went wrong on the way. */
export function violations(
  story: Story,
  played: Played,
  wanted: Readonly<Record<string, unknown>>,
  lives: readonly Life[],
  files: readonly string[] = CURRENT,
): string[] {
  const wrong: string[] = [];
  const is = essentials(story, played, files);
  for (const id of Object.keys(wanted)) {
    const isUnmade = story.unmade === id && places(played.world.root, id).length === 0;
    if (!isUnmade) wrong.push(...differences(id, is[id], wanted[id]));
  }
  wrong.push(...lostWords(played.world.root, played.tree.written));
  wrong.push(...leftOvers(played.world.root, lives));
  wrong.push(...repeatedCalls(played));
  if (played.restless) wrong.push('a process went on stepping without end');
  wrong.push(...unexpectedEvents(played, lives));
  return wrong;
}

export function differences(id: string, is: unknown, wanted: unknown): string[] {
  const [a, b] = [is as Record<string, unknown>, wanted as Record<string, unknown>];
  return Object.keys(b).flatMap((key) => {
    const [x, y] = [JSON.stringify(a[key]), JSON.stringify(b[key])];
    return x === y ? [] : [`${id}: ${key} are ${x}, not ${y}`];
  });
}

function allText(folder: string): string {
  if (!fs.existsSync(folder)) return '';
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\u0000');
}

export function lostWords(root: string, written: readonly Written[]): string[] {
  const texts = new Map<string, string>();
  return written.flatMap(({ task, text }) => {
    const kept =
      texts.get(task) ??
      places(root, task)
        .map((state) => join(root, 'active_tasks', state, task))
        .concat(join(root, '.contracts/archive', task))
        .map(allText)
        .join('');
    texts.set(task, kept);
    return kept.includes(text) ? [] : [`${task}: lost ${JSON.stringify(text)}`];
  });
}

/** Temporaries may stay after a death, and when the disk refused to remove them. Desks never. */
export function leftOvers(at: string, lives: readonly Life[]): string[] {
  const root = join(at, 'active_tasks');
  const excused = lives.some(
    (life) => !('at' in life) || life.fault.kind !== 'errno' || life.fault.for_good,
  );
  const desks = fs.existsSync(join(root, '.desk')) ? fs.readdirSync(join(root, '.desk')) : [];
  const wrong = desks.map((desk) => `desk ${desk} was left over`);
  for (const path of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const temporary = /(^|\/)\.(tmp|new)-[^/]*$/.test(path);
    if (temporary && !excused) wrong.push(`${path} was left over`);
    if (path.includes('by-hand-')) wrong.push(`${path}: words of the runner taken for a person's`);
  }
  return wrong;
}

/** Each attempt starts at most once. How often in all, the words of the results tell. */
export function repeatedCalls({ calls }: Pick<Played, 'calls'>): string[] {
  const seen = new Set<string>();
  return calls.flatMap(({ task, attempt, kind }) => {
    const key = `${task} attempt ${attempt} ${kind}`;
    if (seen.has(key)) return [`the agent of ${key} was started twice`];
    seen.add(key);
    return [];
  });
}

/** After a death nothing is a fault; after an errno only the process that met it may tell of one, or of the file. */
function unexpectedEvents({ events }: Played, lives: readonly Life[]): string[] {
  return events.flatMap((of_process, i) => {
    const life = lives[i];
    const may = life !== undefined && 'at' in life && life.fault.kind === 'errno';
    const isOfFault = (event: Event): boolean =>
      event.event === 'fault' || (event.event === 'problem' && event.problem.code === 'unreadable');
    return of_process
      .filter((event) => ['problem', 'fault'].includes(event.event) && !(may && isOfFault(event)))
      .map((event) => `process ${i + 1} said ${JSON.stringify(event)}`);
  });
}
