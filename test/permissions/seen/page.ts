/** The page of what was seen, from the cells: docs/reference/permissions-seen.md. */
import { isAbout, MODES, type Mode, type Operation, type Seen } from './room.ts';

export interface Row {
  readonly section: string;
  readonly operation: Operation;
  readonly seen: Readonly<Record<Mode, Seen>>;
}

const FORBIDDEN = ['prevented', 'violated', 'noticed', 'NOT SEEN'] as const;
const ALLOWED = ['done', 'done, noticed', 'VIOLATED', 'PREVENTED'] as const;
export type Cell = (typeof FORBIDDEN)[number] | (typeof ALLOWED)[number];

/** In capitals what is against the matrix. */
export function cellOf([, may, , , effect]: Operation, seen: Seen): Cell {
  const { took_effect, outcome } = seen;
  const isTold = seen.told.some((line) => isAbout(effect, line));
  if (may === 'no') {
    if (!took_effect) return 'prevented';
    return outcome === 'violated' ? 'violated' : isTold ? 'noticed' : 'NOT SEEN';
  }
  if (!took_effect) return 'PREVENTED';
  return outcome === 'violated' ? 'VIOLATED' : isTold ? 'done, noticed' : 'done';
}

/** Why some cells are against the matrix, as the page gives it. */
export interface Gap {
  /** Found in `agent command`. */
  readonly operation: RegExp;
  readonly modes: readonly Mode[];
  readonly cell: Cell;
  readonly why: string;
}

export interface Against {
  readonly row: Row;
  readonly mode: Mode;
  readonly cell: Cell;
}

/** The cells in capitals. */
export function against(rows: readonly Row[]): readonly Against[] {
  return rows.flatMap((row) =>
    MODES.flatMap(([mode]) => {
      const cell = cellOf(row.operation, row.seen[mode]);
      return cell === cell.toUpperCase() ? [{ row, mode, cell }] : [];
    }),
  );
}

export function explains(gap: Gap, { row, mode, cell }: Against): boolean {
  const [agent, , , command] = row.operation;
  return gap.cell === cell && gap.modes.includes(mode) && gap.operation.test(`${agent} ${command}`);
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The line of one operation. */
export function lineOf({ operation, seen }: Row): string {
  const [agent, may, , command] = operation;
  const cells = MODES.map(([mode]) => cellOf(operation, seen[mode]));
  return line([agent, `\`${command}\``, may === 'yes' ? 'may' : 'may not', ...cells]);
}

export function pageOf(rows: readonly Row[], gaps: readonly Gap[]): string {
  const sections = [...new Set(rows.map(({ section }) => section))];
  const names = MODES.map(([mode]) => mode);
  const rule = (width: number): string => line(Array.from({ length: width }, () => '---'));
  const sums = (may: 'yes' | 'no', cells: readonly Cell[]): string[] =>
    cells.map((cell) =>
      line([
        cell,
        ...names.map((mode) =>
          String(
            rows.filter(
              ({ operation, seen }) =>
                operation[1] === may && cellOf(operation, seen[mode]) === cell,
            ).length,
          ),
        ),
      ]),
    );
  const count = (may: 'yes' | 'no'): number =>
    rows.filter(({ operation }) => operation[1] === may).length;
  return [
    HEAD,
    '## How many',
    '',
    line([`${count('no')} that the matrix forbids`, ...names]),
    rule(5),
    ...sums('no', FORBIDDEN),
    '',
    line([`${count('yes')} that it allows`, ...names]),
    rule(5),
    ...sums('yes', ALLOWED),
    '',
    ...(gaps.length === 0
      ? []
      : [
          '## Against the matrix',
          '',
          line(['what', 'where', 'cell', 'why']),
          rule(4),
          ...gaps.map((gap) =>
            line([commandsOf(rows, gap), gap.modes.join('; '), gap.cell, gap.why]),
          ),
          '',
        ]),
    ...sections.flatMap((section) => [
      `## ${section}`,
      '',
      line(['agent', 'command', 'matrix', ...names]),
      rule(7),
      ...rows.filter((row) => row.section === section).map(lineOf),
      '',
    ]),
  ].join('\n');
}

function commandsOf(rows: readonly Row[], gap: Gap): string {
  const commands = against(rows)
    .filter((one) => explains(gap, one))
    .map(({ row }) => `\`${row.operation[3]}\``);
  return [...new Set(commands)].join(', ');
}

const HEAD = `# Permissions as they were seen

Agents of the package do, as real commands, what the matrix of permissions allows and forbids them, in four ways of working. Afterwards the test looks at the disk, the repository and its remote to see whether the command had an effect, and at the outcome for what is said of it. The agent is a program of the shell (\`type: command\`), which no tool hook of a client watches; [the tool hook](../security.md#what-is-promised) refuses more.

- **prevented**: the command had no effect.
- **violated**: it had one in the agent's own tree, and the attempt failed for it. Its work is never merged.
- **noticed**: it had one, and the outcome says so, for the review and the person.
- **done**: it had its effect, as the matrix wants it.
- In capitals: against the matrix, with the reason below.

*open tree*: the tree that you share with the agent, without a sandbox. *sandbox*: bubblewrap. *worktree*: a git worktree of the task ([which to use](../security.md#what-is-compared)).

\`$W\` is the workspace, \`$P\` the folder of a plan in it. \`put\` changes a document where it is, and where it cannot be written hands it in on the desk. \`origin\` asks for no login, so that only the runner can be in the way; \`login\` asks for the one that is in the person's home. \`gh\` is a stand-in with its login there too.
`;
