/** Why a task of a plan is not begun, by code, and what ends the wait. */
import type { Hold } from '../../task/core/model/task.ts';

export const HOLD_WORDS = {
  paused: (plan: string): Hold => ({
    reason: `plan ${plan} is paused`,
    fix: `contracts plan resume ${plan}`,
  }),
  box_closed: (id: string, mark: string): Hold => ({
    reason: `its box in the plan was [${mark}], and nothing is begun before you say so`,
    fix: `${mark === '-' ? `contracts abort ${id}, or ` : ''}contracts step --only ${id}`,
  }),
};
