/** A home for one call: the person's settings, with those of the call over them. */
import { join } from 'node:path';
import type { AgentCall, Invocation } from '../../process/adapter.ts';
import { makeGeminiHome, type GeminiHome } from '../../clients/gemini/gemini-home.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { commentedJson } from '../../task/text/yaml/commented-json.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** How the path of each begins. */
export const homeOfCall = (ws: Workspace): string =>
  join(ws.env['TMPDIR'] || '/tmp', 'contracts-home-');

export function clientHome(
  ws: Workspace,
  { state_dirs: [folder] }: Pick<AgentCall, 'state_dirs'>,
  { home_settings }: Pick<Invocation, 'home_settings'>,
): GeminiHome | undefined {
  if (folder === undefined || home_settings === undefined) return undefined;
  return makeGeminiHome(folder, homeOfCall(ws), (text, file) => {
    const below = commentedJson(text);
    if (below === undefined)
      throw new Fault('adapter', `${file} is not valid JSON`, { fix: 'Correct it' });
    return JSON.stringify(laidOver(below, home_settings), undefined, 2);
  });
}

/** Lists are joined, ours first: hooks of the person still run. */
function laidOver(below: unknown, above: unknown): unknown {
  if (Array.isArray(above)) return [...above, ...(Array.isArray(below) ? below : [])];
  if (!(above instanceof Object) || !(below instanceof Object)) return above;
  const theirs = new Map(Object.entries(below));
  const both = Object.entries(above).map(([key, one]) => [key, laidOver(theirs.get(key), one)]);
  return { ...below, ...Object.fromEntries(both) };
}
