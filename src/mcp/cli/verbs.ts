/** The verb mcp, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const MCP: JoiningVerb = {
  name: 'mcp',
  after: 'route',
  group: 'For hosts, scripts and shells',
  bundle: 'mcp',
  summary: 'a server of tools for an agent client: new, delegate, collect, questions, show, list',
  effect: 'reads',
  flags: [
    [
      '--tools <groups>',
      'more, under the names of other systems: teams, skills, memory, plans, with commas, or all',
    ],
  ],
  example: 'contracts mcp --tools memory,plans',
  load: () => import('./mcp.ts'),
};
