/** Tasks that lost their item because its title or id changed, and items that look new because of it. Pure. */
import type { PlanItem } from './plan-document.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';

/** A task of the plan without an item: live, or done. */
export interface Orphan {
  readonly id: string;
  readonly title: string;
  /** The key that its item had, where the id shows it. */
  readonly key: string | undefined;
  readonly done: boolean;
}

/** `unmade`: open items without a task. */
export function renamedItems(
  { name, file }: { readonly name: string; readonly file: string },
  unmade: readonly PlanItem[],
  orphans: readonly Orphan[],
): readonly Problem[] {
  return orphans.flatMap((orphan) => {
    const { id, title, key, done } = orphan;
    const item = meantBy(orphan, unmade, orphans.length);
    // A done item that was removed needs no report.
    if (done && (item === undefined || key === undefined)) return [];
    const named = key === undefined ? 'the (id: …) that it had' : `(id: ${key})`;
    const again =
      item === undefined ? 'To continue it, write an item with' : 'Was it renamed? Write';
    const given = done ? '' : `contracts abort ${id}`;
    const begin = unmade.length === 0 ? '' : `${done ? '' : ', and '}contracts plan start ${name}`;
    return problem({
      code: 'renamed_item',
      severity: 'warning',
      file,
      line: item?.box.line ?? 1,
      message: `no item has the task ${id}${done ? ', which is done,' : ''} any more`,
      found: title,
      fix: `${again} ${named}${item === undefined ? '' : ' after its title'}; else ${given}${begin}`,
    });
  });
}

/** The only candidate, or the one that shares most words. */
function meantBy({ title }: Orphan, unmade: readonly PlanItem[], orphans: number) {
  if (orphans === 1 && unmade.length === 1) return unmade[0];
  const words = wordsOf(title);
  const shared = unmade.map(
    (item) => wordsOf(item.title).filter((one) => words.includes(one)).length,
  );
  const most = Math.max(0, ...shared);
  const isClear = most > 0 && shared.filter((many) => many === most).length === 1;
  return isClear ? unmade[shared.indexOf(most)] : undefined;
}

function wordsOf(title: string): readonly string[] {
  return [...new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
}

export function isRenamed({ code }: Problem): boolean {
  return code === 'renamed_item';
}
