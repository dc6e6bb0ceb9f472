/**
 * What is missing between a contract and `done`: failed checks, missing or unchanged deliverables, criteria
 * that are not ticked (docs/concepts.md#checks-and-receipts).
 */
import { checkName, type Check, type Contract } from '../../../task/core/model/contract.ts';
import { isProved } from '../../../task/core/model/criterion-check.ts';
import type { ResultDocument } from '../../../task/core/model/documents.ts';
import type { Delivered, Receipt } from '../../../task/core/attempts/record.ts';
import { finding, type Missing } from '../words/outcomes.ts';

/** A deliverable as the runner found it. `hash` is undefined when there is no such file. */
export interface DeliverableSeen {
  readonly path: string;
  readonly hash: string | undefined;
  readonly bytes: number;
  /** Its hash at the first claim; undefined when it was not there. */
  readonly before: string | undefined;
  /** More than one where the path is a pattern. */
  readonly files?: readonly Delivered[];
  /** Why it was not even looked at: a link, a path outside. */
  readonly refused?: string;
  /** Why it cannot be merged although it is there, and what to do. */
  readonly unmergeable?: string;
}

/** `for_person`: criteria that a person who approves judges. */
export function unmet(
  contract: Contract,
  result: ResultDocument,
  deliverables: readonly DeliverableSeen[],
  receipts: readonly Receipt[],
  for_person: readonly Criterion[] = [],
): readonly Missing[] {
  const missing = deliverables.flatMap((one) => {
    const why = whyUnmet(one);
    return why === undefined ? [] : finding('deliverable_missing', { path: one.path, why });
  });
  const settled = new Set([...provedBy(contract, deliverables, receipts), ...for_person]);
  const absent = new Set(
    deliverables.filter((one) => one.hash === undefined).map((one) => one.path),
  );
  return [
    ...receipts
      // A file that is missing as a deliverable is reported once.
      .filter(
        (receipt) => !receipt.passed && !absent.has(receipt.check.replace('file_exists: ', '')),
      )
      .map((receipt) => finding('check_failed', receipt)),
    ...missing,
    ...unmetCriteria(contract, result, settled),
    ...(result.status === 'COMPLETE' ? [] : [finding('result_incomplete', { is_read: true })]),
  ];
}

/** Criteria that the runner has checked itself: no agent needs to tick them. */
export function provedBy(
  contract: Contract,
  deliverables: readonly DeliverableSeen[],
  receipts: readonly Receipt[],
  criteria = contract.criteria,
): ReadonlySet<Criterion> {
  const passed = new Set(receipts.filter((one) => one.passed).map((one) => one.check));
  const there = deliverables.filter((one) => whyUnmet(one) === undefined);
  const paths = new Set(there.map(({ path }) => path));
  const holds = (check: Check): boolean =>
    passed.has(checkName(check)) || (check.kind === 'file_exists' && paths.has(check.path));
  return new Set(criteria.filter((one) => isProved(contract, one, holds)));
}

export function unmetCriteria(
  contract: Contract,
  result: ResultDocument,
  proved: ReadonlySet<Criterion> = new Set(),
): readonly Missing[] {
  const find = finderIn(contract, result);
  return contract.criteria.flatMap((criterion) => {
    const found = find(criterion);
    if (proved.has(criterion) || found?.ticked === true) return [];
    return finding('criterion_open', { ...criterion, is_there: found !== undefined });
  });
}

/** Criteria of the contract that the result ticks. */
export function metCriteria(contract: Wanted, result: Reported): readonly Criterion[] {
  const find = finderIn(contract, result);
  return contract.criteria.filter((criterion) => find(criterion)?.ticked === true);
}

type Criterion = Contract['criteria'][number];
type Wanted = Pick<Contract, 'criteria'>;
type Reported = Pick<ResultDocument, 'criteria'>;
type Ticked = ResultDocument['criteria'][number];

/**
 * Criteria are matched by text, else by number (docs/reference/contract.md#resultmd), where the text at that
 * number is the same in other words, or only the number.
 */
function finderIn(contract: Wanted, result: Reported) {
  const byText = new Map(result.criteria.map((criterion) => [plain(criterion.text), criterion]));
  const wanted = new Set(contract.criteria.map((criterion) => plain(criterion.text)));
  return (criterion: Criterion): Ticked | undefined => {
    const exact = byText.get(plain(criterion.text)) ?? startsWith(result, criterion.text);
    const numbered = result.criteria[criterion.number - 1];
    const reworded =
      numbered !== undefined &&
      !wanted.has(plain(numbered.text)) &&
      meansTheSame(numbered.text, criterion);
    return exact ?? (reworded ? numbered : undefined);
  };
}

const DENIAL =
  /[❌❎✖✗✘🚫⛔👎]|~~|\b(?:not|no(?!\.?\s*\d)|none|never|nor|cannot|without)\b|n['’]t\b/giu;
const NO_FAULTS = /\b(?:no|without)(?: any)?(?: \w+)? (?:errors?|failures?|warnings?|issues?)\b/gi;

function denials(text: string): number {
  return (text.replace(NO_FAULTS, '').match(DENIAL) ?? []).length;
}

/** Half of the words of the contract must be there, and no denial, for a tick to count. */
function meansTheSame(reported: string, { text, number }: Criterion): boolean {
  if (denials(reported) > denials(text)) return false;
  if (/^(criterion|no\.?|#)?\s*\d+\b/.exec(plain(reported))?.[0].endsWith(`${number}`) === true)
    return true;
  if (denials(text) > 0 && denials(reported) === 0) return false;
  const words = wordsOf(text);
  const there = wordsOf(reported);
  return [...words].filter((word) => there.has(word)).length * 2 >= words.size;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(plain(text).match(/[\p{L}\p{N}]+/gu));
}

function startsWith(result: Reported, text: string): Ticked | undefined {
  const wanted = plain(text);
  const [found, second] = result.criteria.filter((criterion) =>
    plain(criterion.text).startsWith(`${wanted} `),
  );
  return second === undefined && denials(found?.text ?? '') <= denials(text) ? found : undefined;
}

/** Text for comparison: no emphasis marks, one space, lower case, no closing full stop. */
function plain(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().replace(/\.$/, '').toLowerCase();
}

function whyUnmet(seen: DeliverableSeen): string | undefined {
  if (seen.refused !== undefined) return `is refused: ${seen.refused}`;
  if (seen.hash === undefined) return 'is not there';
  if (seen.bytes === 0) return 'is empty';
  if (seen.hash === seen.before) {
    return 'has not changed since the task was claimed (remove it first, or take it out of deliverables)';
  }
  return seen.unmergeable;
}
