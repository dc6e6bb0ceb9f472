/** Tasks that another tool keeps, as plain data: what each importer gives, and all that the rest knows of it. */
import { problem, type Problem, type ProblemCode } from '../../task/core/model/problem.ts';
import type { Meaning } from './words.ts';

export interface Criterion {
  readonly text: string;
  readonly ticked: boolean;
}

/** All texts are data of strangers. `file` is relative to the workspace, `line` from 1. */
export interface ForeignTask {
  /** As written there, unique in its list; `depends` and `parent`, the task that it is a part of, name such. */
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly line: number;
  /** undefined: the status is a word that is not known. */
  readonly meaning: Meaning | undefined;
  readonly status: string;
  readonly objective: string;
  readonly instructions?: string;
  readonly criteria: readonly Criterion[];
  readonly depends: readonly string[];
  readonly parent?: string | undefined;
  readonly priority?: string | undefined;
  readonly complexity?: 'low' | 'medium' | 'high' | undefined;
  /** Names of its assignees; `person` is a person here, too. */
  readonly people: readonly string[];
  readonly tags: readonly string[];
  readonly created?: string | undefined;
  /** Paths that it makes, and that it names. */
  readonly deliverables?: readonly string[];
  readonly mentions: readonly string[];
  readonly notes?: readonly { readonly title: string; readonly text: string }[];
  /** Command lines in its text. */
  readonly commands: readonly string[];
  /** Fields without a place here, by their name there. */
  readonly others: Readonly<Record<string, unknown>>;
  /** In a plan: its wave, the headings below that, and the text below these. */
  readonly wave?: number | undefined;
  readonly headings?: readonly string[];
  readonly section?: string | undefined;
  readonly original: string;
  /** Why it is not taken over. */
  readonly left?: string | undefined;
}

/** Tasks that become one plan: of a feature, a change, a tag, a file. `original`: the source, where it is one text. */
export interface ForeignList {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly about?: string;
  readonly tasks: readonly ForeignTask[];
  readonly waves?: readonly { number: number; title: string; checkpoint?: string }[];
  readonly checkpoint?: 'auto' | 'interactive' | undefined;
  /** Files that all of its tasks need, relative to the workspace. */
  readonly context?: readonly string[];
  readonly criteria?: readonly Criterion[];
  readonly original?: string;
  readonly problems?: readonly Problem[];
}

type Place = Pick<ForeignTask, 'file' | 'line'>;

export function warning(
  { file, line }: Place,
  code: ProblemCode,
  message: string,
  found: string,
  fix = LOOK,
) {
  return problem({ code, severity: 'warning', file, line, message, found, fix });
}

const LOOK = 'Look at it there';

/** JSON of a value; empty for one that is nested too deep. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? '';
  } catch {
    return '(nested too deeply)';
  }
}
