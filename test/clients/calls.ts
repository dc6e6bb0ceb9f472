/** One ordinary call, to be changed by a test where it matters. */
import type { AgentCall } from '../../src/process/adapter.ts';
import { OPEN } from '../../src/task/core/model/permissions.ts';

export function call(change: Partial<AgentCall> = {}): AgentCall {
  return {
    task: 'build_20261121_login_k3f9',
    attempt: 2,
    kind: 'work',
    agent: 'builder',
    root: '/w',
    workspace: '/w',
    desk: '/w/desk',
    brief_file: '/w/desk/brief.md',
    contract_file: '/w/desk/contract.md',
    brief: '# CONTEXT\n',
    steps: [],
    state_dirs: [],
    extra_dirs: [],
    instructions: '',
    permissions: OPEN,
    permission: 'default',
    env_names: [],
    interactive: false,
    ...change,
  };
}
