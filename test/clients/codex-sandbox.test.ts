/**
 * The sandbox of the real codex, where ours is off: it runs no command at all when a folder that is
 * named to it is missing, a file or a link, so such a folder is made or left out.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsMissing } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { MADE } from '../support/model/stories.ts';
import { makeStage, TASK, type Stage } from '../support/stage.ts';
import { share } from '../support/share.ts';

type Put = (stage: Stage) => void;
const nothing: Put = () => undefined;
const link =
  (name: string, target: string): Put =>
  ({ root }) =>
    symlinkSync(target, join(root, name));

/** `done`: what it must write exists, or can be made. */
const FOLDERS: readonly (readonly [title: string, head: string, put: Put])[] = [
  ['a missing folder below all that it may write', 'agent: dev-junior\n', nothing],
  ['a missing folder that the contract names', 'write: [out/**, data/deep/**]\n', nothing],
  [
    'a link in place of a folder',
    'write: [out/**, data/**]\n',
    (stage) => {
      mkdirSync(join(stage.root, 'other'));
      link('data', 'other')(stage);
    },
  ],
  ['a link that leads nowhere', 'write: [out/**, data/**]\n', link('data', 'nowhere')],
  ['a link on the way to a folder', 'write: [out/**, data/deep/**]\n', link('data', 'out')],
  [
    'a file in place of a folder',
    'write: [out/**, data/**]\n',
    ({ root }) => writeFileSync(join(root, 'data'), ''),
  ],
  ['a file at the top, and a missing folder', 'write: ["*.md", out/**, data/**]\n', nothing],
  ['a worktree', 'agent: dev-junior\nisolation: worktree\n', nothing],
  ['a missing folder that an agent of soft rules names', 'agent: soft\n', nothing],
];

const SOFT = '---\nname: soft\nstrength: soft\nwrite: [out/**, data/**]\n---\n\nYou write.\n';

describe.runIf(clientsMissing(['codex']).length === 0)('codex without our sandbox', () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModel('complete');
  });
  afterAll(() => model.close());
  const stageOf = (head: string, story = 'complete') =>
    makeStage({ client: 'codex', model, story, head, sandbox: false });

  test.each(share(FOLDERS, 2))('%s keeps no command from running', async (...row) => {
    const [, head, put] = row;
    const stage = stageOf(head);
    mkdirSync(join(stage.root, '.contracts/agents'), { recursive: true });
    writeFileSync(join(stage.root, '.contracts/agents/soft.md'), SOFT);
    put(stage);
    const played = await stage.run();
    expect(`${played.stderr}${played.code === 0 ? '' : played.stdout}`).toBe('');
    expect(stage.outcome(1)).toMatchObject({ outcome: 'complete' });
    expect(stage.state()).toBe('done');
    // What was made for it and stayed empty is gone.
    expect(stage.changed()).not.toMatch(/data\/deep|plans/);
  });

  test('`contracts do` calls its default agent', async () => {
    const stage = stageOf('');
    rmSync(join(stage.root, 'active_tasks/ready', TASK), { recursive: true });
    const title = `Write ${MADE}. [story:complete]`;
    const done = await stage.contracts(['do', title, '--id', TASK, '--deliverable', MADE]);
    expect(done.code === 0 ? '' : done.stderr + done.stdout).toBe('');
    expect(stage.file(MADE)).toBe('Hello, world\n');
    expect(stage.outcome(1)).toMatchObject({ outcome: 'complete', agent: 'builder' });
  });
});
