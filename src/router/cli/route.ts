/** route: prints what a message asks for. */
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { dataOf } from '../../cli/output/output.ts';
import { verb } from '../../cli/terminal/verb-context.ts';
import type { lines } from '../core/router-lines.ts';
import { routeHere } from '../engine/route-here.ts';

const routerData = dataOf<typeof lines>();

const route = verb(({ ws, out, frame }, flags: { source?: string }, words: readonly string[]) => {
  const found = routeHere(ws, words.join(' '), flags.source);
  routerData(out, { v: 1, event: 'route', ...found });
  if (out.json) return;
  const { should_route, confidence, reason, next, agent } = found;
  const sure = should_route ? `, ${Math.round(confidence * 100)} % sure` : '';
  const begins = agent === null ? '' : `; ${agent} begins`;
  out.printWrapped(escapeText(`${should_route ? '' : 'not routed: '}${reason}${sure}${begins}`));
  if (next !== '') frame.streams.err(`Next: ${escapeText(next)}\n`);
});

export const runs = { route };
