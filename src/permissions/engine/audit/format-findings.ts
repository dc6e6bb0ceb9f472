/** The findings of a comparison, as fields of an outcome and as lines for a report. */
import { isFirst, isOwnDoing, runsFirst } from '../../../task/core/attempts/noticed.ts';
import type { OutcomeRecord } from '../../../task/core/attempts/record.ts';

type Findings = Partial<Pick<OutcomeRecord, 'violations' | 'noticed'>>;

/** The findings of several, each once; where no comparison ran, the earlier ones. */
export function listed<Name extends keyof Findings>(
  name: Name,
  seen: readonly ({ readonly [key in Name]: readonly string[] } | undefined)[],
  left?: Findings,
): Findings {
  const now = seen.some((one) => one !== undefined)
    ? seen.flatMap((one) => one?.[name] ?? [])
    : (left?.[name] ?? []);
  return now.length === 0 ? {} : { [name]: runsFirst([...new Set(now)]) };
}

export function shortened(lines: readonly string[], most: number): readonly string[] {
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `and ${left} more`];
}

/** `typed`: what commands of people wrote meanwhile. */
export function findingLines(
  { violations, noticed = [] }: Findings,
  typed: readonly string[] = [],
): readonly string[] {
  const own = noticed.filter(isOwnDoing);
  const theirs = noticed.filter((line) => !isOwnDoing(line) && !isFirst(line));
  const first = noticed.filter(isFirst);
  return [
    ...section('Look at these first, before you open or merge the work:', first),
    ...section('Changes outside its permissions:', violations),
    ...section('Changes outside its permissions, allowed by its strength:', own),
    ...section(
      'Changes outside its permissions while it ran, made by an unknown process or person:',
      theirs,
    ),
    ...section(
      'Commands wrote while it ran, typed by a person or by a program without a sandbox:',
      typed,
    ),
  ];
}

function section(title: string, lines: readonly string[] | undefined): readonly string[] {
  if (lines === undefined || lines.length === 0) return [];
  return [title, '', ...lines.map((line) => `- ${JSON.stringify(line)}`), ''];
}
