/** The six tools: each calls the verb of its name, and answers with the story of the task. */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { fields, type Fields } from '../../task/core/base/json.ts';
import { findRoot } from '../../task/store/tasks/layout.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { answerOf, errorOf, resultOf, shownOf, type Answer } from '../core/answer.ts';
import { newWords, newTask, wordsOf, type NewTask } from '../core/new-task.ts';
import type { SeedTool } from '../core/seed-tools.ts';
import { isRefused, type Call, type Said } from '../../cli/startup/verbs-here.ts';

/** A refusal, in the fields of a problem. */
export class Refused extends Error {
  readonly problem: Fields;
  constructor(problem: Fields) {
    super(String(problem['message']));
    this.problem = problem;
  }
}

/** Input as its schema has it. Throws Refused. */
export function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return data as T;
  const [issue] = error.issues;
  const message = [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
  throw new Refused({ code: 'bad_value', message });
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** Called about once a second, with words for what is waited for. */
  progress(words: string): void;
}

export interface Here {
  readonly call: Call;
  /** Folder from which the workspace is looked for. */
  readonly dir: string;
  /** Verbs that take longer than a call may, by task: each goes on, and the next call looks at it again. */
  readonly begun: Map<string, Promise<Said>>;
}

const TEXT_MAX = 8000;
const LIST_MAX = 50;
const LOOK_MS = 1000;
const WAIT_S = 45;
/** In these somebody is at work, or the runner will be. */
const MOVING = new Set(['in_progress', 'review']);

export async function storyIn({ call }: Here, id: string): Promise<Fields> {
  return lineOf(await call(['show', '--', id]), 'story');
}

export function fileOf({ dir }: Here, story: Fields, name: string): string {
  return join(findRoot(realDisk, resolve(dir)) ?? '', String(story['folder']), name);
}

export async function answered(here: Here, id: string): Promise<Answer> {
  return withResult(here, await storyIn(here, id));
}

function withResult(here: Here, story: Fields): Answer {
  const text = textIfThere(realDisk, fileOf(here, story, 'result.md'));
  const file = join(String(story['folder']), 'result.md');
  const kept = text?.slice(0, TEXT_MAX);
  return answerOf(story, kept === undefined ? null : resultOf(story, file, kept));
}

type Several = NewTask & { readonly tasks?: readonly unknown[] | undefined };

/** One task, or several: one that is refused does not keep the others. */
export async function make(here: Here, { tasks, ...one }: Several): Promise<object> {
  if (tasks === undefined) return makeOne(here, one);
  const made: object[] = [];
  for (const each of tasks) made.push(await madeOrWhy(here, each));
  return { tasks: made };
}

async function madeOrWhy(here: Here, given: unknown): Promise<object> {
  try {
    return await makeOne(here, read(newTask, given));
  } catch (problem) {
    if (problem instanceof Refused) return { error: problem.problem };
    throw problem;
  }
}

async function makeOne(here: Here, task: NewTask): Promise<object> {
  const { from } = task;
  const said = await (from === undefined ? here.call(newWords(task)) : fromText(here, task, from));
  const { id, problems } = lineOf(said, 'created');
  const answer = await answered(here, String(id));
  const found = (Array.isArray(problems) ? problems : []).map((one: unknown) => {
    const { severity, message, fix } = fields(one);
    return { severity, message, fix };
  });
  return found.length > 0 ? { ...answer, problems: found } : answer;
}

/** The verb reads a file. */
async function fromText({ call }: Here, task: NewTask, text: string): Promise<Said> {
  const file = join(tmpdir(), `contracts-new-${randomUUID()}.md`);
  realDisk.create(file, Buffer.from(text), { durable: false, mode: 0o600 });
  try {
    return await call(newWords({ ...task, from: file }));
  } finally {
    realDisk.remove(file);
  }
}

export async function delegate(here: Here, typed: string): Promise<object> {
  const { id, brief, desk } = lineOf(await here.call(['delegate', '--', typed]), 'delegated');
  return { ...(await answered(here, String(id))), desk, brief };
}

/** Begins the judgement of what a host handed in, else waits for who works; answers in time with what is so far. */
export async function collect(here: Here, typed: string, wait_s = WAIT_S, waiting: Waiting) {
  const first = await storyIn(here, typed);
  const id = String(first['id']);
  const { begun, call } = here;
  if (isToJudge(first) && !begun.has(id)) {
    const going = call(['collect', '--', id]).finally(() => begun.delete(id));
    // Nobody may wait for it any more when it fails.
    going.catch(() => undefined);
    begun.set(id, going);
  }
  const said = await waitFor(here, id, wait_s, waiting);
  if (said !== undefined && isRefused(said) && !isSettled(said)) throw refusal(said);
  const answer = await answered(here, id);
  return begun.has(id) ? { ...answer, next: `its checks still run: collect ${id}` } : answer;
}

/** Handed in, or its judgement was cut short: nobody else continues that. */
const isToJudge = ({ code, state }: Fields): boolean =>
  code === 'delegated' || (state === 'review' && code === 'nothing');

const isSettled = ({ lines }: Said): boolean => lines.some(({ event }) => event === 'ended');

/** Waits until the verb ended, whose words it gives, or nobody works any more, or that time has passed. */
async function waitFor(here: Here, id: string, wait_s: number, { signal, progress }: Waiting) {
  const own = here.begun.get(id);
  const over = AbortSignal.any([signal, AbortSignal.timeout(wait_s * 1000)]);
  let ended: Said | undefined;
  const ending = own?.then((said) => (ended = said));
  ending?.catch(() => undefined);
  for (;;) {
    if (own === undefined) {
      const story = await storyIn(here, id);
      if (!MOVING.has(String(story['state'])) || story['code'] === 'delegated') return undefined;
      progress(String(story['current_step'] || story['reason']));
    } else progress('its checks run');
    await Promise.race([ending ?? pause(over), pause(over)]);
    if (ended !== undefined || over.aborted) return ended;
  }
}

/** Resolves at the next look, or as soon as the wait is over. */
function pause(over: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, LOOK_MS);
    over.addEventListener('abort', end, { once: true });
    if (over.aborted) end();
    function end(): void {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      done();
    }
  });
}

export async function show(here: Here, id: string): Promise<object> {
  const story = await storyIn(here, id);
  return shownOf(story, withResult(here, story));
}

export interface ListInput extends Fields {
  readonly text?: string | undefined;
  readonly limit?: number | undefined;
}

export async function list(here: Here, { text, limit = LIST_MAX, ...filters }: ListInput) {
  const words = text === undefined ? [] : ['--', text];
  const said = await here.call(['list', ...wordsOf(filters), ...words]);
  if (isRefused(said)) throw refusal(said);
  const all = said.lines.filter(({ event }) => event === 'task');
  const tasks = all.slice(0, limit).map((line) => {
    const { id, state, title, agent } = line;
    return { id, state, title, agent, next: answerOf(line, null).next };
  });
  return { tasks, more: all.length - tasks.length };
}

/** Calls its verbs one after the other; one that refuses ends it. */
export async function seedTool(here: Here, tool: SeedTool, given: never): Promise<object> {
  for (const id of tool.drafts?.(given) ?? []) {
    const { state } = await storyIn(here, id);
    const fix = `A person types: contracts edit ${id}`;
    if (state !== 'draft')
      throw new Refused({ code: 'bad_value', message: `${id} is no draft any more`, fix });
  }
  const lines: (readonly Fields[])[] = [];
  for (const words of tool.words(given)) {
    const said = await here.call(words);
    if (isRefused(said)) throw refusal(said);
    lines.push(said.lines);
  }
  return tool.shape(lines, given);
}

function refusal({ lines, printed }: Said): Refused {
  return new Refused(errorOf(lines, printed));
}

function lineOf(said: Said, event: string): Fields {
  const line = said.lines.find((one) => one['event'] === event);
  if (line === undefined) throw refusal(said);
  return line;
}
