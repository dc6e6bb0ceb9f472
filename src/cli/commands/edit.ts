/** edit: a file of a task in the person's editor, checked when it is saved. */
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import { editAndCheck } from '../prompts/editor.ts';
import { onAnyTask } from '../prompts/which-task.ts';
import { refuseUse } from '../terminal/verb-context.ts';

const NAMES = TASK_FILES.map((name) => name.slice(0, -'.md'.length));

export const runs = {
  edit: onAnyTask('contracts edit ID', async (verb, id, _flags, wanted = 'contract') => {
    const name = TASK_FILES.find((one) => one === wanted || one === `${wanted}.md`);
    if (name === undefined) {
      const message = `there is no file of this name; there are ${NAMES.join(', ')}`;
      refuseUse(verb, message, `Name one: contracts edit ${id} contract`, wanted);
    }
    await editAndCheck(verb, id, name);
  }),
};
