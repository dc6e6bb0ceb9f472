/**
 * A plan as a tree, before it is asked what a box is: boxes nested in boxes, and of each the lines that
 * belong to it; and which bullets are open while the lines go by.
 */
import type { PlanBox, PlanItemKind, PlanWave } from '../core/plan-document.ts';
import { indentOf, type Line } from '../../task/text/markdown/line-scanner.ts';
import type { Attributes } from './attributes.ts';
import type { PlanBullet } from './boxes.ts';
import type { Label } from './fields.ts';
import type { Remark, Section } from './sections.ts';

/** A box with its words and what is nested in it. */
export interface Draft {
  readonly line: Line;
  readonly bullet: PlanBullet;
  readonly box: PlanBox;
  readonly parent: Draft | undefined;
  readonly section: Section;
  readonly wave: number | undefined;
  /** As in Places. */
  readonly early: Section | undefined;
  /** Its line, and those that follow without a blank line. */
  readonly paragraph: string[];
  /** What is below, in order. */
  readonly parts: (string | Draft)[];
  readonly attributes: Attributes;
  /** Set beside an item, below its `**Acceptance Criteria**:` without being nested in it. */
  readonly criterionOf: Draft | 'plan' | undefined;

  // Known when all boxes are: see items.ts.
  title: string;
  label: string | undefined;
  /** Its title as written, without attributes. */
  written: string;
  /** Words of its paragraph that are not its title. */
  rest: string;
  kind: PlanItemKind | 'criterion' | 'empty';
}

/** A line outside of items that says something: `Squad: marketing`. */
export interface Field extends Label {
  readonly line: Line;
  readonly section: Section;
  /** Behind a box of its section. */
  readonly late: boolean;
}

export interface Outline {
  readonly drafts: readonly Draft[];
  readonly waves: ReadonlyMap<number, PlanWave>;
  readonly sections: readonly Section[];
  /** Lines of the text before the first box. */
  readonly before: readonly Line[];
  readonly fields: readonly Field[];
  readonly remarks: readonly Remark[];
}

/** A bullet that the next line may be nested in. */
interface Open {
  readonly inside: number;
  /** Its box, or the one that it is nested in. */
  readonly draft: Draft | undefined;
}

/** The bullets that are open, from the outermost on. */
export class Nesting {
  private open: Open[] = [];

  close(): void {
    this.open = [];
  }

  push(bullet: Open): void {
    this.open.push(bullet);
  }

  /** Closes what a line at this column is not nested in. */
  outdent(column: number): void {
    while (this.open.length > 0 && column < this.open.at(-1)!.inside) this.open.pop();
  }

  /** The innermost box. */
  get draft(): Draft | undefined {
    return this.open.at(-1)?.draft;
  }

  /** Between a line at this column and the box stands no other bullet. */
  isOwn(column: number): boolean {
    const at = this.open.findLastIndex(({ inside }) => inside <= column);
    return at < 1 || this.open[at]?.draft !== this.open[at - 1]?.draft;
  }

  /** The column from which on a line is nested in anything. */
  get outermost(): number | undefined {
    return this.open[0]?.inside;
  }

  /** The innermost box that a line at this column is nested in. */
  holding(column: number): Draft | undefined {
    return this.open.findLast(({ draft, inside }) => draft !== undefined && inside <= column)
      ?.draft;
  }

  /** The outermost box. */
  get first(): Draft | undefined {
    return this.open.find(({ draft }) => draft !== undefined)?.draft;
  }
}

/** Without the white space of so many columns; a tab that is cut leaves blanks. */
export function dedent(raw: string, columns: number): string {
  const { column, length } = indentOf(raw);
  return `${' '.repeat(Math.max(0, column - columns))}${raw.slice(length)}`;
}
