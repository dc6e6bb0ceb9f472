/** What briefs hand over between the roles of a plan. */
import { isCheckpoint } from '../../../checkpoints/core/checkpoint.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { refuseChange, type ChangeKind } from '../../../task/core/model/permissions.ts';
import { permissionsFor } from '../../../permissions/engine/enforce/effective-permissions.ts';
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { deskFolder, onDesk, shown } from '../../../task/store/tasks/layout.ts';
import { renderWave } from '../../text/run-report.ts';
import { sectionText } from '../../../task/text/markdown/sections.ts';
import { scanMarkdown } from '../../../task/text/markdown/line-scanner.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { planPath, planToWrite } from '../follow/plan-facts.ts';
import { gitIn } from '../../../git/query-git.ts';
import { liveTask } from './live-task.ts';
import type { BriefAsked, BriefPart, RoleAsked } from '../../../workspace/tasks/capability.ts';
import { hasPlanFolder, notepadFor } from './notepad.ts';
import { runsBefore } from '../../../checkpoints/engine/wave-runs.ts';
import { blockedStories } from './resolve-stories.ts';
import { storyPath } from './stories.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const FILES_MAX = 60;
const DELIVERS = /(?:^|\/)devops$/;

export function briefOfPlan(asked: BriefAsked): BriefPart {
  const { running, contract } = asked;
  const { plan } = contract.head;
  if (plan === undefined || !hasPlanFolder(running.ws, plan)) return {};
  return {
    sections: [
      { title: 'HANDOFF', text: handoffFor(asked, plan) },
      { title: 'BLOCKED STORIES', text: blockedStories(running.ws, contract) },
      { title: 'NOTEPAD', text: notepadFor(running.ws, plan) },
    ],
  };
}

function handoffFor({ running, contract, role }: BriefAsked, plan: string): string {
  const { ws, kind } = running;
  if (isCheckpoint(contract)) return waveFor(ws, plan, contract);
  const parts = [
    ...(kind === 'review' ? forReview(running, contract) : forWork(running, contract, role)),
    ...(kind === 'work' && DELIVERS.test(role.name) ? forDelivery(ws, contract) : []),
  ];
  return parts.join('\n');
}

function forWork(running: Running, contract: Contract, role: RoleAsked): readonly string[] {
  const { ws, id } = running;
  const written = planToWrite(ws, contract);
  if (written !== undefined) {
    // Whole, as a command needs it.
    const copy = `${deskFolder(ws.layout, id, running.number)}/${onDesk(shown(ws.layout, planPath(ws, written)))}`;
    return [
      `- Plan: write it as \`${copy}\`, and nowhere else. \`contracts plan check ${copy}\` reports what is wrong with it.`,
    ];
  }
  const path = storyPath(ws, id, contract);
  if (path === undefined) return [];
  const permissions = permissionsFor(ws.layout, role, contract);
  const mayWrite = (kind: ChangeKind, file: string): boolean =>
    refuseChange(permissions, { kind, path: shown(ws.layout, file) }) === undefined;
  const notepad = `${path.slice(0, path.lastIndexOf('/stories/'))}/notepad.md`;
  const story = mayWrite('write', path)
    ? 'Tick its tasks as you go, and write your decisions under Dev Notes; its'
    : 'It is there to be read; its';
  const notes = mayWrite('append', notepad) ? 'Write new notes at its end. ' : '';
  return [
    `- Story: ${onOwnDesk(ws, path)}. ${story} status, file list and change log are written when the task ends.`,
    `- Notepad of the plan: ${onOwnDesk(ws, notepad)}. ${notes}What you write under \`## Learnings\` of your result is put there.`,
  ];
}

/** The copy that it was given, and hands in. */
function onOwnDesk({ layout }: Workspace, path: string): string {
  return `\`${onDesk(shown(layout, path))}\` on the desk`;
}

function forReview(running: Running, contract: Contract): readonly string[] {
  const { ws, id, task } = running;
  const path = storyPath(ws, id, contract);
  if (path === undefined) return [];
  const own = path.slice(0, path.lastIndexOf('/stories/'));
  const changed = (lastEnded(task.attempts, 'work')?.outcome?.changed ?? []).filter(
    (one) => !one.startsWith(`${shown(ws.layout, own)}/`),
  );
  const files = changed.slice(0, FILES_MAX).map((one) => `  - \`${one}\``);
  const more = changed.length - files.length;
  const story = textIfThere(ws.disk, path) ?? '';
  const notes = sectionText(scanMarkdown(story), 'Dev Notes');
  return [
    `- Story: ${onOwnDesk(ws, path)}, with what its executor noted. Hold the work against its acceptance criteria and its definition of done.`,
    ...(files.length === 0 ? [] : ['- Files that changed in the last attempt:', ...files]),
    ...(more > 0 ? [`  - and ${more} more`] : []),
    ...(notes === '' ? [] : ['', 'Dev Notes:', '', notes]),
  ];
}

function forDelivery(ws: Workspace, { head: { depends_on } }: Contract): readonly string[] {
  const rows = depends_on.flatMap((id) => {
    const attempts = liveTask(ws, id)?.attempts ?? [];
    const verdict = lastEnded(attempts, 'review')?.outcome;
    if (verdict === undefined) return [];
    const ended = `${verdict.outcome}, ${verdict.reason}`;
    const branch = lastEnded(attempts, 'work')?.outcome?.branch;
    const where = branch === undefined ? 'in the shared tree' : `on branch \`${branch}\``;
    return [`  - \`${id}\`: ${ended}; ${where}`];
  });
  const git = gitIn(ws.layout.root, ws);
  const asked = (...args: string[]): string =>
    git(args)?.toString('utf8').trim().replaceAll('\n', ', ') || 'none';
  return [
    ...(rows.length === 0 ? [] : ['- To be delivered, with the verdict on it:', ...rows]),
    `- Branch: ${asked('branch', '--show-current')}. Remote: ${asked('remote')}. Push what was approved, and nothing else.`,
    '- Form of a pull request: the template of the project (`pull_request_template.md`) where it has one. Else its title says what changes; then What and Why, the tasks above with their verdicts, the checks that passed, and what a reader should try.',
  ];
}

/** Its report in runs/ may not exist yet. */
function waveFor(ws: Workspace, plan: string, contract: Contract): string {
  return renderWave({
    plan,
    number: Number(contract.head.wave ?? 0),
    title: '',
    at: ws.machine.now().toISOString(),
    tasks: runsBefore(ws, contract),
    by_hand: [],
  });
}
