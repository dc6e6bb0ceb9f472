/**
 * One task with a real agent that counts its own starts, for tests under strace: made, broken once
 * or twice at a system call, then run to its end by the real binary; and what must hold then.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { init } from '../../src/engine/setup/init.ts';
import { BINARY } from './binary.ts';
import { unsyncedDisk } from './faulty-disk.ts';
import { sealedFolder } from './sealed-folder.ts';
import { stepWith, type Call } from './strace.ts';

const CONFIG = 'adapter: mine\nadapters:\n  mine: { type: command, run: [sh, agent.sh] }\n';
const AGENT = `echo "$CONTRACTS_ATTEMPT" >>starts.txt
echo made >out.txt
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is there\\n\\n## Notes\\n\\nwords of the agent\\n' >"$CONTRACTS_OUT/result.md"
`;
const CONTRACT =
  '---\nv: 1\ntitle: one\nverify:\n  - run: test -s out.txt\n---\n\n# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n';

export function makeWalk(): string {
  const root = sealedFolder('strace');
  init(unsyncedDisk, root);
  fs.writeFileSync(join(root, '.contracts/config.yaml'), CONFIG);
  fs.writeFileSync(join(root, 'agent.sh'), AGENT);
  const task = join(root, 'active_tasks/ready/one');
  fs.mkdirSync(task);
  fs.writeFileSync(join(task, 'contract.md'), CONTRACT);
  return root;
}

export interface Break {
  readonly call: Call;
  readonly how: string;
}

/** What is wrong after these breaks, each in a step of its own; empty when all holds. */
export function walkThrough(breaks: readonly Break[]): { wrong: string[]; met: number } {
  const root = makeWalk();
  const wrong: string[] = [];
  let met = 0;
  for (const { call, how } of breaks) {
    const hit = stepWith(root, call, how);
    if (hit.met !== undefined) met++;
    const killed = how.startsWith('signal');
    // An error of a pipe of Node itself, or of a gate: the numbers of a busy machine are others. It proves nothing.
    if (hit.met === undefined && !killed) return { wrong: [], met };
    if (hit.met !== undefined && !killed && ![0, 3].includes(hit.code)) {
      wrong.push(`exit ${hit.code} after ${how}: ${hit.stderr.slice(0, 300)}`);
    }
  }
  const ended = spawnSync(process.execPath, [BINARY, 'run', '--dir', root], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (ended.status !== 0)
    wrong.push(`run ended with ${ended.status}: ${ended.stdout}${ended.stderr}`);
  wrong.push(...looksWrong(root));
  fs.rmSync(root, { recursive: true, force: true });
  const where = breaks.map(
    ({ call, how }) => `${how} at ${call.syscall} ${call.nth} (${call.line.slice(0, 200)})`,
  );
  return { wrong: wrong.map((one) => `${where.join(', then ')}: ${one}`), met };
}

function looksWrong(root: string): string[] {
  const wrong: string[] = [];
  const tasks = join(root, 'active_tasks');
  const found = fs.readdirSync(tasks).filter((state) => fs.existsSync(join(tasks, state, 'one')));
  if (found.join() !== 'done') wrong.push(`the task is in ${found.join()}`);
  const result = join(tasks, 'done/one/result.md');
  if (!fs.existsSync(result) || !fs.readFileSync(result, 'utf8').includes('words of the agent')) {
    wrong.push('the words of the agent are lost');
  }
  // The agent outlives its runner and leaves an exit record: there is never a reason to run it again.
  const counter = join(root, 'starts.txt');
  const starts = fs.existsSync(counter) ? fs.readFileSync(counter, 'utf8').trim().split('\n') : [];
  if (starts.length !== 1) wrong.push(`the agent ran ${starts.length} times: ${starts.join()}`);
  const desks = join(tasks, '.desk');
  const left = fs.existsSync(desks) ? fs.readdirSync(desks) : [];
  if (left.length > 0) wrong.push(`desks were left over: ${left.join()}`);
  return wrong;
}
