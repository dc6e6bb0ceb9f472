/** completion: the script that a shell reads to complete our verbs, flags, states and ids. */
import { SCRIPTS, SHELLS, type Shell } from './completion-scripts.ts';
import { bare } from '../terminal/verb-context.ts';

export const verbs = {
  completion: bare({
    arguments: [['<shell>', 'which one', SHELLS]],
    example: 'contracts completion fish',
    help: `
In ~/.bashrc:   source <(contracts completion bash)
In ~/.zshrc:    source <(contracts completion zsh)
In config.fish: contracts completion fish | source
`,
    act: ({ out }, _flags: unknown, shell: Shell) => {
      out.data({ v: 1, event: 'completion', shell, script: SCRIPTS[shell] });
      out.say(SCRIPTS[shell].trimEnd());
    },
  }),
};
