/** contract.md, read strictly, since it decides what runs. What it names is checked elsewhere. */
import { checkName, type Check, type Contract } from '../../core/model/contract.ts';
import { criteriaFor } from '../../core/model/criterion-check.ts';
import { ContractWords } from '../../core/model/contract-body.ts';
import type { ContractHead } from '../../core/model/contract-shape.ts';
import { isTaskId } from '../../core/model/id.ts';
import { ok, problem, refused, type Problem, type Result } from '../../core/model/problem.ts';
import { parseCheck, pathProblem } from './verify-entry.ts';
import { isPlainBody, readBody, type ContractBody } from './contract-body.ts';
import { withOwnKeys } from './contract-keys.ts';
import { headFromFields, typeHead, type RawHead } from './contract-head.ts';
import { readFrontMatter } from '../yaml/front-matter.ts';
import { conflictProblems } from '../markdown/merge-markers.ts';
import { scanMarkdown } from '../markdown/line-scanner.ts';
import { checkGlob, checkPath } from './paths.ts';
import { oneLine } from '../markdown/sections.ts';

export { parseCheck } from './verify-entry.ts';
export { renderContract } from './render-contract.ts';

export function parseContract(text: string, file: string): Result<Contract> {
  const read = readWhole(text, file);
  const conflicts = conflictProblems(text, file);
  if (!read.ok) return refused([...conflicts, ...read.problems]);
  const { contract, problems: found } = read.value;
  const problems = [...conflicts, ...found];
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return ok(contract, problems);
  return refused([...errors, ...problems.filter(({ severity }) => severity !== 'error')]);
}

/** The readable part of a contract that is refused, so that everything wrong is found at once. */
export function parseRest(text: string, file: string): Contract | undefined {
  const read = readWhole(text, file);
  return read.ok ? read.value.contract : undefined;
}

function readWhole(text: string, file: string) {
  const front = readFrontMatter(text, file);
  if (!front.ok) return front;
  const fields = front.value.present
    ? ok<RawHead>(front.value)
    : headFromFields(scanMarkdown(text), file);
  if (!fields.ok) return fields;
  const { raw, problems: foreign } = withOwnKeys(fields.value, file);
  if (!front.value.present && Object.keys(raw.head).length === 0) return headless(file);
  const { head: written, unknown, problems: found } = typeHead(raw, file);
  const plain = front.value.present && hasText(written.title) && isPlainBody(front.value.body);
  const body = plain ? undefined : readBody(scanMarkdown(text), titleIn(written.title));
  const named = body === undefined ? { title: written.title ?? '' } : titleOf(written, body);
  const head = named.id === undefined ? written : { ...written, id: named.id };
  const problems = [...foreign, ...found, ...pathProblems(head, raw, file)];
  if (body !== undefined) problems.push(...bodyProblems(body, file));
  const checks = readChecks(head, raw, file, problems);
  const given = { head, title: named.title, checks, unknown_keys: unknown };
  return ok({ contract: new ReadContract(given, text, raw, body), problems });
}

type Given = Pick<Contract, 'head' | 'title' | 'checks' | 'unknown_keys'>;

/** The body is read when it is asked for: a list of thousands of tasks needs heads and titles alone. */
class ReadContract extends ContractWords implements Contract {
  readonly head: ContractHead;
  readonly title: string;
  readonly checks: readonly Check[];
  readonly unknown_keys: readonly string[];
  readonly #text: string;
  readonly #raw: RawHead;
  #read: ContractBody | undefined;
  #lines: ReadonlyMap<string, number> | undefined;

  constructor(given: Given, text: string, raw: RawHead, body: ContractBody | undefined) {
    super();
    this.head = given.head;
    this.title = given.title;
    this.checks = given.checks;
    this.unknown_keys = given.unknown_keys;
    this.#text = text;
    this.#raw = raw;
    this.#read = body;
  }

  protected get words(): ContractBody {
    return (this.#read ??= readBody(scanMarkdown(this.#text), titleIn(this.head.title)));
  }

  /** Criteria of the body, then those that the head names; without any, its checks. */
  override get criteria(): Contract['criteria'] {
    const own = this.words.criteria;
    const named = this.#raw.criteria ?? [];
    const more = own.length + named.length === 0 ? this.#byChecks() : named;
    return [...own, ...more.map((one, i) => ({ number: own.length + i + 1, ...one }))];
  }

  /** Without a section of criteria: as `new` derives them. */
  #byChecks() {
    if (/^#+ *Success Criteria *#*$/im.test(this.#text)) return [];
    const { deliverables } = this.head;
    const line = this.#raw.places.get('verify')?.line ?? 1;
    return criteriaFor(this.checks.map(checkName), deliverables).map((text) => ({ text, line }));
  }

  get context_files(): readonly string[] {
    const listed = this.words.context_files.map(({ path }) => path);
    return [...new Set([...this.head.context_files, ...listed])];
  }

  get lines(): ReadonlyMap<string, number> {
    return (this.#lines ??= linesOf(this.#raw, this.words));
  }
}

function hasText(title: string | undefined): boolean {
  return titleIn(title) !== undefined;
}

/** undefined for one without words. */
function titleIn(title: string | undefined): string | undefined {
  return title?.trim() === '' ? undefined : title;
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
  return refused({
    code: 'front_matter',
    file,
    message: 'the contract has no front matter, table or bullets',
    expected: '--- on the first line',
    fix: 'Start the file with a line of ---, the keys, and a line of ---.',
  });
}

/** `# Task Contract: <id or words>` names the task; any other heading is the title. */
function titleOf(head: ContractHead, body: ContractBody): { title: string; id?: string } {
  const form = /^(?:task )?contract(?::(.*))?$/is.exec(body.heading);
  const rest = form === null ? body.heading : (form[1] ?? '').trim();
  const id = form !== null && head.id === undefined && isTaskId(rest) ? { id: rest } : {};
  if (head.title !== undefined && hasText(head.title)) return { title: head.title, ...id };
  if (rest !== '' && !(form !== null && isTaskId(rest))) return { title: rest, ...id };
  const line = oneLine(body.objective.split('\n')[0] ?? '');
  const title = line.length > 100 ? `${line.slice(0, 99)}…` : line;
  return { title: title === '' ? body.heading : title, ...id };
}

function pathProblems(head: ContractHead, raw: RawHead, file: string): Problem[] {
  const problems: Problem[] = [];
  const check = (key: string, paths: readonly string[], rule: typeof checkPath): void => {
    for (const [index, path] of paths.entries()) {
      const wrong = rule(path);
      if (wrong === undefined) continue;
      problems.push(pathProblem(wrong, path, file, lineAt(raw, key, index)));
    }
  };
  check('deliverables', head.deliverables, checkPath);
  check('context_files', head.context_files, checkPath);
  if (head.write !== undefined) check('write', head.write, checkGlob);
  return problems;
}

function bodyProblems(body: ContractBody, file: string): Problem[] {
  const problems: Problem[] = [];
  for (const { path, line } of body.context_files) {
    const wrong = checkPath(path);
    if (wrong !== undefined) problems.push(pathProblem(wrong, path, file, line));
  }
  if (body.openStep !== undefined) {
    const message = 'a code block under ## Steps is not closed';
    const fix = 'Close the block with a line of the same marks.';
    problems.push(problem({ code: 'bad_value', file, line: body.openStep, message, fix }));
  }
  return problems;
}

function readChecks(head: ContractHead, raw: RawHead, file: string, problems: Problem[]): Check[] {
  const checks: Check[] = [];
  for (const [index, entry] of head.verify.entries()) {
    const check = parseCheck(entry, file, 1);
    if (check.ok) checks.push(check.value);
    else {
      const line = lineAt(raw, 'verify', index);
      problems.push(...check.problems.map((one) => ({ ...one, line })));
    }
  }
  return checks;
}

function lineAt({ places }: RawHead, key: string, index: number): number {
  return (places.get(`${key}.${index}`) ?? places.get(key))?.line ?? 1;
}
