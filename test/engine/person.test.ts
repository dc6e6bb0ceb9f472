/** A person has one name, and whoever writes the other one means the same, in contracts and in squads. */
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { gatesByContract } from '../../src/task/core/model/policy.ts';
import { preflight } from '../../src/engine/preflight/preflight.ts';
import { executorOf } from '../../src/agents/engine/roles.ts';
import { completed } from '../../src/workspace/tasks/complete-contract.ts';
import { parseContract } from '../../src/task/text/documents/contract.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root = '';
beforeEach(() => void (root = sealedFolder('person')));

const SQUADS = [
  ['none', ''],
  ['default_executor: human', 'default_executor: human\n'],
  ['default_executor: person', 'default_executor: person\n'],
] as const;

test.each(
  SQUADS.flatMap(([what, yaml]) =>
    ['human', 'person'].flatMap((gate) =>
      (yaml === '' ? ['human', 'person'] : ['']).map((agent) => ({ what, yaml, gate, agent })),
    ),
  ),
)('squad $what, agent $agent, gate $gate', ({ yaml, gate, agent }) => {
  const folder = join(root, '.contracts/squads/s');
  putFile(join(folder, 'SQUAD.yaml'), `description: x\nagents: [dev]\n${yaml}`);
  const ws = openedAt(root, { env: { PATH: '', HOME: root } });
  const who = agent === '' ? 'squad: s' : `agent: ${agent}`;
  const text = `---\nv: 1\n${who}\nquality_gate: [${gate}]\n---\n# A\n\n## Objective\n\nA\n\n## Success Criteria\n\n- [ ] a\n`;
  const read = parseContract(text, 'contract.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const contract = completed(ws, read.value);
  const { name, adapter_name, adapter } = executorOf(ws, contract);
  expect({ name, adapter_name, mode: adapter?.mode }).toEqual({
    name: 'person',
    adapter_name: 'human',
    mode: 'human',
  });
  expect(gatesByContract(contract, ws.config)).toEqual(['person']);
  expect(preflight(ws, folder, contract, false)).toEqual([]);
});
