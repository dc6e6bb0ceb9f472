/** check: all problems of the tree, a line each, for people and for problem matchers. */
import { join } from 'node:path';
import { EVENT_VERSION } from '../../task/core/lines/event.ts';
import { formatProblem, ok, type Result } from '../../task/core/model/problem.ts';
import { checked, checkTree, type Checked } from '../../engine/doctor/check.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { rerun } from '../../engine/doctor/rerun.ts';
import { checkStaged } from '../../engine/doctor/check-staged.ts';
import { Looks } from '../../engine/step/watch-schedule.ts';
import { watchFolder } from '../../task/store/disk/watcher.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../../workspace/open/workspace.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { many } from '../../task/core/base/plural.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { refuseUse, bare, unwrap, type Place } from '../terminal/verb-context.ts';

type CheckFlags = Partial<Record<'staged' | 'rerun' | 'trust' | 'watch', boolean>> & {
  readonly base?: string;
};

export const runs = {
  check: bare(async (place, flags: CheckFlags, ids: readonly string[]) => {
    const { frame, line } = place;
    const { rerun: reruns = false, base } = flags;
    if (!reruns && (ids.length > 0 || base !== undefined))
      refuseUse(
        place,
        'check looks at all tasks, and only --rerun takes this',
        'contracts check, or contracts check --rerun',
        ids[0] ?? base,
      );
    if (flags.watch === true && (reruns || flags.staged === true))
      refuseUse(place, '--watch looks at the files on disk', 'Give --watch alone', '--watch');
    const where = { ports: frame.ports, capabilities: frame.capabilities, dir: line.dir };
    const looked = reruns
      ? await rerunChecks(place, { ...where, ...(flags.trust && { trust: true }) }, ids, base)
      : flags.staged === true
        ? checkStaged(where)
        : checkFolders(where);
    const checks = unwrap(place, looked);
    const ws = flags.watch === true ? openWorkspace({ ...where, reads: true }) : undefined;
    if (ws?.ok === true) return watchTree(place, ws.value, where);
    printChecks(place, checks, reruns ? 'done task' : 'live task');
    if (checks.errors > 0 && frame.code === EXIT.fine) frame.code = EXIT.people;
  }),
};

function printChecks({ out }: Place, checks: Checked, what: string): void {
  const { problems, tasks, errors, warnings } = checks;
  for (const problem of problems) {
    out.data({ v: EVENT_VERSION, event: 'problem', problem });
    // Never coloured: problem matchers read a line from its first character.
    out.print(escapeText(formatProblem(problem)));
  }
  out.data({ v: EVENT_VERSION, event: 'check', tasks, errors, warnings });
  out.print(`${many(errors, 'error')}, ${many(warnings, 'warning')} in ${many(tasks, what)}.`);
}

const LOOK_S = 5;

/**
 * Checks at each change until Ctrl-C, and prints the list when it differs from the last one. The lines around a list
 * are those by which an editor finds it: templates/init/tasks.json.
 */
async function watchTree(place: Place, ws: Workspace, where: OpenOptions): Promise<void> {
  const { out, frame } = place;
  const { root, tasks } = ws.layout;
  const looks = new Looks(ws.elapsed_ms, LOOK_S * 1000);
  const bells = [tasks, join(root, SETTINGS)].map((folder) =>
    watchFolder(
      folder,
      () => looks.ring(),
      () => undefined,
    ),
  );
  await Promise.all(bells);
  out.print(`Checks at each change, and at least every ${LOOK_S} s. Ctrl-C ends it.`);
  let shown: string | undefined;
  await interruptible(async (signal) => {
    while (!signal.aborted) {
      const look = looks.begin();
      const checks = unwrap(place, checkFolders(where));
      look.end();
      const now = JSON.stringify(checks);
      if (now !== shown) {
        out.print('Checking:');
        printChecks(place, checks, 'live task');
      }
      shown = now;
      await looks.next(signal);
    }
  });
  for (const bell of bells) await (await bell)?.close();
  frame.code = EXIT.interrupted;
}

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
