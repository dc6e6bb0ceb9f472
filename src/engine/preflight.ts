/**
 * Pre-flight: what stands in the way of calling an agent, found before anything is claimed. Each
 * finding is a problem with its place and cure; the task waits in ready and the others go on.
 */
import { join } from 'node:path';
import { isInstalled } from '../agent/program.ts';
import { adapterNames } from '../agent/registry.ts';
import { isCheckpoint, whoDecides } from '../core/checkpoint.ts';
import { gatesOf, PERSON, type Contract } from '../core/contract.ts';
import { nearestId } from '../core/nearest.ts';
import { sandboxLevel } from '../core/policy.ts';
import { problem, type Problem, type ProblemCode } from '../core/problem.ts';
import { desksFolder, shown } from '../store/layout.ts';
import { checkReviewer, checkRights } from './preflight-rights.ts';
import { inside } from '../store/tasks.ts';
import { agentsOf } from './agent-book.ts';
import { executorOf, isAdapter, roleOf, type Role } from './roles.ts';
import { readSkill, skillNames } from './skill-files.ts';
import type { Workspace } from './workspace.ts';
import { isolationOf } from './worktree/ground.ts';
import { findRepository, isRepository } from './worktree/repository.ts';

/**
 * `folder` is where the task stands, for the places of problems. `settled`: the dependencies are
 * done, so that what they make can be expected to be there.
 */
export function preflight(
  ws: Workspace,
  folder: string,
  contract: Contract,
  settled: boolean,
): readonly Problem[] {
  const file = shown(ws.layout, join(folder, 'contract.md'));
  const found: Problem[] = [];
  const say: Say = (code, message, fix, { keys = [], ...extra } = {}) => {
    const line = keys.map((key) => contract.lines.get(key)).find((one) => one !== undefined) ?? 1;
    found.push(problem({ code, file, line, message, fix, ...extra }));
  };
  const decides = isCheckpoint(contract);
  if (decides && whoDecides(contract) === PERSON) return [];
  if (!decides && contract.criteria.length === 0) {
    say(
      'no_criteria',
      'there is no success criterion',
      'List what must be true under ## Success Criteria',
    );
  }
  const desks = desksFolder(ws.layout);
  if ((ws.disk.stat(desks)?.kind ?? 'folder') !== 'folder') {
    say('not_a_file', 'the place of the desks is a link or a file', 'Remove it', {
      file: shown(ws.layout, desks),
      expected: 'a folder, or nothing',
    });
  }
  checkSandbox(ws, contract, say);
  checkExecutor(ws, contract, say);
  if (!decides) checkGates(ws, contract, say);
  checkSkills(ws, contract, say);
  for (const [i, check] of contract.checks.entries()) {
    if (check.kind !== 'named') continue;
    say('unknown_check', 'this check is not known', 'Use one of the checks that exist', {
      found: check.name,
      expected: 'run:, file_exists:, matches:, template: or checklist',
      keys: [`verify.${i}`, 'verify'],
    });
  }
  checkIsolation(ws, contract, say);
  checkRights(ws, contract, say);
  if (settled) checkContext(ws, contract, say);
  return found;
}

function checkIsolation(ws: Workspace, contract: Contract, say: Say): void {
  const mode = executorOf(ws, contract).adapter?.mode ?? 'process';
  if (isolationOf(contract, ws.config, mode) === 'shared') return;
  const found = findRepository(ws.disk, ws.layout.root);
  if (!isRepository(found)) say('environment', found.why, found.fix, { keys: ['isolation'] });
  else if (!isThere(ws, 'git')) {
    say('environment', 'isolation: worktree needs git', 'Install git, or isolation: shared', {
      keys: ['isolation'],
    });
  }
}

interface Extra extends Partial<Problem> {
  /** Keys of the contract that are to blame; the first that is given says the line. */
  readonly keys?: readonly string[];
}

type Say = (code: ProblemCode, message: string, fix: string, extra?: Extra) => void;

/** Whether it works here shows when it is used; that it is not installed can be said before. */
function checkSandbox(ws: Workspace, contract: Contract, say: Say): void {
  if (sandboxLevel(contract, ws.config) !== 'bwrap' || isThere(ws, 'bwrap')) return;
  say(
    'environment',
    'a sandbox is demanded, and bubblewrap is not installed here',
    'Install bubblewrap, or say sandbox: auto',
    { found: 'sandbox: bwrap', keys: ['sandbox'] },
  );
}

function checkExecutor(ws: Workspace, contract: Contract, say: Say): void {
  const role = executorOf(ws, contract);
  checkKnown(ws, role.name, 'nobody knows this agent', ['agent', 'category'], say);
  checkAdapter(ws, role, ['adapter', 'agent'], say);
  for (const key of ['cost_max', 'tokens_max'] as const) {
    if (contract.head[key] !== 0 || role.adapter?.client === undefined) continue;
    const message = `${key} is 0, so ${role.name} is never called`;
    say('bad_value', message, 'Raise it, or take it out', {
      severity: 'warning',
      found: '0',
      keys: [key],
    });
  }
  if (role.adapter_name === 'shell' && contract.steps.length === 0) {
    say(
      'missing_section',
      'the shell adapter has nothing to run',
      'Add ## Steps with a ```sh block, or name another agent',
      { keys: ['adapter', 'agent'] },
    );
  }
}

/** A file that cannot be read says why itself: whoever is behind it may be allowed more. */
function checkKnown(
  ws: Workspace,
  name: string,
  message: string,
  keys: readonly string[],
  say: Say,
): boolean {
  const book = agentsOf(ws);
  if (book.has(name)) return true;
  const [broken] = book.problems(name);
  if (broken !== undefined) {
    const { code, message, fix, ...place } = broken;
    say(code, message, fix, { ...place, severity: 'error' });
    return false;
  }
  if (isAdapter(ws, name)) return true;
  const near = nearestId(name, [PERSON, ...book.offered()]);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  say('unknown_agent', message, `${meant}Describe it in .contracts/agents/, or name another one`, {
    found: name,
    expected: 'one of those that contracts agents lists',
    keys,
  });
  return false;
}

function checkAdapter(ws: Workspace, role: Role, keys: readonly string[], say: Say): void {
  if (role.adapter === undefined) {
    say(
      'unknown_adapter',
      `${role.name} is called by an adapter that does not exist`,
      'Name one that exists, or add it to .contracts/config.yaml',
      {
        found: role.adapter_name,
        expected: adapterNames(ws.config).join(', '),
        keys,
      },
    );
    return;
  }
  const program = role.adapter.program;
  if (program !== undefined && !isThere(ws, program)) {
    say(
      'environment',
      `the program of ${role.name} is not installed here`,
      `${role.adapter.install ?? `Install ${program}`}, or name another agent`,
      { found: program, keys },
    );
  }
}

function isThere(ws: Workspace, program: string): boolean {
  const known = ws.installed?.get(program);
  if (known !== undefined) return known;
  const is = isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root);
  ws.installed?.set(program, is);
  return is;
}

function checkGates(ws: Workspace, contract: Contract, say: Say): void {
  const executor = executorOf(ws, contract);
  for (const [i, gate] of gatesOf(contract).entries()) {
    if (gate === PERSON) continue;
    const keys = [`quality_gate.${i}`, 'quality_gate'];
    if (gate === executor.name) {
      say(
        'gate_is_executor',
        'the gate is the one who does the work',
        'Name another reviewer, or person',
        { found: gate, keys },
      );
      continue;
    }
    if (!checkKnown(ws, gate, 'nobody knows this reviewer', keys, say)) continue;
    const role = roleOf(ws, gate);
    checkAdapter(ws, role, keys, say);
    checkReviewer(ws, executor, role, keys, say);
    if (role.adapter_name === 'shell') {
      say(
        'unknown_adapter',
        `the reviewer ${gate} would be called by the shell adapter, which cannot judge`,
        'Give this agent an adapter in .contracts/config.yaml, or name person',
        { found: 'shell', keys },
      );
    }
  }
}

/** Those of the contract must be there; of the agent's own one that is missing is told. */
function checkSkills(ws: Workspace, contract: Contract, say: Say): void {
  for (const [i, name] of contract.head.skills.entries()) {
    sayOfSkill(ws, name, { keys: [`skills.${i}`, 'skills'] }, say);
  }
  const { name, definition } = skilledExecutor(ws, contract) ?? {};
  for (const skill of definition?.skills ?? []) {
    const place = definition?.file === undefined ? {} : { file: definition.file, line: 1 };
    sayOfSkill(ws, skill, { severity: 'warning', keys: ['agent'], ...place }, say, name);
  }
}

/** What comes with the package names no skills, and is not read for that. */
function skilledExecutor(ws: Workspace, contract: Contract): Role | undefined {
  const role = executorOf(ws, contract);
  return agentsOf(ws).isPlain(role.name) ? undefined : role;
}

function sayOfSkill(ws: Workspace, name: string, extra: Extra, say: Say, agent = ''): void {
  const read = readSkill(ws, name);
  if (read.ok) return;
  if (read.problem !== undefined) {
    const { code, message, fix, ...place } = read.problem;
    say(code, `skill ${name}: ${message}`, fix, {
      ...extra,
      ...place,
      severity: extra.severity ?? 'error',
    });
    return;
  }
  const near = nearestId(name, skillNames(ws));
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  say(
    'unknown_skill',
    agent === '' ? 'there is no such skill' : `a skill of ${agent} is not there`,
    `${meant}Write it: .contracts/skills/<name>/SKILL.md`,
    { ...extra, found: name },
  );
}

function checkContext(ws: Workspace, contract: Contract, say: Say): void {
  for (const path of contract.context_files) {
    const found = inside(ws.disk, ws.layout.root, path);
    if (found.ok) continue;
    say(
      found.missing ? 'missing_file' : 'not_a_file',
      `context file ${path}: ${found.why}`,
      'Write it, or take it out of the contract',
      { found: path, keys: [`context_files/${path}`] },
    );
  }
}
