/** Whether the checks of a project pass without a network: they run once, in a sandbox that has none. */
import { once } from 'node:events';
import { join } from 'node:path';
import { programEnvironment } from '../../process/adapter.ts';
import { spawn } from '../../process/child-process.ts';
import { confine, sandboxHere } from '../../sandbox/engine/confine.ts';
import { ALONE } from '../../task/core/model/checks.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { detectChecks } from './project-checks.ts';

/** Ends with the number of the first that fails. */
const EACH = 'n=0; for check; do n=$((n + 1)); sh -c "$check" || exit $n; done';
const HOW = { stdio: Array(3).fill('ignore'), killSignal: 'SIGKILL', timeout: 120_000 } as const;

const OTHER = new RegExp(`^(?:(?!run:)\\w+:\\s|(?:${ALONE.join('|')}|\\w+_valid)$)`);

/** Commands found in the project, and those of `checks`; none where no sandbox works, or where a setting has decided. */
export function checksToTry(ws: Workspace): readonly string[] {
  const { config, person, disk, layout } = ws;
  const found = detectChecks(disk, layout.root).get('lsp_build_test') ?? [];
  const all = [found, ...Object.values(config.checks)].flat(2);
  const runs = all.filter((one) => !OTHER.test(one));
  const text = textIfThere(disk, join(layout.root, SETTINGS, 'config.yaml')) ?? '';
  const isSet = person.network !== undefined || /^[^#]*\bnetwork:/m.test(text);
  if (isSet || runs.length === 0 || !sandboxHere(ws, undefined).works) return [];
  return [...new Set(runs.map((one) => one.replace(/^run: */, '')))];
}

/** Why they do not pass; undefined where all do. Started here itself, so that they end with this process. Throws AbortError. */
export async function whyOpen(ws: Workspace, checks: readonly string[], signal: AbortSignal) {
  const [cwd, mark, closed] = [ws.layout.root, ws.machine.nonce(), { by: 'the trial', fix: '' }];
  const scope = { kind: 'check', root: cwd, permissions: READ_ONLY, writes: [], closed } as const;
  const [argv, env] = [['sh', '-c', EACH, 'sh', ...checks], programEnvironment(ws.env)];
  const confined = confine(ws, undefined, scope, { argv, env, cwd, mark, starts: [] });
  const [program = '', ...args] = confined.argv;
  const child = spawn(program, args, { ...HOW, env: confined.env, cwd, signal });
  const [status] = (await once(child, 'close').finally(confined.end)) as [number | null];
  if (status === 0) return undefined;
  const check = checks[(status ?? 0) - 1];
  return check === undefined ? 'they did not end within 2 minutes' : `${check} fails`;
}
