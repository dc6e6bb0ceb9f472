/** edit: a file of a task in the person's editor, checked when it was saved. */
import type { Command } from 'commander';
import { TASK_FILES } from '../../store/layout.ts';
import { editAndCheck } from '../editor.ts';
import type { Frame } from '../frame.ts';
import { example, idOf, misused, open, refuse } from '../verb.ts';

const NAMES = TASK_FILES.map((name) => name.slice(0, -'.md'.length));

export function edit(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .argument('[file]', `${NAMES.join(', ')}; the contract when left out`)
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts edit ID\ncontracts edit ID questions'))
    .action(async (typed: string, file: string | undefined, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id === undefined) return;
      const wanted = file ?? 'contract';
      const name = TASK_FILES.find((one) => one === wanted || one === `${wanted}.md`);
      if (name === undefined) {
        const message = `there is no file of this name; there are ${NAMES.join(', ')}`;
        const fix = `Name one: contracts edit ${id} contract`;
        refuse(frame, verb.out, [misused(message, fix, wanted)]);
        return;
      }
      await editAndCheck(verb, id, name);
    });
}
