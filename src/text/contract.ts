/**
 * contract.md to a typed contract: read strictly, since it decides what runs. A wrong type, a path
 * that leads out, a check that cannot be meant: refused, with file, line, found, expected and fix.
 * Whether its agents, files and dependencies exist is not asked here.
 */
import type { Check, Contract, ContractHead } from '../core/contract.ts';
import { isTaskId } from '../core/id.ts';
import { ok, problem, refused, type Problem, type Result } from '../core/problem.ts';
import { parseCheck, pathProblem } from './check.ts';
import { readBody, type ContractBody } from './contract-body.ts';
import { headFromFields, typeHead, type RawHead } from './contract-head.ts';
import { readFrontMatter } from './front-matter.ts';
import { scanMarkdown } from './markdown.ts';
import { checkGlob, checkPath } from './paths.ts';
import { oneLine } from './sections.ts';

export { parseCheck } from './check.ts';
export { checkGlob, checkPath } from './paths.ts';
export { renderContract, type ContractDraft } from './render-contract.ts';

export function parseContract(text: string, file: string): Result<Contract> {
  const front = readFrontMatter(text, file);
  if (!front.ok) return front;
  const lines = scanMarkdown(text);
  const fields = front.value.present ? ok<RawHead>(front.value) : headFromFields(lines, file);
  if (!fields.ok) return fields;
  const raw = fields.value;
  if (!front.value.present && Object.keys(raw.head).length === 0) return headless(file);
  const typed = typeHead(raw, file);
  if (!typed.ok) return typed;
  const body = readBody(lines);
  const { head: written, unknown } = typed.value;
  const named = titleOf(written, body);
  const head = { ...written, ...named.id };
  const problems = [...pathProblems(head, body, raw, file), ...stepProblems(body, file)];
  const checks = readChecks(head, raw, file, problems);
  if (problems.length > 0) return refused(problems);
  const context_files = [
    ...new Set([...head.context_files, ...body.context_files.map(({ path }) => path)]),
  ];
  const { objective, requirements, instructions, criteria, steps } = body;
  const texts = { title: named.title, objective, requirements, instructions, criteria, steps };
  const rest = { checks, context_files, unknown_keys: unknown, lines: linesOf(raw, body) };
  return ok({ head, ...texts, ...rest }, typed.warnings);
}

function linesOf(raw: RawHead, body: ContractBody): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const { path, line } of body.context_files) lines.set(`context_files/${path}`, line);
  for (const [at, { line }] of raw.places) {
    lines.set(at, line);
    const item = /^context_files(?:\.(\d+))?$/.exec(at);
    const given = item === null ? undefined : raw.head['context_files'];
    const path: unknown = Array.isArray(given) ? given[Number(item?.[1])] : given;
    if (typeof path === 'string') lines.set(`context_files/${path}`, line);
  }
  return lines;
}

function headless(file: string): Result<never> {
  return refused([
    problem({
      code: 'front_matter',
      file,
      message: 'the contract has no front matter, table or bullets',
      expected: '--- on the first line',
      fix: 'Start the file with a line of ---, the keys, and a line of ---.',
    }),
  ]);
}

/** `# Task Contract: <id or words>` names the task; any other heading is the title. */
function titleOf(head: ContractHead, body: ContractBody): { title: string; id?: { id: string } } {
  const form = /^(?:task )?contract(?::(.*))?$/is.exec(body.heading);
  const rest = form === null ? body.heading : (form[1] ?? '').trim();
  const id = form !== null && head.id === undefined && isTaskId(rest) ? { id: { id: rest } } : {};
  if (head.title !== undefined && head.title.trim() !== '') return { title: head.title, ...id };
  if (rest !== '' && !(form !== null && isTaskId(rest))) return { title: rest, ...id };
  const line = oneLine(body.objective.split('\n')[0] ?? '');
  const title = line.length > 100 ? `${line.slice(0, 99)}…` : line;
  return { title: title === '' ? body.heading : title, ...id };
}

function pathProblems(
  head: ContractHead,
  body: ContractBody,
  raw: RawHead,
  file: string,
): Problem[] {
  const problems: Problem[] = [];
  const check = (key: string, paths: readonly string[], rule: typeof checkPath) => {
    paths.forEach((path, index) => {
      const wrong = rule(path);
      const place = raw.places.get(`${key}.${index}`) ?? raw.places.get(key);
      if (wrong !== undefined) problems.push(pathProblem(wrong, path, file, place?.line ?? 1));
    });
  };
  check('deliverables', head.deliverables, checkPath);
  check('context_files', head.context_files, checkPath);
  check('write', head.write ?? [], checkGlob);
  for (const { path, line } of body.context_files) {
    const wrong = checkPath(path);
    if (wrong !== undefined) problems.push(pathProblem(wrong, path, file, line));
  }
  return problems;
}

function stepProblems(body: ContractBody, file: string): Problem[] {
  if (body.openStep === undefined) return [];
  const message = 'a code block under ## Steps is not closed';
  const fix = 'Close the block with a line of the same marks.';
  return [problem({ code: 'bad_value', file, line: body.openStep, message, fix })];
}

function readChecks(head: ContractHead, raw: RawHead, file: string, problems: Problem[]): Check[] {
  const checks: Check[] = [];
  head.verify.forEach((entry, index) => {
    const place = raw.places.get(`verify.${index}`) ?? raw.places.get('verify');
    const check = parseCheck(entry, file, place?.line ?? 1);
    if (check.ok) checks.push(check.value);
    else problems.push(...check.problems);
  });
  return checks;
}
