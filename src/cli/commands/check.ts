/** check: all problems of the tree, a line each, for people and for problem matchers. */
import { EVENT_VERSION } from '../../task/core/lines/event.ts';
import { formatProblem, ok, type Result } from '../../task/core/model/problem.ts';
import { checked, checkTree, type Checked } from '../../engine/doctor/check.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { rerun } from '../../engine/doctor/rerun.ts';
import { checkStaged } from '../../engine/doctor/check-staged.ts';
import { openWorkspace, type OpenOptions } from '../../workspace/open/workspace.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { many } from '../../task/core/base/plural.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { refuseUse, bare, unwrap, type Place } from '../terminal/verb-context.ts';

type CheckFlags = Partial<Record<'staged' | 'rerun' | 'trust', boolean>> & {
  readonly base?: string;
};

export const runs = {
  check: bare(async (place, flags: CheckFlags, ids: readonly string[]) => {
    const { out, frame, line } = place;
    const { rerun: reruns = false, base } = flags;
    if (!reruns && (ids.length > 0 || base !== undefined))
      refuseUse(
        place,
        'check looks at all tasks, and only --rerun takes this',
        'contracts check, or contracts check --rerun',
        ids[0] ?? base,
      );
    const where = { ports: frame.ports, capabilities: frame.capabilities, dir: line.dir };
    const looked = reruns
      ? await rerunChecks(place, { ...where, ...(flags.trust && { trust: true }) }, ids, base)
      : flags.staged === true
        ? checkStaged(where)
        : checkFolders(where);
    const { problems, tasks, errors, warnings } = unwrap(place, looked);
    for (const problem of problems) {
      out.data({ v: EVENT_VERSION, event: 'problem', problem });
      // Never coloured: problem matchers read a line from its first character.
      out.print(escapeText(formatProblem(problem)));
    }
    out.data({ v: EVENT_VERSION, event: 'check', tasks, errors, warnings });
    out.print(
      `${many(errors, 'error')}, ${many(warnings, 'warning')} in ${many(tasks, reruns ? 'done task' : 'live task')}.`,
    );
    if (errors > 0 && frame.code === EXIT.fine) frame.code = EXIT.people;
  }),
};

function rerunChecks(place: Place, where: OpenOptions, ids: readonly string[], base?: string) {
  const ws = openWorkspace(where);
  return interruptible(async (signal) => {
    if (!ws.ok) return ws;
    const named = ids.map((id) => unwrap(place, resolveId(ws.value, id, place.line.dir)));
    const checks = await rerun({ ws: ws.value, emit: place.out.event, signal }, named, base);
    if (signal.aborted) place.frame.code = EXIT.interrupted;
    return checks;
  });
}

/** A broken workspace is what check is for; without any the call is wrong. */
function checkFolders(where: OpenOptions): Result<Checked> {
  const ws = openWorkspace({ ...where, reads: true });
  if (ws.ok) return ok(checkTree(ws.value));
  const nowhere = ws.problems.some((one) => one.code === 'missing_file');
  return nowhere ? ws : ok(checked(ws.problems, 0));
}
