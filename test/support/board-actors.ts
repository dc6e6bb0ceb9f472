/**
 * The people and agents of a generated board. MOCK agents: functions that write what a program
 * would. Every word that they leave carries a token of its own, so that a lost one can be missed.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delegate, collect } from '../../src/engine/commands/delegate.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import {
  addNote,
  answer,
  giveVerdict,
  resolveBlocked,
} from '../../src/engine/commands/write-words.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { State } from '../../src/task/core/model/state.ts';
import type { Act, Review, TaskSpec, Work } from './board-script.ts';
import type { Exit } from '../../src/process/process-room.ts';

export interface Words {
  /** A new token of this task, not yet written down anywhere. */
  token(id: string): string;
  /** It lies on the disk now, and must be found for ever. */
  written(id: string, token: string): void;
  /** A person destroyed this text: what it held is not missed. */
  forget(text: string): void;
}

export function contractOf(id: string, spec: TaskSpec, ids: readonly string[]): string {
  const deps = [...new Set(spec.deps.map((dep) => ids[dep % ids.length]))];
  return `---
id: ${id}
title: Task ${id}
adapter: ${spec.human ? 'human' : 'scripted'}
depends_on: [${deps.join(', ')}]
quality_gate: [${spec.gates.join(', ')}]
verify: [${spec.check ? `"run: check ${id}"` : ''}]
deliverables: [${spec.deliverable ? `out/${id}.txt` : ''}]
retries_max: ${spec.retries_max}
questions_max: ${spec.questions_max}
reviews_max: ${spec.reviews_max}
rerun: ${spec.rerun}
---

# Task ${id}

## Objective

It is done.

## Success Criteria

- [ ] It works
- [ ] It is there
`;
}

function resultText(id: string, status: string, token: string, ticked = 'x'): string {
  return `# Task Result: ${id}\n\n- Status: ${status}\n\n## Success Criteria\n\n- [x] It works\n- [${ticked}] It is there\n\n## Notes\n\n${token}\n`;
}

const questionsText = (id: string, token: string): string =>
  `# Questions: ${id}\n\n## Questions\n\n1. Which ${token}?\n2. And why?\n`;

export interface Desk {
  readonly root: string;
  readonly id: string;
  readonly desk: string;
  readonly words: Words;
}

function leave({ desk, id, words }: Desk, name: string, text: (token: string) => string): void {
  const token = words.token(id);
  try {
    writeFileSync(join(desk, name), text(token));
  } catch {
    return; // The desk is gone: nobody was told, nothing is missed.
  }
  words.written(id, token);
}

function deliver({ root, id, words }: Desk): void {
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', `${id}.txt`), words.token(id));
}

export function doWork(at: Desk, work: Work): Partial<Exit> {
  const result = (status: string, ticked = 'x', id = at.id): void =>
    leave(at, 'result.md', (token) => resultText(id, status, token, ticked));
  const asks = (): void => leave(at, 'questions.md', (token) => questionsText(at.id, token));
  leave(at, 'status.md', (token) => `# Status\n\n- Status: IN_PROGRESS\n\n${token}\n`);
  if (['complete', 'unticked', 'asks_and_completes'].includes(work)) deliver(at);
  switch (work) {
    case 'complete':
    case 'no_deliverable':
      result('COMPLETE');
      return {};
    case 'unticked':
      result('COMPLETE', ' ');
      return {};
    case 'fails':
      result('FAILED');
      return {};
    case 'blocked':
      result('BLOCKED');
      return {};
    case 'asks_and_completes':
      result('COMPLETE');
      asks();
      return {};
    case 'asks':
      asks();
      return {};
    case 'garbage':
      leave(at, 'result.md', (token) => `\0\u202e${token} {{x}}\n---\nstatus: [`);
      leave(at, 'questions.md', (token) => `no list here ${token}`);
      return {};
    case 'other_task':
      result('COMPLETE', 'x', 'other');
      return {};
    case 'nothing':
      return {};
    case 'exit_3':
      return { code: 3 };
    case 'times_out':
      return { code: null, signal: 'SIGKILL', reason: 'timed_out' };
    case 'killed':
      return { code: null, signal: 'SIGKILL' };
  }
}

export function doReview(at: Desk, review: Review): void {
  const say = (verdict: string): void =>
    leave(at, 'review.md', (token) => `---\nverdict: ${verdict}\n---\n\n## Findings\n\n${token}\n`);
  switch (review) {
    case 'approves':
      return say('APPROVED');
    case 'needs_work':
      return say('NEEDS_WORK');
    case 'rejects':
      return say('REJECT');
    case 'both':
      return leave(
        at,
        'review.md',
        (token) => `## Verdict\n\n- [x] APPROVED\n- [x] REJECT\n\n${token}\n`,
      );
    case 'garbage':
      return leave(at, 'review.md', (token) => `\0${token}`);
    case 'none':
      return undefined;
  }
}

export interface Somebody {
  readonly ws: Workspace;
  readonly root: string;
  readonly id: string;
  readonly state: State;
  readonly words: Words;
  /** contract.md as it was first written. */
  readonly contract: string;
  moved(from: State, to: State): void;
}

export function folderOf(at: Pick<Somebody, 'root' | 'state' | 'id'>): string {
  return join(at.root, 'active_tasks', at.state, at.id);
}

/** A plain `mv`, only ever onto a name that is free. */
export function moveByHand(root: string, id: string, from: State, to: State): boolean {
  const target = join(root, 'active_tasks', to, id);
  if (from === to || existsSync(target)) return false;
  renameSync(join(root, 'active_tasks', from, id), target);
  return true;
}

/** What a person does; verbs that refuse are no error. Nothing happens where there is nothing. */
export async function doAct(at: Somebody, act: Act): Promise<void> {
  const { ws, id, words, state } = at;
  const token = words.token(id);
  const said = (result: { readonly ok: boolean }): void => {
    if (result.ok) words.written(id, token);
  };
  const context = { ws, emit: () => undefined, signal: new AbortController().signal };
  switch (act.act) {
    case 'answer':
      return said(answer(ws, id, token));
    case 'take':
    case 'restore':
      // An answer to whatever is asked; only one about the contract is meant by it.
      return void answer(ws, id, act.act);
    case 'resolve':
      return said(resolveBlocked(ws, id, token));
    case 'note':
      return said(addNote(ws, id, token));
    case 'verdict':
      return said(giveVerdict(ws, id, act.verdict, token));
    case 'answer_by_hand':
      return edit(at, 'questions.md', token, (text) => answered(text, token));
    case 'resolve_by_hand':
      return edit(at, 'blocked.md', token, (text) => `${text}\n${token}\n`);
    case 'tick':
      return edit(at, 'review.md', token, (text) => `${tick(text, act.verdict)}\n${token}\n`);
    case 'tick_both':
      return edit(at, 'review.md', token, (text) =>
        tick(tick(`${text}\n${token}\n`, 'APPROVED'), 'NEEDS_WORK'),
      );
    case 'edit_contract':
      return edit(at, 'contract.md', token, (text) => `${text}\nAlso ${token}.\n`);
    case 'break_contract':
      return edit(at, 'contract.md', token, (text) => text.replace('---\n', `--- ${token}\n`));
    case 'mend_contract':
      return rewrite(at, 'contract.md', token, `${at.contract}\n${token}\n`);
    case 'hand_in':
    case 'hand_in_failed':
      deliver({ ...at, desk: '' });
      return rewrite(
        at,
        'result.md',
        token,
        resultText(id, act.act === 'hand_in' ? 'COMPLETE' : 'FAILED', token),
      );
    case 'ask':
      return rewrite(at, 'questions.md', token, questionsText(id, token));
    case 'delegate': {
      const taken = await delegate(context, id);
      if (!taken.ok) return undefined;
      at.moved(state, 'in_progress');
      doWork({ root: at.root, id, desk: taken.value.desk, words }, 'complete');
      return undefined;
    }
    case 'collect': {
      const collected = collect(context, id);
      if (collected.ok) at.moved(state, collected.value);
      return undefined;
    }
    case 'retry':
    case 'abort':
    case 'reopen':
    case 'confirm': {
      const moved = moveByVerb(ws, act.act, id);
      if (moved.ok) at.moved(moved.value.from, moved.value.to);
      return undefined;
    }
    case 'mv':
      if (moveByHand(at.root, id, state, act.to)) at.moved(state, act.to);
      return undefined;
    case 'delete':
      return remove(at, act.file);
  }
}

function answered(text: string, token: string): string {
  return text.includes('### Answer')
    ? text.replaceAll('### Answer', `### Answer\n\n${token}\n`)
    : `${text}\n   ${token}\n`;
}

const tick = (text: string, verdict: string): string =>
  text.replace(`- [ ] ${verdict}`, `- [x] ${verdict}`);

/** As an editor saves: only where the file is, and only text is added. */
function edit(at: Somebody, name: string, token: string, change: (text: string) => string): void {
  const path = join(folderOf(at), name);
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const edited = change(text);
  writeFileSync(path, edited);
  if (edited.includes(token)) at.words.written(at.id, token);
}

/** As an editor saves over what is there: its old words are gone by the person's own hand. */
function rewrite(at: Somebody, name: string, token: string, text: string): void {
  const path = join(folderOf(at), name);
  if (existsSync(path)) at.words.forget(readFileSync(path, 'utf8'));
  writeFileSync(path, text);
  at.words.written(at.id, token);
}

function remove(at: Somebody, name: string): void {
  const path = join(folderOf(at), name);
  if (!existsSync(path)) return;
  at.words.forget(readFileSync(path, 'utf8'));
  rmSync(path);
}
