/**
 * The agents that a contract names for work and review: each must be known and have an adapter whose
 * program is installed; a reviewer can judge, and is not the executor.
 */
import { callsAgent } from '../../process/adapter.ts';
import { isInstalled } from '../../process/program.ts';
import { CLIENT_TYPES } from '../../clients/core/records.ts';
import { adapterNames } from '../../clients/adapters/registry.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { budgetFor } from '../../task/core/attempts/budget.ts';
import { gatesFor, isSame } from '../../agents/engine/gates.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { pushGrant } from '../../trust/push-grant.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { checkNetwork } from '../../sandbox/engine/network.ts';
import { checkReviewer } from '../../permissions/engine/enforce/preflight-permissions.ts';
import type { Report } from '../../task/core/model/problem.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { asksPerson, executorOf, isAdapter, roleOf, type Role } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function checkExecutor(ws: Workspace, contract: Contract, report: Report): void {
  const role = executorOf(ws, contract);
  checkKnown(ws, role.name, 'this agent does not exist', ['agent', 'category'], report);
  checkCall(ws, contract, role, ['adapter', 'agent'], report);
  for (const key of ['cost_max', 'tokens_max'] as const) {
    if (contract.head[key] !== 0 || !callsAgent(role.adapter)) continue;
    const message = `${key} is 0, so ${role.name} is never called`;
    const more = { severity: 'warning', found: '0', keys: [key] } as const;
    report('bad_value', message, 'Raise it, or take it out', more);
  }
  const { cost_max } = budgetFor(contract, role.settings, ws.config);
  const limit = cost_max === undefined ? ws.config.run_cost_max : cost_max;
  if (role.adapter?.client?.costless === true && (limit ?? 0) > 0) {
    const key = cost_max === undefined ? 'run_cost_max' : 'cost_max';
    const message = `${role.adapter_name} reports no cost: ${key} has no effect`;
    const fix = `Use ${key.replace('cost', 'tokens')}`;
    report('bad_value', message, fix, { severity: 'warning', keys: [key, 'adapter', 'agent'] });
  }
  if (role.adapter_name === 'shell' && contract.steps.length === 0) {
    const fix =
      contract.head.workflow !== undefined && contract.head.plan !== undefined
        ? 'Set adapter: NAME of a client in .contracts/config.yaml, or adapter: human to write it yourself'
        : 'Choose one: contracts init, or --adapter human; or add ## Steps with a ```sh block';
    const isMeant = contract.head.adapter === 'shell';
    const message = isMeant
      ? 'shell is its adapter, and there is no script'
      : 'no agent is configured, and there is no script';
    report('missing_section', message, `${clientHint(ws)}${fix}`, { keys: ['adapter', 'agent'] });
  }
}

/** The first client that is installed here, and how to name it; `flag` is a verb's own way. */
export function clientHint(ws: Workspace, flag = '--adapter NAME, or '): string {
  const name = CLIENT_TYPES.find((one) => isThere(ws, one));
  if (name === undefined) return '';
  const ways = `${flag}adapter: NAME in .contracts/config.yaml`.replaceAll('NAME', name);
  return `${name} is installed: ${ways}. `;
}

/** For an agent whose file cannot be read, the problems of the file are reported. */
function checkKnown(
  ws: Workspace,
  name: string,
  message: string,
  keys: readonly string[],
  report: Report,
): boolean {
  const registry = agentsOf(ws);
  if (registry.has(name)) return true;
  const [broken] = registry.problems(name);
  if (broken !== undefined) {
    const { code, message, fix, ...rest } = broken;
    // No file is wrong: the contract names an agent that does not exist.
    const { file: _, line: __, ...words } = rest;
    const place = code === 'unknown_agent' ? { ...words, keys } : rest;
    report(code, message, fix, { ...place, severity: 'error' });
    return false;
  }
  if (isAdapter(ws, name)) return true;
  const cure = registry.hiding(name) ?? 'Describe it in .contracts/agents/, or name another one';
  report('unknown_agent', message, `${didYouMean(name, [PERSON, ...registry.offered()])}${cure}`, {
    found: name,
    expected: `${keys[0]?.startsWith('quality_gate') === true ? 'person, or ' : ''}one of those that contracts agents lists`,
    keys,
  });
  return false;
}

/** A program that is missing is reported once. */
function checkAdapter(
  ws: Workspace,
  { head }: Contract,
  role: Role,
  keys: readonly string[],
  report: Report,
  told: Set<string>,
): void {
  if (role.adapter === undefined) {
    const known = adapterNames(ws.config);
    const found = role.adapter_name;
    const message = `${role.name} is called by an adapter that does not exist`;
    const hints = `${didYouMean(found, known)}${clientHint(ws)}`;
    const fix = `${hints}Name one that exists, or add it to .contracts/config.yaml`;
    const isOfSettings = head.adapter !== found && role.definition?.adapter !== found;
    const place = isOfSettings ? { file: `${SETTINGS}/config.yaml` } : { keys };
    return report('unknown_adapter', message, fix, { found, expected: known.join(', '), ...place });
  }
  const program = role.adapter.program;
  if (program !== undefined && !told.has(program) && !isThere(ws, program)) {
    told.add(program);
    const install = role.adapter.install ?? `Install ${program}`;
    const message = `\`${program}\`, which runs ${role.name}, is not installed`;
    report('missing_program', message, `${clientHint(ws)}${install}, or name another agent`, {
      keys,
    });
  }
}

function checkCall(
  ws: Workspace,
  contract: Contract,
  role: Role,
  keys: readonly string[],
  report: Report,
  told = new Set<string>(),
): void {
  checkAdapter(ws, contract, role, keys, report, told);
  const { name, adapter } = role;
  // Agents of the package may not push and close no network, and are not read for it.
  const definition = agentsOf(ws).isPlain(name) ? undefined : role.definition;
  // One that may push gets the person's keys, which a person must have allowed.
  const grants = pushGrant(name, definition);
  const distrust = grants.length === 0 ? undefined : whyUntrusted(ws, grants);
  if (distrust !== undefined)
    report(distrust.code, distrust.message, distrust.fix, { file: distrust.file, line: 1 });
  checkNetwork(ws, contract, { name, adapter, definition }, () => isThere(ws, 'bwrap'), report);
}

export function checkGates(ws: Workspace, contract: Contract, report: Report): void {
  const executor = executorOf(ws, contract);
  const told = new Set([executor.adapter?.program ?? '']);
  for (const [i, gate] of gatesFor(ws, contract).entries()) {
    if (gate === PERSON) continue;
    const keys = [`quality_gate.${i}`, 'quality_gate', 'category'];
    if (isSame(ws, gate, executor.name)) {
      const fix = 'Name another reviewer, or person';
      const message = 'the gate would review its own work';
      report('gate_is_executor', message, fix, { found: gate, keys });
      continue;
    }
    if (gate === ws.config.gate && !agentsOf(ws).has(gate)) {
      const meant = didYouMean(gate, [PERSON, ...agentsOf(ws).names()]);
      const fix = `${meant}Name person, or an agent: contracts agents`;
      const file = `${SETTINGS}/config.yaml`;
      report('unknown_agent', 'the gate of all work does not exist', fix, { file, found: gate });
      continue;
    }
    if (!checkKnown(ws, gate, 'this reviewer does not exist', keys, report)) continue;
    if (asksPerson(ws, contract, gate)) continue;
    const role = roleOf(ws, gate);
    checkCall(ws, contract, role, keys, report, told);
    checkReviewer(ws, executor, role, keys, report);
    if (role.adapter_name === 'shell') {
      const message = `the reviewer ${gate} would be called by the shell adapter, which cannot judge`;
      const fix = 'Give this agent an adapter in .contracts/config.yaml, or name person';
      report('unknown_adapter', message, fix, { found: 'shell', keys });
    }
  }
}

/** By whatever names they are called. */
/** Asked again where only a row is known (step/facts.ts). */
export const PROGRAM = 'program ';

export function isThere(ws: Workspace, program: string): boolean {
  const look = (): boolean =>
    ws.installed?.get(program) ?? isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root);
  const is = ws.about?.(`${PROGRAM}${program}`, look) ?? look();
  ws.installed?.set(program, is);
  return is;
}
