/** Why a task of a plan is not begun, by code, and what ends the wait. */
import type { Hold } from '../../task/core/model/task.ts';

export const HOLD_WORDS = {
  paused: (plan: string): Hold => ({
    reason: `plan ${plan} is paused`,
    fix: `contracts plan pause ${plan} --end`,
  }),
  by_hand: (id: string, plan: string, file: string): Hold => ({
    reason: `${file} is not what an agent handed in, and is not written over`,
    fix: `move it away; or to keep it: contracts abort ${id}, then contracts plan start ${plan}`,
  }),
  box_closed: (id: string, mark: string): Hold => ({
    reason: `its box in the plan was [${mark}], and nothing is begun before you say so`,
    fix: `${mark === '-' ? `contracts abort ${id}, or ` : ''}contracts step --only ${id}`,
  }),
};
