/** completion: the script that a shell reads to complete our verbs, flags, states and ids. */
import type { Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell } from '../completion-scripts.ts';
import type { Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { example } from '../verb.ts';

export function completion(command: Command, frame: Frame): void {
  command
    .addArgument(command.createArgument('<shell>', 'which one').choices(SHELLS))
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      `
In ~/.bashrc:   source <(contracts completion bash)
In ~/.zshrc:    source <(contracts completion zsh)
In config.fish: contracts completion fish | source
${example('contracts completion fish')}`,
    )
    .action((shell: Shell, _flags: unknown, self: Command) => {
      const options = self.optsWithGlobals<{ json?: boolean }>();
      const out = makeOutput(frame.streams, options.json === true);
      out.data({ v: 1, event: 'completion', shell, script: SCRIPTS[shell] });
      out.say(SCRIPTS[shell].trimEnd());
    });
}
