/** The checkpoints between waves; with `auto` a wave waits for the tasks before it. Pure. */
import { PERSON } from '../../task/core/model/contract.ts';
import { whoIsMeant } from './expand-squads.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Expanding, ExpandedItem, PlanDraft } from './plan-draft.ts';
import { waveTitle } from './plan-document.ts';
import { PLAN_WORKFLOW } from './plan-ids.ts';
import type { Squad } from '../../squads/core/squad.ts';

/** `before`: what tasks of a wave wait for beside their own dependencies. */
export function checkpointsOf(
  items: readonly ExpandedItem[],
  squad: Squad | undefined,
  expanding: Expanding,
) {
  const { document, around, ids: named, problems } = expanding;
  const tasks = new Map<number, string[]>();
  for (const { wave, tasks: ids } of items) {
    if (wave === undefined || ids.length === 0) continue;
    tasks.set(wave, [...(tasks.get(wave) ?? []), ...ids]);
  }
  const waves = [...tasks.keys()].toSorted((a, b) => a - b);
  const mode = document.checkpoint ?? squad?.checkpoint_mode ?? 'interactive';
  const line = document.said_on?.checkpoint ?? 1;
  const reported = waves.length > 1 ? problems : [];
  const agent = askedAt(mode, squad, { around, problems: reported }, line);
  const drafts = waves.slice(0, -1).flatMap((wave, i) => {
    const depends_on = tasks.get(wave) ?? [];
    const next = waveTitle(document.waves, waves[i + 1] ?? wave);
    return agent === undefined ? [] : [checkpoint({ wave, depends_on, agent }, next, expanding)];
  });
  return {
    drafts,
    before: (wave: number | undefined): readonly string[] => {
      const last = waves.findLast((one) => wave !== undefined && one < wave);
      if (last === undefined) return [];
      return agent === undefined ? (tasks.get(last) ?? []) : [named.checkpoint(last)];
    },
  };
}

/** undefined: no checkpoint. */
function askedAt(
  mode: string,
  squad: Squad | undefined,
  expanding: Pick<Expanding, 'around' | 'problems'>,
  line: number,
): string | undefined {
  const word = mode.trim().replace(/^@/, '');
  if (/^(?:auto|none|no|off)$/i.test(word)) return undefined;
  if (word === '' || /^interactive$/i.test(word)) return PERSON;
  return whoIsMeant(word, squad, expanding, { line }) ?? PERSON;
}

type Between = Required<Pick<PlanDraft, 'wave' | 'depends_on' | 'agent'>>;

function checkpoint(
  { wave, depends_on, agent }: Between,
  next: string,
  { document, around, ids }: Expanding,
): PlanDraft {
  const title = `Checkpoint after ${waveTitle(document.waves, wave)}`;
  const here = document.waves.find(({ number }) => number === wave);
  return {
    id: ids.checkpoint(wave),
    key: `checkpoint-wave-${wave}`,
    kind: 'checkpoint',
    line: here?.line ?? 1,
    wave,
    agent,
    checks: [],
    gates: [],
    deliverables: [],
    depends_on,
    contract: {
      head: given({
        title,
        type: 'checkpoint',
        agent: agent === PERSON ? undefined : agent,
        squad: document.squad,
        workflow: document.workflow ?? PLAN_WORKFLOW,
        plan: around.plan,
        wave,
        depends_on,
      }),
      title,
      objective: [
        `Look at what ${waveTitle(document.waves, wave)} of the plan (${around.file}) produced, and decide how to continue with ${next}: GO, PAUSE, REVIEW or ABORT.`,
        ...(here?.checkpoint === undefined ? [] : [`What must hold: ${here.checkpoint}`]),
      ].join('\n\n'),
      criteria: ['One of GO, PAUSE, REVIEW and ABORT is ticked in questions.md'],
    },
  };
}
