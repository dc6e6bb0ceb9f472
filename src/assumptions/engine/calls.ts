/** The points where agents are called, a step ends and sessions begin. */
import type { CallPoints, Section } from '../../workspace/tasks/capability.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { askAndTell } from './ask.ts';
import { collectAssumptions, assumptionsReturned } from './collect.ts';
import { direction, directionProblems, goals } from './direction.ts';
import { hasAssumptions } from './folder.ts';
import { heaviestFirst, openAssumptions } from './store.ts';

const SHOWN_MAX = 20;

export const calls: CallPoints = {
  brief: ({ running: { ws, emit }, contract }) => {
    for (const problem of directionProblems(ws)) emit({ event: 'problem', problem });
    const own = contract.head.plan;
    return {
      context: [direction(ws), unconfirmed(ws, (plan) => plan !== undefined && plan === own)],
    };
  },
  on_done: collectAssumptions,
  on_back: assumptionsReturned,
  follow: (step) => ({
    before: () => {},
    // Most have none, and do not load what asks.
    after: () =>
      hasAssumptions(step.ws) ? askAndTell(step, step.moved.size > 0 ? 0 : undefined) : undefined,
  }),
  ledger: (ws) => {
    const { open } = hasAssumptions(ws) ? openAssumptions(ws) : { open: [] };
    const assumptions = open.map(
      ({ kind, information, confidence }) =>
        `${kind === 'decision' ? 'open decision' : confidence}: ${information}`,
    );
    return { sections: { goal: goals(ws), assumptions } };
  },
  session: async (ws, { event }) => {
    if (event === 'prompt') return [];
    return [...(event === 'start' ? [direction(ws)] : []), unconfirmed(ws, () => true)];
  },
};

/** The heaviest first, with their files, so that a result can be traced to them. */
function unconfirmed(ws: Workspace, isWanted: (plan: string | undefined) => boolean): Section {
  const title = 'Assumptions that no person has confirmed';
  if (ws.config.assumptions === 'off' || !hasAssumptions(ws)) return { title, text: '' };
  const open = openAssumptions(ws).open.filter(({ plan }) => isWanted(plan));
  const lines = heaviestFirst(open, ws)
    .slice(0, SHOWN_MAX)
    .map(({ kind, information, confidence, file }) => {
      const what = kind === 'decision' ? 'open decision' : `assumed, ${confidence}`;
      return `- [${what}] ${oneLine(information)} (\`${file}\`)`;
    });
  const more = open.length - lines.length;
  return { title, text: [...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n') };
}
