/** One file of `children/` as the contract that it becomes. It is untrusted text. */
import { childTaskId, inherited } from '../core/child-rules.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { refused, ok, type Result } from '../../task/core/model/problem.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { parseContract } from '../../task/text/documents/contract.ts';
import { dumpFrontMatter, readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { childNames, CHILDREN, rounds } from './child-tasks.ts';
import { squadOf } from './delegates.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { squadsOf } from '../../squads/engine/registry.ts';
import { completed } from '../../workspace/tasks/complete-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Wish {
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly agent: string;
  readonly depends_on: readonly string[];
}

/** Attempts before this one; their delegations are earlier rounds. */
export function before(running: Running) {
  const { ws, id, task } = running;
  const attempts = task.attempts.filter(({ number }) => number <= running.owner.base);
  return {
    place: findPlace(running)?.folder ?? taskFolder(ws.layout, 'in_progress', id),
    attempts,
  };
}

export interface ReadChild {
  readonly wish: Wish;
  readonly written: Contract;
  /** With what the runner adds. */
  readonly made: Contract;
}

/** Adds what the runner knows: the parent, the agent that delegates, whole ids. */
export function readChild(
  running: Running,
  parent: Contract,
  desk: string,
  name: string,
): Result<ReadChild> {
  const { ws, id } = running;
  const path = `${desk}/${CHILDREN}/${name}.md`;
  const file = shown(ws.layout, path);
  const text = readText(ws.disk, path, file);
  if (!text.ok) return text;
  const front = readFrontMatter(text.value, file);
  if (!front.ok) return front;
  if (!front.value.present) {
    const fix = 'begin it with ---, the keys, and ---';
    return refused({ code: 'front_matter', file, message: 'it has no front matter', fix });
  }
  const written = parseContract(text.value, file);
  if (!written.ok) return written;
  const round = rounds(before(running).attempts).length + 1;
  const siblings = new Set(childNames(ws, desk));
  const idOf = (one: string): string =>
    siblings.has(one) ? childTaskId(id, round, one, sha256) : one;
  const { head } = written.value;
  const own = squadOf(running.owner.agent);
  const squad = head.squad ?? parent.head.squad ?? squadsOf(ws).get(own ?? '')?.name;
  const agent = head.agent === undefined ? undefined : fullName(ws, head.agent, squad);
  const depends_on = head.depends_on.map(idOf);
  const { id: _, ...rest } = front.value.head;
  const all: Record<string, unknown> = {
    v: 1,
    ...inherited(parent.head),
    ...(squad === undefined ? {} : { squad }),
    ...rest,
    ...(agent === undefined ? {} : { agent }),
    quality_gate: head.quality_gate.map((one) => fullName(ws, one, squad)),
    depends_on,
    context_from: head.context_from.map(idOf),
    parent: id,
    delegated_by: running.owner.agent,
    created: ws.machine.now().toISOString(),
  };
  const made = `${dumpFrontMatter(all)}${front.value.body}`;
  const read = parseContract(made, file);
  if (!read.ok) return read;
  const { id: found } = read.value.head;
  if (found !== undefined) {
    const message = 'its heading has an id, but the runner chooses the id';
    return refused({ code: 'id_mismatch', file, message, found, fix: 'write a title there' });
  }
  const whole = completed(ws, read.value);
  const wish = {
    name,
    id: idOf(name),
    text: made,
    agent: executorOf(ws, whole).name,
    depends_on,
  };
  return ok({ wish, written: written.value, made: whole });
}

/** A name with an @, or without the name of the squad, is accepted. */
function fullName(ws: Workspace, written: string, squad: string | undefined): string {
  return squadsOf(ws).nameIn(squad, written.replace(/^@/, ''));
}
