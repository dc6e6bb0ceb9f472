/**
 * Items of a started plan that were given another title, or another id: their task is of no item any
 * more, and they look like new ones. Reported where it is seen, with what makes them one again. Pure.
 */
import type { PlanItem } from './plan-document.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';

/** A task of the plan that no item has: live, or done. */
export interface Orphan {
  readonly id: string;
  readonly title: string;
  /** What its item was called, where that can be derived from its id. */
  readonly key: string | undefined;
  readonly done: boolean;
}

/** `unmade`: items that are open and have no task. */
export function renamedItems(
  { name, file }: { readonly name: string; readonly file: string },
  unmade: readonly PlanItem[],
  orphans: readonly Orphan[],
): readonly Problem[] {
  return orphans.flatMap((orphan) => {
    const { id, title, key, done } = orphan;
    const item = meantBy(orphan, unmade, orphans.length);
    // Who takes what is done out of a plan has tidied up.
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

/** The only one that it can be, or the one that shares most words with it. */
function meantBy(
  { title }: Orphan,
  unmade: readonly PlanItem[],
  orphans: number,
): PlanItem | undefined {
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

/** Said by renamedItems: who starts the plan nevertheless has tasks made again. */
export function isRenamed({ code }: Problem): boolean {
  return code === 'renamed_item';
}
