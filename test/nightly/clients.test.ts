/** What the real clients play that costs too much for the default run: OpenCode takes long. */
import { expect, test } from 'vitest';
import { playStories } from '../support/client-stories.ts';
import { clientsMissing } from '../support/clients.ts';
import { playExample } from '../support/examples.ts';

playStories({ client: 'opencode', prices: true, timeout_s: 30, resumes: true }, [
  'reviewed',
  'walled',
  'violated',
  'timeout',
]);

test.runIf(clientsMissing(['opencode']).length === 0)(
  'every command of the page of OpenCode prints what it says',
  async () => {
    const { blocks } = await playExample({ name: 'opencode', client: 'opencode' });
    expect(blocks.length).toBeGreaterThan(0);
    for (const { was, is } of blocks) expect(is).toBe(was);
  },
);
