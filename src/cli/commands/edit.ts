/** edit: a file of a task in the person's editor, checked when it is saved; or keys of its contract, by flags. */
import { addTo } from '../../task/core/base/groups.ts';
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import type { HeadChange } from '../../task/text/yaml/edit-head.ts';
import { editAndCheck, printSaved } from '../prompts/editor.ts';
import { onAnyTask } from '../prompts/which-task.ts';
import { EXIT } from '../terminal/frame.ts';
import { idOf, refuseUse, unwrap, type Verb } from '../terminal/verb-context.ts';

const NAMES = TASK_FILES.map((name) => name.slice(0, -'.md'.length));
const WAYS = ['set', 'add', 'remove'] as const;
/** Their values may have commas between them. */
const IDS = new Set(['depends_on', 'context_from', 'blocks']);

type Flags = Readonly<Partial<Record<(typeof WAYS)[number], readonly string[]>>>;

export const runs = {
  edit: onAnyTask('contracts edit ID', async (verb, id, flags: Flags, wanted = 'contract') => {
    const name = TASK_FILES.find((one) => one === wanted || one === `${wanted}.md`);
    if (name === undefined) {
      const message = `there is no file of this name; there are ${NAMES.join(', ')}`;
      refuseUse(verb, message, `Name one: contracts edit ${id} contract`, wanted);
    }
    const edits = editsIn(verb, id, flags);
    if (edits.size === 0) return editAndCheck(verb, id, name);
    if (name !== 'contract.md') {
      refuseUse(verb, 'only a contract has keys', `contracts edit ${id} contract --set …`, wanted);
    }
    const { editContracts } = await import('../../engine/doctor/edit-contracts.ts');
    const made = unwrap(verb, editContracts(verb.ws, edits));
    verb.frame.changed = true;
    const bad: boolean[] = [];
    for (const one of made) bad.push(await printSaved(verb, one.id, one));
    if (bad.includes(true)) verb.frame.code = EXIT.people;
  }),
};

/** Values of a list as YAML has it in one line; undefined for anything else. */
function flowItems(given = ''): readonly string[] | undefined {
  const inner = /^\[([^[\]{}]+)\]$/.exec(given.trim())?.[1];
  const items = inner?.split(',').map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'));
  return items?.every((one) => one !== '') === true ? items : undefined;
}

/** By the id of the contract: `blocks` is the other end of `depends_on`. */
function editsIn(verb: Verb, id: string, flags: Flags): ReadonlyMap<string, HeadChange[]> {
  const edits = new Map<string, HeadChange[]>();
  const note = (of: string, change: HeadChange): void => addTo(edits, of, change);
  for (const how of WAYS) {
    for (const words of flags[how] ?? []) {
      const [, key = '', given] = /^([^=]*)(?:=([^]*))?$/.exec(words) ?? [];
      const isWhole = how === 'remove' && key !== 'blocks';
      if (key === '' || (given === undefined ? !isWhole : given.trim() === '')) {
        refuseUse(verb, `--${how} takes key=value`, `Write --${how} depends_on=ID`, words);
      }
      if (key === 'blocks' && how === 'set') {
        refuseUse(verb, 'blocks is no key of a contract', 'Write --add blocks=ID', words);
      }
      const items = how === 'set' && key !== 'title' ? flowItems(given) : undefined;
      if (items !== undefined) {
        // The first replaces what is there.
        for (const [place, value] of items.entries())
          note(id, { how: place === 0 ? 'set' : 'add', key, value });
        continue;
      }
      const values = IDS.has(key) && how !== 'set' ? given?.split(',') : [given];
      for (const value of values ?? [undefined]) {
        if (key === 'blocks') {
          note(idOf(verb, value?.trim() ?? ''), { how, key: 'depends_on', value: id });
        } else note(id, { how, key, value: value?.trim() });
      }
    }
  }
  return edits;
}
