/** The flags of `new` as the head of a contract, and which flag holds a value that no contract may have. */
import type { Problem } from '../../task/core/model/problem.ts';
import { composeContract, type NewTask } from '../../engine/commands/create.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { COMMAND_LINE } from '../output/output.ts';
import { misused } from '../terminal/verb-context.ts';
import { ALONE, checkName, deliverableCheck } from '../../task/core/model/checks.ts';
import { criteriaFor } from '../../task/core/model/criterion-check.ts';

type Single = 'from' | 'like' | 'id' | 'agent' | 'adapter' | 'squad' | 'timeout' | 'sh';
type Many = 'criterion' | 'run' | 'deliverable' | 'dependsOn' | 'contextFile' | 'gate';

export type NewFlags = { readonly [K in Single]?: string } & {
  readonly [K in Many]: string[];
} & { readonly worktree?: true };

/** An entry of the configuration that is no command alone. */
const CHECK = new RegExp(`^(?:(?:${ALONE.join('|')})$|[a-z_]+:\\s)`);

/** Key of the front matter, its flag, its value. */
function given(flags: NewFlags): readonly (readonly [string, string, unknown])[] {
  const rows: readonly (readonly [string, string, unknown])[] = [
    ['agent', '--agent', flags.agent],
    ['squad', '--squad', flags.squad],
    ['depends_on', '--depends-on', flags.dependsOn],
    ['context_files', '--context-file', flags.contextFile],
    ['deliverables', '--deliverable', flags.deliverable],
    ['verify', '--run', flags.run.map((one) => (CHECK.test(one) ? one : `run: ${one}`))],
    ['quality_gate', '--gate', flags.gate],
    ['timeout', '--timeout', flags.timeout],
    ['adapter', '--adapter', flags.adapter ?? (flags.sh === undefined ? undefined : 'shell')],
    ['isolation', '--worktree', flags.worktree && 'worktree'],
  ];
  return rows.filter(([, , value]) => value !== undefined);
}

export function wantedTask(title: string, flags: NewFlags): NewTask {
  const { agent, adapter, squad } = flags;
  const criteria =
    flags.criterion.length > 0 ? flags.criterion : criteriaFor(flags.run, flags.deliverable);
  return {
    title,
    criteria,
    steps: flags.sh,
    id: flags.id,
    head: headOf(flags),
    names: [agent, adapter, squad, flags.gate].flatMap((one) => one ?? []),
  };
}

function headOf(flags: NewFlags): NewTask['head'] {
  const head = Object.fromEntries(given(flags).map(([key, , value]) => [key, value]));
  const there = flags.deliverable.map((path) => checkName(deliverableCheck(path)));
  return { ...head, verify: [...(head['verify'] as readonly string[]), ...there] };
}

/** Each flag by itself in a contract. */
export function wrongFlags(ws: Workspace, flags: NewFlags): readonly Problem[] {
  const { sh, adapter = 'shell' } = flags;
  if (sh !== undefined && adapter !== 'shell' && ws.config.adapters[adapter]?.type !== 'shell') {
    const message = '--sh is a script for the shell adapter, and this one does not run it';
    return [misused(message, 'Leave out --adapter, or --sh', adapter)];
  }
  return given(flags).flatMap(([key, flag, value]) => {
    const alone = composeContract(ws, { title: 'Alone', head: { [key]: value } });
    return alone.ok ? [] : alone.problems.map((one) => ofFlag(one, key, flag));
  });
}

export function blameFlags(ws: Workspace, flags: NewFlags, problems: readonly Problem[]) {
  const blamed = wrongFlags(ws, flags);
  if (blamed.length > 0) return blamed;
  return problems.map((one) => (one.code === 'bad_id' ? ofFlag(one, 'id', '--id') : unplaced(one)));
}

function ofFlag(found: Problem, key: string, flag: string): Problem {
  const named = found.message.startsWith(`${key} `) || found.message.startsWith(`${key}.`);
  const message = named ? found.message.replace(/^\S+/, flag) : `${flag}: ${found.message}`;
  return { ...unplaced(found), message, fix: found.fix.replace(/ for [\w.]+\.$/, ` for ${flag}.`) };
}

function unplaced(found: Problem): Problem {
  return { ...found, file: COMMAND_LINE, line: 1, col: 1 };
}
