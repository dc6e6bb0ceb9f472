/** Problems of a whole plan and of its contracts. Pure. */
import { cycleWords } from '../../task/core/base/dependency-graph.ts';
import type { PlanDocument } from './plan-document.ts';
import { report, type Expanding, type ExpandedItem, type PlanDraft } from './plan-draft.ts';

/** A contract depends on no more. */
const NEEDS_MAX = 500;
const TITLE_CHARS_MAX = 2000;

export function reportWrong(drafts: readonly PlanDraft[], expanding: Expanding): void {
  const seen = new Map<string, PlanDraft>();
  for (const draft of drafts) {
    const { id, line, contract, depends_on } = draft;
    const twin = seen.get(id);
    seen.set(id, draft);
    if (twin !== undefined) {
      report(expanding, line, {
        code: 'bad_id',
        message: `this and the item on line ${twin.line} would have the same task`,
        found: id,
        fix: 'Give one of them its own id: (id: another-name)',
      });
    }
    const none = contract.title.trim() === '';
    if (none || contract.title.length > TITLE_CHARS_MAX) {
      report(expanding, line, {
        code: 'too_large',
        message: none ? 'this item has no title' : 'this title is too long',
        fix: 'Write a title of a few words, and the rest in lines below it',
      });
    }
    if (depends_on.length > NEEDS_MAX) {
      report(expanding, line, {
        code: 'too_large',
        message: 'this waits for too many tasks at once',
        found: `${depends_on.length}`,
        expected: `at most ${NEEDS_MAX}`,
        fix: 'Divide the wave into several',
      });
    }
  }
}

export function reportBadName(expanding: Expanding): void {
  report(expanding, 1, {
    code: 'bad_id',
    message: 'this folder name is not a valid plan name',
    found: expanding.around.plan,
    expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 48',
    fix: 'Rename the folder',
  });
}

export function reportNothingToDo(items: readonly ExpandedItem[], expanding: Expanding): void {
  const closed = items.some((one) => one.closed !== undefined);
  report(expanding, 1, {
    code: 'bad_value',
    severity: closed ? 'warning' : 'error',
    message: closed ? 'every box of this plan was closed by hand' : 'this plan has no tasks',
    expected: '- [ ] What is to be done (executor: @dev, verify: tests)',
    fix: closed ? 'No work is left; to continue, write a new item' : 'Write a list of boxes',
  });
}

export function reportCycle(
  path: readonly string[],
  byId: ReadonlyMap<string, PlanDraft>,
  expanding: Expanding,
): void {
  report(expanding, byId.get(path[0] ?? '')?.line ?? 1, {
    code: 'cycle',
    message: 'these wait for each other, so none of them could ever start',
    found: cycleWords(path.map((id) => byId.get(id)?.key ?? id)),
    fix: 'Remove one of these dependencies, or move an item into a later wave',
  });
}

/** 0 where an item waits for another, or the plan runs one at a time. */
export function itemsAtOnce({ one_at_a_time }: PlanDocument, drafts: readonly PlanDraft[]): number {
  const keys = new Map(drafts.map(({ id, key }) => [id, key]));
  const isOrdered = drafts.some(
    ({ key, kind, depends_on, results = [] }) =>
      kind === 'checkpoint' ||
      [...depends_on, ...results].some((id) => (keys.get(id) ?? key) !== key),
  );
  const many = new Set(keys.values()).size;
  return isOrdered || one_at_a_time === true || many < 2 ? 0 : many;
}
