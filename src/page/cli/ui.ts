/** ui: the page in a browser. */
import { refuseUse, verb } from '../../cli/terminal/verb-context.ts';
import type { UiFlags } from './run-ui.ts';

const PORT_MAX = 65_535;

export const runs = {
  ui: verb(async (verb, flags: UiFlags) => {
    const { port = 0 } = flags;
    if (port > PORT_MAX)
      refuseUse(verb, '--port takes a number up to 65535', 'Write --port 7788', String(port));
    const { runUi } = await import('./run-ui.ts');
    const why = await runUi(verb, flags);
    if (why !== undefined) refuseUse(verb, why, 'Leave out --port: a free one is taken');
  }),
};
