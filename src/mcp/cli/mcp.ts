/** mcp, where the file of all verbs is loaded first: the server is a program beside it. */
export const runs = {
  mcp: async (): Promise<void> => {
    const { start } = await import('./start.ts');
    start();
  },
};
