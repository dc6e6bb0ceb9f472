/** mcp, as the command has it: what is wrong with its flags. The server is a program beside it. */
import { bare, refuseUse } from '../../cli/terminal/verb-context.ts';
import { GROUPS, seedToolsOf } from '../core/seed-tools.ts';

export const runs = {
  mcp: bare(async (call, { tools }: { readonly tools?: string }): Promise<void> => {
    if (tools !== undefined && seedToolsOf(tools) === undefined) {
      const message = `${tools} is no group of tools`;
      refuseUse(call, message, `Name all, or some of ${GROUPS.join(',')}`);
    }
    const { start } = await import('./start.ts');
    start();
  }),
};
