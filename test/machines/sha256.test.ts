/** A repository whose objects have SHA-256 names is worked on by another machine as any other. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { machinesRoom, wrongs } from '../support/machines-room.ts';
import { queueServersMissing, startRedis } from '../support/queue-servers.ts';

describe.runIf(queueServersMissing() === undefined)('a repository of SHA-256', () => {
  test('its task is done elsewhere', async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const room = machinesRoom({ url: server.url, tasks: 1, retries_max: 0 });
    rmSync(join(room.root, '.git'), { recursive: true });
    room.git('init -q -b main --object-format=sha256');
    room.git('add .contracts base.txt');
    room.git('commit -q -m first');
    await room.worker('w1', { slots: 1 });
    await room.run().started.ended;
    expect(room.outcomes().map(({ reason }) => reason)).not.toContain('');
    expect(wrongs(room)).toEqual([]);
  });
});
