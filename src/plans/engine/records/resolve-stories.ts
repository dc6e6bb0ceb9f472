/** What an agent that decides at a checkpoint says about blocked stories of its plan: their resolutions. */
import { isCheckpoint } from '../../../checkpoints/core/checkpoint.ts';
import { DECISION_FILE } from '../../../checkpoints/engine/form.ts';
import { resolutionsIn } from '../../../checkpoints/text/decision.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { fromDesk } from '../../../engine/attempt/current-files.ts';
import { moveByVerb } from '../../../engine/commands/moves.ts';
import { addNote, resolveBlocked } from '../../../engine/commands/write-words.ts';
import { permissionsFor } from '../../../permissions/engine/enforce/effective-permissions.ts';
import type { OutcomeRecord } from '../../../task/core/attempts/record.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { refuseChange } from '../../../task/core/model/permissions.ts';
import type { State } from '../../../task/core/model/state.ts';
import { problem } from '../../../task/core/model/problem.ts';
import { shown } from '../../../task/store/tasks/layout.ts';
import { namesInState } from '../../../task/store/tasks/tasks.ts';
import { renderContract } from '../../../task/text/documents/contract.ts';
import { scanMarkdown } from '../../../task/text/markdown/line-scanner.ts';
import { oneLine, sectionText } from '../../../task/text/markdown/sections.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import { templateOf, type Workspace } from '../../../workspace/open/workspace.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { gatherInputs } from '../../../workspace/tasks/inputs.ts';
import { contractHash, readContract } from '../../../workspace/tasks/read-contract.ts';
import { draftOfStory } from '../../text/story-draft.ts';
import { liveTask } from './live-task.ts';
import { storyPath } from './stories.ts';

/** For the brief; empty where it may resolve none. */
export function blockedStories(ws: Workspace, checkpoint: Contract): string {
  if (!isCheckpoint(checkpoint)) return '';
  const inState = (state: State) => namesInState(ws.disk, ws.layout, state);
  const rows = [...inState('draft'), ...inState('blocked')].flatMap((id) => {
    const task = liveTask(ws, id);
    if (task === undefined || whyNot(ws, checkpoint, id) !== undefined) return [];
    if (task.state === 'draft') return `- \`${id}\`, ${task.contract?.title}: a draft.`;
    const lines = scanMarkdown(textIfThere(ws.disk, `${task.folder}/blocked.md`) ?? '');
    const part = (title: string): string => oneLine(sectionText(lines, title));
    const help = `What would help: ${part('What Would Help')}`;
    return `- \`${id}\`, ${task.contract?.title}: ${part('Why It Stopped')} ${help}`;
  });
  const how = `These stories are blocked, or drafts that are not confirmed. To resolve or confirm one, add a section \`## Resolution of ID\` to \`${DECISION_FILE}\`, with what its executor needs to know: work on it continues or begins. What only a person can decide is not yours to resolve.`;
  return rows.length === 0 ? '' : [how, '', ...rows].join('\n');
}

/** Why what the agent of this checkpoint says of a task does not count. */
function whyNot(ws: Workspace, checkpoint: Contract, id: string): string | undefined {
  const { state, contract, attempts = [], folder = '' } = liveTask(ws, id) ?? {};
  const is_of_plan = contract !== undefined && contract.head.plan === checkpoint.head.plan;
  const path = is_of_plan ? storyPath(ws, id, contract) : undefined;
  if (path === undefined || !is_of_plan) return 'it is no story of this plan';
  const role = executorOf(ws, checkpoint);
  const change = { kind: 'write', path: shown(ws.layout, path) } as const;
  const permissions = permissionsFor(ws.layout, role, checkpoint);
  if (refuseChange(permissions, change) !== undefined) return `${role.name} may not write stories`;
  if (state !== 'blocked' && state !== 'draft') return `it is in ${state}`;
  const workers = attempts.map(({ kind, outcome }) => kind === 'work' && outcome?.agent);
  if ([executorOf(ws, contract).name, ...workers].includes(role.name)) return 'it is its own work';
  if (state === 'draft') {
    const draft = draftOfStory(textIfThere(ws.disk, path) ?? '', { ...contract.head, id });
    const text = renderContract(draft, templateOf(ws, 'contract'));
    const isAsMade = text === textIfThere(ws.disk, `${folder}/contract.md`);
    return isAsMade ? undefined : 'it is not as its story says';
  }
  if (ws.disk.stat(`${folder}/blocked.md`) === undefined) return 'a person moved it there';
  const claimed = attempts.findLast(({ owner }) => owner !== undefined)?.owner?.contract;
  const isSame = claimed === contractHash(readContract(ws, folder, id));
  return isSame ? undefined : 'its contract is not the one that was claimed';
}

/** Each is written once: it names the attempt that it is of. */
export function resolveStories(running: Running, desk: string, outcome: OutcomeRecord): void {
  const { ws, id, contract, owner, emit } = running;
  if (contract === undefined || !isCheckpoint(contract) || owner.owner === 'person') return;
  const path = `${desk}/${DECISION_FILE}`;
  const by = `Words of ${owner.agent} at ${id}, attempt ${outcome.adopted ?? outcome.attempt}.`;
  const text = Buffer.from(fromDesk(running, desk, DECISION_FILE) ?? []).toString();
  for (const { of, words } of resolutionsIn(text)) {
    const task = liveTask(ws, of);
    const isDraft = task?.state === 'draft';
    const said = task && gatherInputs(ws, task.folder, task.attempts);
    const all = said && [...said.resolutions, ...said.notes.map(({ text }) => text)];
    const isWritten = all?.some((one) => one.endsWith(by)) === true;
    if (isWritten && !isDraft) continue;
    const why = whyNot(ws, contract, of);
    // A note that says who confirms it, since it is no person.
    const write = isDraft ? addNote : resolveBlocked;
    const wrote = why || isWritten ? undefined : write(ws, of, `${words}\n\n${by}`);
    const done = isDraft && !why ? moveByVerb(ws, 'confirm', of) : wrote;
    if (done?.ok === true) {
      const [file, did] = isDraft ? ['contract.md', 'confirmed'] : ['blocked.md', 'resolved'];
      emit({ event: 'wrote', task: of, file, reason: `${did} by ${owner.agent}` });
      continue;
    }
    const message = `the resolution of ${of} is ignored: ${why ?? done?.problems[0]?.message}`;
    const fix = `To do it yourself: contracts ${isDraft ? `confirm ${of}` : `retry ${of} "…"`}`;
    const at = { severity: 'warning', file: shown(ws.layout, path) } as const;
    emit({ event: 'problem', problem: problem({ code: 'unread_words', message, fix, ...at }) });
  }
}
