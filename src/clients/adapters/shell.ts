/** The `shell` adapter: runs the ```sh blocks of a contract. Each is a file on the desk, so nothing is quoted. */
import { Fault } from '../../task/core/model/problem.ts';
import type { Adapter, AgentCall, Invocation } from '../../process/adapter.ts';

export const shellAdapter: Adapter = {
  name: 'shell',
  mode: 'process',
  // The runner writes the result from what it verified, unless a block wrote one.
  writes_result_itself: false,
  program: 'sh',
  resumable: false,
  deaf: 'the shell adapter runs the blocks of the contract, without a conversation',
  prepare,
  read: (line) => {
    const step = /^== step (\d+ of \d+)$/.exec(line);
    if (step !== null) return [{ kind: 'tool', name: 'step', detail: step[1] ?? '' }];
    return line === '' ? [] : [{ kind: 'line', text: line }];
  },
};

function prepare(call: AgentCall): Invocation {
  if (call.steps.length === 0) {
    const fix = 'Write the commands in a ```sh block under ## Steps, or name another adapter';
    throw new Fault('adapter', 'the shell adapter needs a ```sh block under ## Steps', { fix });
  }
  const files: Record<string, string> = { 'steps.sh': driver(call.steps.length) };
  call.steps.forEach((step, index) => {
    files[`step-${index + 1}.sh`] = step.endsWith('\n') ? step : `${step}\n`;
  });
  return { argv: ['sh', `${call.desk}/steps.sh`], env: {}, stdin: 'null', files, cwd: call.root };
}

function driver(total: number): string {
  return `# Runs the contract's steps in order. Stops at the first that fails, with its exit code,
# and quietly after one that wrote questions.md or result.md.
n=1
while [ "$n" -le ${total} ]; do
  printf '== step %s of ${total}\\n' "$n"
  sh -eu "$CONTRACTS_OUT/step-$n.sh" || exit $?
  if [ -e "$CONTRACTS_OUT/questions.md" ] || [ -e "$CONTRACTS_OUT/result.md" ]; then exit 0; fi
  n=$((n + 1))
done
`;
}
