/**
 * The real clients in a sandbox: a command of theirs writes no settings of the person's own, also where there are none
 * yet, and the session that the runner began goes on when the person resumes it by hand.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientFolder, clientsMissing, homeFor, sandboxWorks } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { sealedEnv } from '../support/sealed-folder.ts';
import { makeStage } from '../support/stage.ts';
import { share } from '../support/share.ts';

/** What its own sessions obey, and the words of a person who goes on with a session. */
const CLIENTS = [
  ['claude', '.claude/settings.json', ['-p', 'Go on.', '--resume', 'ID']],
  ['codex', '.codex/hooks.json', ['exec', 'resume', 'ID', '--skip-git-repo-check', 'Go on.']],
  ['gemini', '.gemini/keybindings.json', ['-p', 'Go on.', '--resume', 'ID']],
  ['opencode', '.config/opencode/plugin/own.js', ['run', '--session', 'ID', 'Go on.']],
] as const;

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const here = sandboxWorks() && clientsMissing().length === 0;
// Two of them for a commit; at night all.
test.runIf(here).each(share(CLIENTS, 2))(
  '%s writes no %s, and its session goes on by hand',
  async (client, file, words) => {
    const stage = makeStage({ client, model, story: `shell-outside ../home/${file}` });
    await stage.run();
    const { enforced, noticed, session } = stage.outcome(1);
    expect({ enforced, noticed }).toEqual({
      enforced: expect.arrayContaining(['sandbox']),
      noticed: undefined,
    });
    expect(existsSync(join(stage.home, file))).toBe(false);
    const { env } = homeFor(client, stage.home, model.url);
    const own = { HOME: stage.home, TMPDIR: join(stage.home, '../tmp'), ...env };
    const asked = model.asked.length;
    const call = promisify(execFile)(
      join(clientFolder(client), client),
      words.map((word) => (word === 'ID' ? String(session) : word)),
      {
        cwd: stage.root,
        env: { ...sealedEnv(), GEMINI_CLI_TRUST_WORKSPACE: 'true', ...own },
      },
    );
    call.child.stdin?.end();
    // A session that is not found ends with an error.
    await call;
    expect(model.asked.length).toBeGreaterThan(asked);
  },
);
