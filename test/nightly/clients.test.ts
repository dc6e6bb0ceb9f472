/** What the real clients play that costs too much for the default run: OpenCode takes long. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CELLS } from '../support/cells.ts';
import { playAsUser, playStories } from '../support/client-stories.ts';
import { BRIDGE_NAMES, clientsMissing } from '../support/clients.ts';
import { playExample } from '../support/examples.ts';

const INSTALL = fileURLToPath(new URL('../../scripts/install-clients.mjs', import.meta.url));
// Where there is no registry their cells are counted as skipped.
spawnSync(process.execPath, [INSTALL, ...BRIDGE_NAMES], { stdio: 'ignore' });

playStories({ client: 'opencode', prices: true, timeout_s: 30, resumes: true }, [
  'reviewed',
  'walled',
  'violated',
  'timeout',
]);

for (const player of Object.values(CELLS)) playAsUser(player, ['reviewed'], ['reviewed']);

const HEADLESS = ['Claude Code', 'Codex', 'Gemini CLI', 'OpenCode'];
for (const name of HEADLESS) playStories(CELLS[name]!, ['told']);

test.runIf(clientsMissing(['opencode']).length === 0)(
  'every command of the page of OpenCode prints what it says',
  async () => {
    const { blocks } = await playExample({ name: 'opencode', client: 'opencode' });
    expect(blocks.length).toBeGreaterThan(0);
    for (const { was, is } of blocks) expect(is).toBe(was);
  },
);
