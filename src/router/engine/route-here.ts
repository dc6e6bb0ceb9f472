/** What the router knows of a workspace: its squads and words, who begins what, and a plan that is being worked on. Reads. */
import { isTerminal } from '../../task/core/model/state.ts';
import { termsOf } from '../../task/core/base/wording.ts';
import { readBoard } from '../../engine/board/board.ts';
import { isPaused } from '../../plans/engine/follow/plan-facts.ts';
import { chooseSquad } from '../../squads/core/squad-inference.ts';
import { squadsOf } from '../../squads/engine/registry.ts';
import { nearestTeam } from '../../teams/core/teams.ts';
import { teamsOf } from '../../teams/engine/teams.ts';
import { readWorkflow } from '../../workflows/engine/find-workflows.ts';
import { packageData } from '../../workspace/open/package-data.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { route, TEXT_CHARS_MAX, USER, type Decision, type Words } from '../core/route.ts';

/**
 * `source`: left out, whoever runs the command: inside an attempt that is its agent. `looks`: whether a plan is being
 * worked on counts.
 */
export function routeHere(ws: Workspace, message: string, source?: string, looks = true): Decision {
  const from = source ?? (ws.env['CONTRACTS_OUT'] === undefined ? USER : 'agent');
  const text = message.slice(0, TEXT_CHARS_MAX).trim();
  const squads = squadsOf(ws);
  return route(text, from, {
    words: wordsIn(ws),
    team: (words) => nearestTeam(teamsOf(ws), words),
    squad: () => chooseSquad(text, squads.all()),
    agentOf: (kind, name) => {
      if (kind === 'team') return teamsOf(ws).find((one) => one.name === name)?.members[0]?.agent;
      if (kind === 'squad') return squads.get(name)?.default_executor;
      const read = readWorkflow(ws, name);
      return read.ok ? read.value.document.items.flatMap((one) => one.executors)[0] : undefined;
    },
    busy: () => (looks ? busyPlan(ws) : undefined),
  });
}

function wordsIn(ws: Workspace): Words {
  type Written = Record<'several' | 'small_talk' | 'trivial', string>;
  const { workflows, several, small_talk, trivial } = packageData<
    Written & { readonly workflows: Record<string, string> }
  >(ws, 'templates/router/words.yaml');
  return {
    workflows: new Map(Object.entries(workflows).map(([name, words]) => [name, termsOf(words)])),
    several: termsOf(several),
    small_talk: termsOf(small_talk),
    trivial: termsOf(trivial),
  };
}

/** One of which an attempt runs or waits, or that asks a person: none that was only started, and no paused one. */
function busyPlan(ws: Workspace): string | undefined {
  const { tasks } = readBoard(ws, { quick: 'rows' });
  const plans = [...tasks.values()].flatMap((task) => {
    const isOver = isTerminal(task.state) || task.state === 'blocked' || task.state === 'draft';
    const isBegun = !isOver && (task.state !== 'ready' || task.attempts.length > 0);
    return isBegun && task.contract.ok ? (task.contract.value.head.plan ?? []) : [];
  });
  return plans.toSorted().find((plan) => !isPaused(ws, plan));
}
