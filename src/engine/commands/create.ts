/** `new`: a contract becomes a folder in draft, written whole before it is visible. Never replaces anything. */
import type { LineData } from '../core/events/command-lines.ts';
import { join } from 'node:path';
import { given } from '../../task/core/base/defined-fields.ts';
import { CONTRACT_TYPES } from '../../task/core/model/contract-shape.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { gatesByContract } from '../../task/core/model/policy.ts';
import { idRule, isTaskId, suffix, wordsOf } from '../../task/core/model/id.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import { archiveFolder, shown, stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import { parseContract, renderContract } from '../../task/text/documents/contract.ts';
import { isArchived, isSomewhere } from '../board/archive.ts';
import { NO_BOARD } from '../board/board.ts';
import { makeTaskOnce } from '../board/make-task.ts';
import { lostDependencies } from '../preflight/dependencies.ts';
import { preflight } from '../preflight/preflight.ts';
import { completed } from '../../workspace/tasks/complete-contract.ts';
import { unnamedCriteria } from '../preflight/criteria.ts';
import { templateOf, type Workspace } from '../../workspace/open/workspace.ts';

export interface NewTask {
  readonly title: string;
  readonly objective?: string | undefined;
  readonly requirements?: string | undefined;
  readonly instructions?: string | undefined;
  readonly criteria?: readonly string[] | undefined;
  readonly context_files?: readonly string[] | undefined;
  /** A shell script for the shell adapter. */
  readonly steps?: string | undefined;
  readonly id?: string | undefined;
  /** Front-matter keys, as in contract.md. */
  readonly head?: Readonly<Record<string, unknown>> | undefined;
  /** Nothing is written where one of these names is unknown. */
  readonly names?: readonly string[];
}

/** `problems`: warnings, and what pre-flight finds. */
export type Created = LineData<'created'>;

type Composed = Pick<Created, 'person_is_gate'> & { readonly text: string };

/** The contract of a new task, as it would be written. */
export function composeContract(ws: Workspace, wanted: NewTask): Result<Composed> {
  const { title, criteria = [], requirements, instructions, context_files, steps } = wanted;
  const head = { v: 1, title, ...wanted.head, created: ws.machine.now().toISOString() };
  const draft = {
    head,
    title,
    objective: wanted.objective ?? title,
    criteria: criteria.length > 0 ? criteria : [title],
    ...given({ requirements, instructions, context_files, steps }),
  };
  const template = templateOf(ws, 'contract');
  const first = parseContract(renderContract(draft, template), 'contract.md');
  if (!first.ok) return first;
  const person_is_gate = needsPerson(ws, first.value);
  const text = person_is_gate
    ? renderContract({ ...draft, head: { ...head, quality_gate: [PERSON] } }, template)
    : renderContract(draft, template);
  return ok({ text, person_is_gate });
}

export function createTask(ws: Workspace, wanted: NewTask): Result<Created> {
  const composed = composeContract(ws, wanted);
  if (!composed.ok) return composed;
  const { text, person_is_gate } = composed.value;
  const type = String(wanted.head?.['type'] ?? CONTRACT_TYPES[5]);
  const id = wanted.id ?? freshId(ws, type, wanted.title);
  return place(ws, id, text, person_is_gate, wanted.names);
}

/** A contract written elsewhere; its id is made from its title unless it names one. */
export function createFromText(ws: Workspace, text: string, from: string, id?: string) {
  const read = parseContract(text, from);
  if (!read.ok) return read;
  const { head, title } = read.value;
  const name = id ?? head.id ?? freshId(ws, head.type, title);
  return place(ws, name, text, needsPerson(ws, read.value));
}

function needsPerson(ws: Workspace, contract: Contract): boolean {
  const none = contract.head.quality_gate.length === 0;
  return none && gatesByContract(completed(ws, contract), ws.config).includes(PERSON);
}

/** A title without Latin letters gives the type and a number, as `task-2-k3f9`. */
function freshId(ws: Workspace, type: string, title: string): string {
  const words = wordsOf(title) || `${type}-${numberOf(ws, type)}`;
  for (;;) {
    const id = words + suffix(() => Math.floor(ws.machine.random() * 32));
    if (!isSomewhere(ws, id)) return id;
  }
}

function numberOf({ disk, layout }: Workspace, type: string): number {
  const ids = STATES.flatMap((state) => namesInState(disk, layout, state));
  const numbers = ids.map((id) => Number(new RegExp(`^${type}-(\\d+)-`).exec(id)?.[1] ?? 0));
  return 1 + numbers.reduce((most, one) => Math.max(most, one), 0);
}

function place(
  ws: Workspace,
  id: string,
  text: string,
  person_is_gate: boolean,
  names: readonly string[] = [],
): Result<Created> {
  const wrong = badId(ws, id);
  if (wrong !== undefined) return refused([wrong]);
  const target = taskFolder(ws.layout, 'draft', id);
  const file = shown(ws.layout, join(target, 'contract.md'));
  const contract = parseContract(text, file);
  if (!contract.ok) return contract;
  const named = contract.value.head.id;
  if (named !== undefined && named !== id) {
    return refused({
      code: 'id_mismatch',
      file,
      message: 'the contract names another id',
      found: named,
      expected: id,
      fix: 'Leave id out of the contract, or name the same one',
    });
  }
  const whole = completed(ws, contract.value);
  const found = preflight(ws, target, whole, false);
  const unknown = found.filter(
    (one) => one.code.startsWith('unknown_') && names.includes(one.found ?? ''),
  );
  if (unknown.length > 0) return refused(unknown);
  const lost = lostDependencies(ws, NO_BOARD, whole, file).filter(
    ({ code }) => code === 'unknown_dependency',
  );
  // Another process was faster: the second look names its task.
  if (!makeTaskOnce(ws, 'draft', id, text)) return place(ws, id, text, person_is_gate, names);
  return ok({
    id,
    state: 'draft',
    file,
    problems: [...contract.warnings, ...found, ...lost, ...unnamedCriteria(ws, whole, file)],
    person_is_gate,
  });
}

function badId(ws: Workspace, id: string): Problem | undefined {
  const { disk, layout } = ws;
  const bad = (path: string, message: string, fix: string, more = {}): Problem =>
    problem({ code: 'bad_id', file: shown(layout, path), message, found: id, ...more, fix });
  if (!isTaskId(id)) {
    const { message, expected } = idRule(id);
    const fix = 'Leave --id out, and one is made: contracts new "What you want"';
    return bad(stateFolder(layout, 'draft'), `this ${message}`, fix, { expected });
  }
  const taken = STATES.find((state) => disk.stat(taskFolder(layout, state, id)) !== undefined);
  if (taken !== undefined) {
    const fix = `Choose another, or leave --id out; the one that is there: contracts show ${id}`;
    return bad(taskFolder(layout, taken, id), 'this id is taken; ids are never reused', fix);
  }
  if (!isArchived(ws, id)) return undefined;
  const message = 'a task of this id is archived; ids are never reused';
  const fix = 'Choose another, or leave --id out: contracts new "What you want"';
  return bad(archiveFolder(layout, id), message, fix);
}
