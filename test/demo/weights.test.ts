/** The story of the demo with two learnings: what its checks and its reviewer sent back is counted. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { STORY } from '../../src/demo/core/story.ts';
import { copyWorkspace } from '../../src/demo/engine/copy-workspace.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { BINARY } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const room = join(sealedFolder('weights'), 'demo');

function said(argv: readonly string[]): string {
  const how = { cwd: room, env: sealedEnv(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  try {
    return execFileSync(process.execPath, [BINARY, ...argv], how as { encoding: 'utf8' });
  } catch (error) {
    // A person is needed.
    const { status, stdout } = error as { readonly status: unknown; readonly stdout: string };
    expect(status).toBe(1);
    return stdout;
  }
}

beforeAll(() => {
  expect(copyWorkspace(realDisk, room)).toBeUndefined();
  const put = (id: string, text: string): void =>
    putFile(join(room, `.contracts/memory/insight/${id}.md`), `${text}\n`);
  put('species', 'Count each species of October once: the notebook has several spellings');
  put('visitors', 'Set the page so that every visitor who cannot see the chart is told of it');
  put('certificates', 'Renew TLS certificates quarterly');
  for (const { command } of STORY) said(command);
});

test('the tally passed at the second try, the page after the reviewer, and the third learning fits no task', () => {
  const lines = checkedLines(said(['memory', 'show', '--json'])) as unknown as readonly Counted[];
  const seen = Object.fromEntries(lines.map((one) => [one.id, one]));
  expect(seen['species']).toMatchObject({ returned: expect.arrayContaining(['tally']) as unknown });
  expect(seen['species']?.uses).toContain('tally');
  expect(seen['visitors']?.uses).toContain('page');
  expect(seen['visitors']?.returned).toContain('page');
  expect(seen['certificates']).toMatchObject({ uses: [], returned: [], weight: 0.5 });
  for (const { uses, returned, passed, came_back, weight } of lines) {
    expect([passed, came_back]).toEqual([uses.length, returned.length]);
    expect(weight).toBeCloseTo((passed + 1) / (passed + came_back + 2), 2);
  }
});

test('no result of the demo names how sure its agent is', () => {
  expect(said(['status', '--stats', '--confidence'])).toBe(
    'No result has said yet what it assumes or teaches.\n',
  );
});

interface Counted {
  readonly id: string;
  readonly uses: readonly string[];
  readonly returned: readonly string[];
  readonly passed: number;
  readonly came_back: number;
  readonly weight: number;
}
