/** What a runner collects and asks while another agent works is not that agent's doing. */
import { beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { assumptionsRoom, THREE } from '../room.ts';

let room = assumptionsRoom('parallel: 3\nsandbox: none\n');
beforeEach(() => void (room = assumptionsRoom('parallel: 3\nsandbox: none\n')));

/** An agent that works until that is there. */
function slowUntil(path: string): void {
  const agent = room.read('.contracts/agent.sh');
  const wait = `until test -e ${path}; do sleep 0.1; done`;
  room.write(
    '.contracts/agent.sh',
    `if test "$CONTRACTS_TASK" = slow; then touch began; ${wait}; fi\n${agent}`,
  );
}

test('assumptions of a result, and the contract that asks about them', async () => {
  slowUntil('active_tasks/questions/assumptions-shop');
  room.task('slow', '', '');
  room.task('quick', THREE);
  const slow = room.said('run', '--only', 'slow');
  await until(() => room.has('began'));
  await room.said('run', '--only', 'quick');
  const { out } = await slow;
  expect(out).toContain('slow  review → done');
  expect(out).not.toContain('noticed');
});
