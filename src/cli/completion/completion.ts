/** completion: the script that a shell reads to complete our verbs, flags, states and ids. */
import { SCRIPTS, type Shell } from './completion-scripts.ts';
import { bare } from '../terminal/verb-context.ts';

export const runs = {
  completion: bare(({ out }, _flags: unknown, shell: Shell) => {
    out.data({ v: 1, event: 'completion', shell, script: SCRIPTS[shell] });
    out.say(SCRIPTS[shell].trimEnd());
  }),
};
