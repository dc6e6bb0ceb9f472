/** edit: a file of a task in the person's editor, checked when it is saved. */
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import { editAndCheck } from '../prompts/editor.ts';
import { idOf, misused, refuse, verb } from '../terminal/verb-context.ts';

const NAMES = TASK_FILES.map((name) => name.slice(0, -'.md'.length));

export const runs = {
  edit: verb(async (verb, _flags: unknown, typed: string, wanted = 'contract') => {
    const id = idOf(verb, typed);
    const name = TASK_FILES.find((one) => one === wanted || one === `${wanted}.md`);
    if (name === undefined) {
      const message = `there is no file of this name; there are ${NAMES.join(', ')}`;
      refuse(verb, [misused(message, `Name one: contracts edit ${id} contract`, wanted)]);
    }
    await editAndCheck(verb, id, name);
  }),
};
