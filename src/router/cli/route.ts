/** route: prints what a message asks for. */
import { agentsOf } from '../../agents/engine/registry.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { dataOf } from '../../cli/output/output.ts';
import { refuseUse, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import type { lines } from '../core/router-lines.ts';
import { routeHere } from '../engine/route-here.ts';

const routerData = dataOf<typeof lines>();

interface Flags {
  readonly source?: string;
  readonly agent?: string;
  /** False: a plan that is being worked on is no reason. */
  readonly check: boolean;
}

const route = verb((verb, flags: Flags, words: readonly string[]) => {
  const { ws, out, frame } = verb;
  const to = flags.agent === undefined ? undefined : agentNamed(verb, flags.agent);
  const decision = routeHere(ws, words.join(' '), flags.source, flags.check);
  const isTheirs = to !== undefined && decision.handler === 'direct';
  const found = { ...decision, ...(isTheirs && { agent: to.name }) };
  routerData(out, { v: 1, event: 'route', ...found, ...(to && { does: to.description }) });
  if (out.json) return;
  const { should_route, confidence, reason, next, agent } = found;
  const sure = should_route ? `, ${Math.round(confidence * 100)} % sure` : '';
  const begins = agent === null ? '' : `; ${agent} begins`;
  out.printWrapped(escapeText(`${should_route ? '' : 'not routed: '}${reason}${sure}${begins}`));
  if (to !== undefined) out.printWrapped(escapeText(`${to.name}: ${to.description}`));
  if (next !== '') frame.streams.err(`Next: ${escapeText(next)}\n`);
});

function agentNamed(verb: Verb, typed: string) {
  const name = typed.replace(/^@/, '');
  const agents = agentsOf(verb.ws);
  const found = agents.get(name);
  if (found !== undefined) return { name, description: found.description };
  const fix = didYouMean(name, agents.names()).trim() || 'See them: contracts agents';
  return refuseUse(verb, 'there is no such agent', fix, typed);
}

export const runs = { route };
