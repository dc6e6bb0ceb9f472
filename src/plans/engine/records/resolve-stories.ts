/** What an agent that decides at a checkpoint says about blocked stories of its plan: their resolutions. */
import { isCheckpoint } from '../../../checkpoints/core/checkpoint.ts';
import { DECISION_FILE } from '../../../checkpoints/engine/form.ts';
import { resolutionsIn } from '../../../checkpoints/text/decision.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { fromDesk } from '../../../engine/attempt/current-files.ts';
import { resolveBlocked } from '../../../engine/commands/write-words.ts';
import { permissionsFor } from '../../../permissions/engine/enforce/effective-permissions.ts';
import type { OutcomeRecord } from '../../../task/core/attempts/record.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { refuseChange } from '../../../task/core/model/permissions.ts';
import { problem } from '../../../task/core/model/problem.ts';
import { shown } from '../../../task/store/tasks/layout.ts';
import { namesInState } from '../../../task/store/tasks/tasks.ts';
import { scanMarkdown } from '../../../task/text/markdown/line-scanner.ts';
import { oneLine, sectionText } from '../../../task/text/markdown/sections.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { gatherInputs } from '../../../workspace/tasks/inputs.ts';
import { contractHash, readContract } from '../../../workspace/tasks/read-contract.ts';
import { liveTask } from './live-task.ts';
import { storyPath } from './stories.ts';

/** For the brief; empty where it may resolve none. */
export function blockedStories(ws: Workspace, checkpoint: Contract): string {
  if (!isCheckpoint(checkpoint)) return '';
  const rows = namesInState(ws.disk, ws.layout, 'blocked').flatMap((id) => {
    const task = liveTask(ws, id);
    if (task === undefined || whyNot(ws, checkpoint, id) !== undefined) return [];
    const lines = scanMarkdown(textIfThere(ws.disk, `${task.folder}/blocked.md`) ?? '');
    const part = (title: string): string => oneLine(sectionText(lines, title));
    const help = `What would help: ${part('What Would Help')}`;
    return `- \`${id}\`, ${task.contract?.title}: ${part('Why It Stopped')} ${help}`;
  });
  const how = `These stories are blocked. To resolve one, add a section \`## Resolution of ID\` to \`${DECISION_FILE}\`, with what its executor needs to know: work on it continues. What only a person can decide is not yours to resolve.`;
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
  if (state !== 'blocked') return `it is in ${state}`;
  if (ws.disk.stat(`${folder}/blocked.md`) === undefined) return 'a person moved it there';
  const workers = attempts.map(({ kind, outcome }) => kind === 'work' && outcome?.agent);
  if ([executorOf(ws, contract).name, ...workers].includes(role.name)) return 'it is its own work';
  const claimed = attempts.findLast(({ owner }) => owner !== undefined)?.owner?.contract;
  const isSame = claimed === contractHash(readContract(ws, folder, id));
  return isSame ? undefined : 'its contract is not the one that was claimed';
}

/** Each is written once: it names the attempt that it is of. */
export function resolveStories(running: Running, desk: string, outcome: OutcomeRecord): void {
  const { ws, id, contract, owner, emit } = running;
  if (contract === undefined || !isCheckpoint(contract) || owner.owner === 'person') return;
  const path = `${desk}/${DECISION_FILE}`;
  const by = `Resolved by ${owner.agent} at ${id}, attempt ${outcome.adopted ?? outcome.attempt}.`;
  const text = Buffer.from(fromDesk(running, desk, DECISION_FILE) ?? []).toString();
  for (const { of, words } of resolutionsIn(text)) {
    const task = liveTask(ws, of);
    const written = task && gatherInputs(ws, task.folder, task.attempts).resolutions;
    if (written?.some((one) => one.endsWith(by))) continue;
    const why = whyNot(ws, contract, of);
    const done = why === undefined ? resolveBlocked(ws, of, `${words}\n\n${by}`) : undefined;
    if (done?.ok === true) {
      emit({ event: 'wrote', task: of, file: 'blocked.md', reason: `resolved by ${owner.agent}` });
      continue;
    }
    const message = `the resolution of ${of} is ignored: ${why ?? done?.problems[0]?.message}`;
    const fix = `To resolve it yourself: contracts resolve ${of}`;
    const at = { severity: 'warning', file: shown(ws.layout, path) } as const;
    emit({ event: 'problem', problem: problem({ code: 'unread_words', message, fix, ...at }) });
  }
}
