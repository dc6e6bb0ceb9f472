/** The tree of boxes while lines are read, before tasks, groups and criteria are told apart. */
import type { PlanBox, PlanItemKind, PlanWave } from '../core/plan-document.ts';
import { indentOf, type Line } from '../../task/text/markdown/line-scanner.ts';
import type { Attributes } from './attributes.ts';
import type { PlanBullet } from './boxes.ts';
import type { Label } from './fields.ts';
import type { Remark, Section } from './sections.ts';

export interface Draft {
  readonly line: Line;
  readonly bullet: PlanBullet;
  readonly box: PlanBox;
  readonly parent: Draft | undefined;
  readonly section: Section;
  readonly wave: number | undefined;
  /** As in Places. */
  readonly early: Section | undefined;
  /** Its line and the lines that continue it. */
  readonly paragraph: string[];
  /** Below it, in order. */
  readonly parts: (string | Draft)[];
  readonly attributes: Attributes;
  /** The item whose `**Acceptance Criteria**:` is before this box, without nesting. */
  readonly criterionOf: Draft | 'plan' | undefined;

  // Set once all boxes are known, in items.ts.
  title: string;
  label: string | undefined;
  /** As written, without attributes. */
  written: string;
  /** The rest of its paragraph. */
  rest: string;
  kind: PlanItemKind | 'criterion' | 'empty';
}

/** A line outside of items such as `Squad: marketing`. */
export interface Field extends Label {
  readonly line: Line;
  readonly section: Section;
  /** After a box of its section. */
  readonly late: boolean;
}

export interface Outline {
  readonly drafts: readonly Draft[];
  readonly waves: ReadonlyMap<number, PlanWave>;
  readonly sections: readonly Section[];
  /** Before the first box. */
  readonly before: readonly Line[];
  readonly fields: readonly Field[];
  readonly remarks: readonly Remark[];
}

/** A bullet that may contain the next line. */
interface Open {
  readonly inside: number;
  /** Its own box, or the one around it. */
  readonly draft: Draft | undefined;
}

/** The bullets around the current line, outermost first. */
export class Nesting {
  private open: Open[] = [];

  close(): void {
    this.open = [];
  }

  push(bullet: Open): void {
    this.open.push(bullet);
  }

  outdent(column: number): void {
    while (this.open.length > 0 && column < this.open.at(-1)!.inside) this.open.pop();
  }

  /** The innermost box. */
  get draft(): Draft | undefined {
    return this.open.at(-1)?.draft;
  }

  /** No other bullet is between a line at this column and the box. */
  isOwn(column: number): boolean {
    const at = this.open.findLastIndex(({ inside }) => inside <= column);
    return at < 1 || this.open[at]?.draft !== this.open[at - 1]?.draft;
  }

  get outermost(): number | undefined {
    return this.open[0]?.inside;
  }

  /** The innermost box that contains a line at this column. */
  holding(column: number): Draft | undefined {
    return this.open.findLast(({ draft, inside }) => draft !== undefined && inside <= column)
      ?.draft;
  }

  /** The outermost box. */
  get first(): Draft | undefined {
    return this.open.find(({ draft }) => draft !== undefined)?.draft;
  }
}

/** Removes so many columns of indent; a tab that is cut leaves blanks. */
export function dedent(raw: string, columns: number): string {
  const { column, length } = indentOf(raw);
  return `${' '.repeat(Math.max(0, column - columns))}${raw.slice(length)}`;
}
