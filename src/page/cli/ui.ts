/** ui: the page in a browser. */
import { verb } from '../../cli/terminal/verb-context.ts';
import type { UiFlags } from './run-ui.ts';

export const runs = {
  ui: verb(async (verb, flags: UiFlags) => (await import('./run-ui.ts')).runUi(verb, flags)),
};
