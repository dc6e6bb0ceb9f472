/** Before anything of a workspace is started: a Fault where nobody trusts it. */
import { Fault } from '../task/core/model/problem.ts';
import { whyUntrusted } from './trust.ts';
import type { Workspace } from '../workspace/open/workspace.ts';

export function mustBeTrusted(ws: Workspace): void {
  const said = whyUntrusted(ws);
  if (said !== undefined) throw new Fault('trust', said.message, { fix: said.fix });
}
