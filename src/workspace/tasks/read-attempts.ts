/**
 * Reads the attempts of a task: bytes from the store, records by the text room, shapes by core. A
 * record that does not fit is absent and a problem; owner.md and outcome.md are never guessed.
 */
import type * as z from 'zod/mini';
import { lastAsker, roundStart, withLostQuestions } from '../../task/core/attempts/counters.ts';
import { ok, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import {
  agentSchema,
  exitSchema,
  outcomeSchema,
  ownerSchema,
  receiptsSchema,
  type Attempt,
  type OutcomeRecord,
  type ReceiptsRecord,
} from '../../task/core/attempts/record.ts';
import type { Confirming, TaskRead } from '../../task/core/model/task.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listAttempts, type NumberedFolder } from '../../task/store/tasks/claims.ts';
import {
  attemptFolder,
  attemptsFolder,
  deskFolder,
  shown,
  TEXT_BYTES_MAX,
} from '../../task/store/tasks/layout.ts';
import { bytesAt, isShut } from '../../task/store/snapshots/folder-snapshot.ts';
import { CONFIRMED_FILE, confirmationIn } from '../../task/text/documents/confirmation.ts';
import { parseQuestions } from '../../task/text/documents/documents.ts';
import { parseRecord } from '../../task/text/documents/record.ts';
import { decisionsOf } from './kinds.ts';
import { contractHash } from './read-contract.ts';
import { readText, textIfThere } from '../open/text-file.ts';
import type { Workspace } from '../open/workspace.ts';

/** An attempt, as far as it says whose agent was called, and by which adapter. */
export interface Speaker extends Pick<Attempt, 'number' | 'lost'> {
  readonly outcome?: Partial<Pick<OutcomeRecord, 'adopted' | 'adapter'>> | undefined;
}

export interface AttemptsRead {
  readonly attempts: readonly Attempt[];
  readonly problems: readonly Problem[];
}

export function readAttempts(ws: Workspace, task: string, id: string): AttemptsRead {
  const problems: Problem[] = [];
  const attempts = listAttempts(ws.disk, task).map((folder) =>
    readAttempt(ws, task, id, folder, problems),
  );
  const last = lastAsker(attempts);
  return {
    attempts: attempts.map((one) => (one.lost ? one : withQuestions(ws, task, one, one === last))),
    problems,
  };
}

/** A disk that failed can lose what was asked, and what has no question cannot be answered. */
function withQuestions(ws: Workspace, task: string, attempt: Attempt, is_last: boolean): Attempt {
  const { outcome } = attempt;
  if (outcome?.outcome !== 'questions') return attempt;
  const folder = attemptFolder(task, attempt.number);
  const copies = [`${folder}/questions.md`, ...(is_last ? [`${task}/questions.md`] : [])];
  const text = originalOf(ws, task, attempt) ?? copies.find((path) => readAsked(ws, path));
  if (text !== undefined) return attempt;
  return withLostQuestions(attempt, outcome);
}

/** The agent's own text, before answer slots were added; undefined where it holds no question. */
export function originalOf(ws: Workspace, task: string, attempt: Attempt): string | undefined {
  if (attempt.outcome?.outcome !== 'questions') return undefined;
  return readAsked(ws, `${keptDesk(task, attempt)}/questions.md`);
}

/** Questions of the last attempt that asked; undefined where the runner asks about the contract. */
export function original(
  ws: Workspace,
  task: string,
  attempts: readonly Attempt[],
): string | undefined {
  const last = attempts.findLast(
    (attempt) => !attempt.lost && attempt.outcome?.outcome === 'questions',
  );
  if (last === undefined || confirmationAt(ws, task) !== undefined) return undefined;
  return originalOf(ws, task, last);
}

/** The confirmation of a changed contract, asked for or not. */
export function confirming(
  ws: Workspace,
  folder: string,
  { state, source }: Pick<TaskRead, 'state' | 'source'>,
): Confirming | undefined {
  const path = `${folder}/${CONFIRMED_FILE}`;
  const there = ws.disk.stat(path) !== undefined;
  if (!there && state !== 'questions') return undefined;
  const asked = confirmationAt(ws, folder);
  if (!there && asked === undefined) return undefined;
  const kept = bytesAt(ws.disk, path, TEXT_BYTES_MAX);
  return { asked, differs: kept !== undefined && sha256(kept) !== contractHash({ source }) };
}

function confirmationAt({ disk }: Workspace, folder: string): Confirming['asked'] {
  return confirmationIn(textIfThere(disk, `${folder}/questions.md`) ?? '');
}

function readAsked(ws: Workspace, path: string): string | undefined {
  const text = textIfThere(ws.disk, path) ?? '';
  const asks = parseQuestions(text).questions.length > 0;
  const decides = (): boolean => decisionsOf(ws).some(({ parse }) => parse(text).boxes > 0);
  return asks || decides() ? text : undefined;
}

function readAttempt(
  ws: Workspace,
  task: string,
  id: string,
  folder: NumberedFolder,
  problems: Problem[],
): Attempt {
  const path = `${attemptsFolder(task)}/${folder.name}`;
  const record = <S extends z.ZodMiniType>(file: string, schema: S): z.infer<S> | undefined => {
    const read = readRecord(ws, `${path}/${file}`, schema);
    if (read?.ok === false) problems.push(...read.problems);
    return read?.ok === true ? read.value : undefined;
  };
  const owner = record('owner.md', ownerSchema());
  const outcome = record('outcome.md', outcomeSchema());
  // Where git failed at its end, it is judged again by these.
  const settled = outcome !== undefined && outcome.code !== 'not_settled';
  return {
    number: folder.number,
    lost: folder.lost,
    kind: owner?.kind ?? outcome?.kind ?? 'work',
    owner,
    agent: settled ? undefined : record('agent.md', agentSchema()),
    check: settled ? undefined : record('check.md', agentSchema()),
    exit: settled ? undefined : readExit(ws, path, id, folder),
    outcome,
    leased: ws.disk.stat(`${path}/lease.md`) !== undefined,
    blocked: ws.disk.stat(`${path}/blocked.md`) !== undefined,
    anew: outcome?.outcome === 'approved' && ws.disk.stat(`${path}/anew.md`) !== undefined,
  };
}

/** On the desk while it is apart, in the attempt once it was taken in. */
function readExit(ws: Workspace, attempt: string, id: string, folder: NumberedFolder) {
  // Also of a lost one: its recovery may have died between the fence and the desk.
  const desks = [`${attempt}/desk`, deskFolder(ws.layout, id, folder.number)];
  for (const desk of desks) {
    try {
      const read = readRecord(ws, `${desk}/exit.md`, exitSchema());
      if (read?.ok === true) return read.value;
    } catch (error) {
      // An agent may have shut its desk; whoever takes it over opens it again.
      if (!isShut(error)) throw error;
    }
  }
  return undefined;
}

/** undefined when there is no such file. */
export function readRecord<S extends z.ZodMiniType>(
  ws: Workspace,
  path: string,
  schema: S,
): Result<z.infer<S>> | undefined {
  if (ws.disk.stat(path) === undefined) return undefined;
  const file = shown(ws.layout, path);
  const text = readText(ws.disk, path, file);
  if (!text.ok) return text;
  const record = parseRecord(text.value, file);
  if (!record.ok) return record;
  const parsed = schema.safeParse(record.value.head);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const message = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'}`;
  const fix = 'This file is the runner’s own: restore it, or see contracts doctor';
  return refused({ code: 'unreadable', file, message, fix });
}

export function readReceipts(ws: Workspace, attempt: string): ReceiptsRecord | undefined {
  const read = readRecord(ws, `${attempt}/receipts.md`, receiptsSchema());
  return read?.ok === true ? read.value : undefined;
}

/** The checks before the first call of a round. `own`: the number of an attempt that is under way. */
export function readBefore(
  ws: Workspace,
  folder: string,
  attempts: readonly Attempt[],
  own?: number,
): ReceiptsRecord | undefined {
  const from = roundStart(attempts);
  const all = own === undefined ? attempts : [...attempts, { number: own, lost: false }];
  for (const { number, lost } of all) {
    const path = `${attemptFolder(folder, number, lost)}/before.md`;
    const read = number > from ? readRecord(ws, path, receiptsSchema()) : undefined;
    if (read?.ok === true) return read.value;
  }
  return undefined;
}

/** The desk of an attempt that is open: aside, or in the attempt when a commit was cut short. */
export function openDesk(ws: Workspace, task: string, id: string, number: number): string {
  const kept = `${attemptFolder(task, number)}/desk`;
  return ws.disk.stat(kept) === undefined ? deskFolder(ws.layout, id, number) : kept;
}

/** Folder of the kept files of an attempt's agent. */
export function keptDesk(task: string, attempt: Attempt): string {
  return `${calledIn(task, attempt)}/desk`;
}

/** The folder of the attempt whose agent was called: its own, or that of the one it took over. */
export function calledIn(task: string, { number, lost, outcome }: Speaker): string {
  const adopted = outcome?.adopted;
  return attemptFolder(task, adopted ?? number, adopted !== undefined || lost);
}
