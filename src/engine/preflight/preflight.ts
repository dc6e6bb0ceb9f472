/** Pre-flight: problems that keep an agent from being called, found before anything is claimed. */
import { basename, join } from 'node:path';
import { ALONE, CHECK_WORDS, checkName, isBy } from '../../task/core/model/checks.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { sandboxLevel } from '../../task/core/model/policy.ts';
import { problem, type Extra, type Problem, type Report } from '../../task/core/model/problem.ts';
import { awaitedBy } from '../../task/core/model/task.ts';
import { desksFolder, shown } from '../../task/store/tasks/layout.ts';
import { isStrangers } from '../../workspace/open/owner.ts';
import { checkExecutor, checkGates, isThere } from './executor.ts';
import { checkPermissions } from '../../permissions/engine/enforce/preflight-permissions.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { executorOf, roleOf, type Role } from '../../agents/engine/roles.ts';
import { readSkill, skillNames } from '../../agents/engine/skill-files.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { routeOf } from '../../workspace/tasks/routes.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { preparationFor } from '../../worktrees/core/preparation.ts';
import { isolationOf } from '../../worktrees/engine/workdir.ts';
import { noPlace } from '../../worktrees/engine/place.ts';
import { branchInTheWay, findRepository, isRepository } from '../../workspace/open/repository.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

/** `folder` is where the task is. `settled`: the dependencies are done, so the files that they make exist. */
export function preflight(ws: Workspace, folder: string, contract: Contract, settled: boolean) {
  const found: Problem[] = [];
  const report = reporter(ws, folder, contract, found);
  const { works, asked } = kindOf(ws, contract);
  if (asked?.(contract) === PERSON) return [];
  if (awaitedBy(contract).includes(basename(folder))) {
    report('cycle', 'depends on itself', 'Take its own id out', { keys: ['depends_on'] });
  }
  if (works && contract.criteria.length === 0) {
    const fix = 'List what must be true under ## Success Criteria';
    report('no_criteria', 'there is no success criterion', fix);
  }
  const desks = desksFolder(ws.layout);
  if ((ws.disk.stat(desks)?.kind ?? 'folder') !== 'folder') {
    report('not_a_file', 'the folder for desks is a link or a file', 'Remove it', {
      file: shown(ws.layout, desks),
      expected: 'a folder, or nothing',
    });
  }
  checkOwner(ws, folder, report);
  checkSandbox(ws, contract, report);
  for (const one of capabilitiesOf(ws)) one.preflight?.(ws, contract, report);
  checkExecutor(ws, contract, report);
  if (works) checkGates(ws, contract, report);
  checkSkills(ws, contract, report);
  checkChecks(ws, contract, report);
  checkIsolation(ws, contract, report);
  checkPermissions(ws, contract, report);
  if (settled) checkContext(ws, contract, report);
  return found;
}

/** For a task in review: settings may have changed, and a person may have put the folder there. */
export function preflightReview(ws: Workspace, folder: string, contract: Contract) {
  const found: Problem[] = [];
  const report = reporter(ws, folder, contract, found);
  checkGates(ws, contract, report);
  for (const gate of gatesFor(ws, contract)) checkSkillsOf(ws, roleOf(ws, gate), report);
  return found;
}

function reporter(ws: Workspace, folder: string, contract: Contract, found: Problem[]): Report {
  const file = shown(ws.layout, join(folder, 'contract.md'));
  return (code, message, fix, { keys = [], ...extra } = {}) => {
    const line = keys.map((key) => contract.lines.get(key)).find((one) => one !== undefined) ?? 1;
    found.push(problem({ code, file, line, message, fix, ...extra }));
  };
}

/** Refuses folders that other users may write: they could have programs run in this user's name. */
function checkOwner(ws: Workspace, folder: string, report: Report): void {
  if (!isStrangers(ws, ws.layout.root, join(folder, 'contract.md'))) return;
  const fix = `Read it, then take it over: cp contract.md mine.md && mv mine.md contract.md; or trust their files, as git does: git config --global --add safe.directory ${shellWord(ws.layout.root)}`;
  report('untrusted', 'this contract belongs to another user', fix);
}

const NO_GIT = { why: 'isolation: worktree needs git', fix: 'Install git, or isolation: shared' };

function checkIsolation(ws: Workspace, contract: Contract, report: Report): void {
  const { adapter } = executorOf(ws, contract);
  if (isolationOf(contract, ws.config, adapter) === 'shared') return;
  const found = findRepository(ws, ws.layout.root);
  const why = isRepository(found) ? (branchInTheWay(ws.disk, found) ?? noPlace(ws)) : found;
  const lack = why ?? (isThere(ws, 'git') ? undefined : NO_GIT);
  const away = adapter?.relays && ', or an agent of this machine';
  const cure = (words: string) => (away ? words.replace(/, or isolation: shared$/, away) : words);
  if (lack !== undefined) report('environment', lack.why, cure(lack.fix), { keys: ['isolation'] });
  const { beyond } = preparationFor(contract, ws.config);
  if (beyond === undefined) return;
  const message =
    'worktree: has an entry that the configuration lacks; a contract only leaves some out';
  const fix = 'Add it to worktree: in .contracts/config.yaml, or remove it here';
  report('bad_value', message, fix, { found: beyond, keys: ['worktree'] });
}

function checkSandbox(ws: Workspace, contract: Contract, report: Report): void {
  if (sandboxLevel(contract, ws.config) !== 'bwrap' || isThere(ws, 'bwrap')) return;
  // The sandbox of a worker is on its machine.
  if (executorOf(ws, contract).adapter?.relays !== undefined) return;
  const message = 'sandbox: bwrap needs bubblewrap, which is not installed here';
  const fix = 'Install bubblewrap, or set sandbox: auto';
  report('environment', message, fix, { found: 'sandbox: bwrap', keys: ['sandbox'] });
}

const WITH_VALUE = CHECK_WORDS.filter((word) => !ALONE.includes(word));
const ENTRIES = [...WITH_VALUE.map((word) => `${word}:`), ...ALONE];

/** A check of a squad is not `named` any more, so the rest is unknown. */
function checkChecks(ws: Workspace, contract: Contract, report: Report): void {
  const { verify } = contract.head;
  const joined = capabilitiesOf(ws).flatMap(({ checks = [] }) => checks);
  const own = routeOf(ws, contract)?.checks ?? [];
  for (const check of contract.checks) {
    const list = isBy(check, 'gate') && check.file === undefined ? check.name : undefined;
    const isKnown = check.kind !== 'named' || joined.includes(check.name);
    if (isKnown && list === undefined) continue;
    const i = verify.findIndex((entry) => entry === checkName(check));
    const write = list && `Write checklists/${list}.md in the folder of the contract's squad`;
    const near =
      check.kind === 'named' ? didYouMean(check.name, [...CHECK_WORDS, ...joined, ...own]) : '';
    report('unknown_check', 'this check is not known', write ?? `${near}Use one that exists`, {
      found: checkName(check),
      expected: [...ENTRIES, ...own].join(', '),
      keys: [`verify.${i}`, 'verify'],
    });
  }
}

/** A missing skill of the contract is an error, one of the agent a warning. */
function checkSkills(ws: Workspace, contract: Contract, report: Report): void {
  for (const [i, name] of contract.head.skills.entries()) {
    reportSkill(ws, name, { keys: [`skills.${i}`, 'skills'] }, report);
  }
  checkSkillsOf(ws, executorOf(ws, contract), report);
}

function checkSkillsOf(ws: Workspace, role: Role, report: Report): void {
  // Agents of the package name no skills, and are not read for them.
  const definition = agentsOf(ws).isPlain(role.name) ? undefined : role.definition;
  for (const skill of definition?.skills ?? []) {
    const place = definition?.file === undefined ? {} : { file: definition.file, line: 1 };
    reportSkill(ws, skill, { severity: 'warning', keys: ['agent'], ...place }, report, role.name);
  }
}

function reportSkill(ws: Workspace, name: string, extra: Extra, report: Report, agent = ''): void {
  const read = readSkill(ws, name);
  if (read.ok) return;
  if (read.problem !== undefined) {
    const { code, message, fix, ...place } = read.problem;
    const severity = code === 'conflict' ? 'error' : (extra.severity ?? 'error');
    return report(code, `skill ${name}: ${message}`, fix, { ...extra, ...place, severity });
  }
  const message = agent === '' ? 'there is no such skill' : `a skill of ${agent} is not there`;
  const fix = `${didYouMean(name, skillNames(ws))}Write it: .contracts/skills/<name>/SKILL.md`;
  report('unknown_skill', message, fix, { ...extra, found: name });
}

function checkContext(ws: Workspace, contract: Contract, report: Report): void {
  for (const path of contract.context_files) {
    const found = inside(ws.disk, ws.layout.root, path);
    if (found.ok) continue;
    const code = found.missing ? 'missing_file' : 'not_a_file';
    const fix = 'Write it, or take it out of the contract';
    const keys = [`context_files/${path}`];
    report(code, `context file ${path}: ${found.why}`, fix, { found: path, keys });
  }
}
