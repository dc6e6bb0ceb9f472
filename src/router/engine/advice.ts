/** What the router says of the first prompt of a session. */
import type { Workspace } from '../../workspace/open/workspace.ts';
import { SURE_MIN } from '../../teams/core/teams.ts';
import { USER } from '../core/route.ts';
import { routeHere } from './route-here.ts';

export function advice(ws: Workspace, words: string) {
  const { should_route, confidence, reason, next, agent } = routeHere(ws, words, USER);
  // A guess in each session would be read as noise.
  if (!should_route || confidence < SURE_MIN) return [];
  const begins = agent === null ? '' : `; ${agent} begins`;
  // A long message is not repeated: whoever reads this has it.
  const command = next.length > 300 ? next.replace(/'[^]*'/, "'THE MESSAGE'") : next;
  const text = `${reason}, ${Math.round(confidence * 100)} % sure${begins}.\nNext: ${command}`;
  return [{ title: 'Advice of the router', text }];
}
