/**
 * What is missing between a contract and `done`: failed checks, missing or unchanged deliverables, criteria
 * that are not ticked (docs/concepts.md#checks-and-receipts).
 */
import { given } from '../../../task/core/base/defined-fields.ts';
import { checkName, deliverableCheck, type Contract } from '../../../task/core/model/contract.ts';
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

const nameOf = ({ path }: DeliverableSeen): string => checkName(deliverableCheck(path));

/** `for_person`: criteria that a person who approves judges; a gate judges those that are not mentioned. */
export function unmet(
  contract: Contract,
  result: ResultDocument,
  deliverables: readonly DeliverableSeen[],
  receipts: readonly Receipt[],
  left?: { readonly for_person: readonly Criterion[]; readonly is_gated: boolean },
): readonly Missing[] {
  const missing = deliverables.flatMap((one) => {
    const why = whyUnmet(one);
    return why === undefined ? [] : finding('deliverable_missing', { path: one.path, why });
  });
  const for_person = left?.for_person ?? [];
  const settled = new Set([...provedBy(contract, deliverables, receipts), ...for_person]);
  const absent = new Set(deliverables.filter((one) => one.hash === undefined).map(nameOf));
  return [
    ...receipts
      // A file that is missing as a deliverable is reported once.
      .filter((receipt) => !receipt.passed && !absent.has(receipt.check))
      .map((receipt) => finding('check_failed', receipt)),
    ...missing,
    ...unmetCriteria(contract, result, settled, left?.is_gated),
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
  const passed = receipts.filter((one) => one.passed).map((one) => one.check);
  const there = deliverables.filter((one) => whyUnmet(one) === undefined).map(nameOf);
  const held = new Set([...passed, ...there]);
  return new Set(
    criteria.filter((one) => isProved(contract, one, (it) => held.has(checkName(it)))),
  );
}

export function unmetCriteria(
  contract: Contract,
  result: ResultDocument,
  proved: ReadonlySet<Criterion> = new Set(),
  is_gated = false,
  box_of?: string,
): readonly Missing[] {
  const find = finderIn(contract.criteria, result);
  return contract.criteria.flatMap((criterion) => {
    const found = find(criterion);
    if (proved.has(criterion) || (found?.ticked ?? is_gated)) return [];
    return finding('criterion_open', { ...criterion, where: found?.line, ...given({ box_of }) });
  });
}

/** Criteria of the contract that the result ticks. */
export function metCriteria(
  contract: Pick<Contract, 'criteria'>,
  result: Reported,
): readonly Criterion[] {
  const find = finderIn(contract.criteria, result);
  return contract.criteria.filter((criterion) => find(criterion)?.ticked === true);
}

/** Criteria that no box of the result means. Where there is a gate, it judges them. */
export function missedIn<C extends Wanted>(criteria: readonly C[], result: ResultDocument): C[] {
  const find = finderIn(criteria, result);
  return criteria.filter((one) => find(one) === undefined);
}

/** Claims of a result: the boxes of its section, others that mean a criterion, and what it does not mention. */
export function claimsIn(texts: readonly string[], result: ResultDocument) {
  const criteria = texts.map((text, i) => ({ number: i + 1, text }));
  const meant = new Set(criteria.map(finderIn(criteria, result)).map((one) => one?.line));
  const said = result.criteria.filter(({ number, line }) => number > 0 || meant.has(line));
  return [
    ...said.map((one) => ({ ...one, mark: one.ticked ? '[x]' : '[ ]' })),
    ...missedIn(criteria, result).map((one) => ({ ...one, mark: 'not mentioned:', evidence: '' })),
  ];
}

type Criterion = Contract['criteria'][number];
type Wanted = Pick<Criterion, 'number' | 'text'>;
type Reported = Pick<ResultDocument, 'criteria'>;
type Ticked = ResultDocument['criteria'][number];

/**
 * Criteria are matched by text in their section, else by number there (docs/reference/contract.md#resultmd),
 * where the text at that number is the same in other words, or only the number; else by text anywhere.
 */
function finderIn(
  criteria: readonly Wanted[],
  result: Reported,
): (criterion: Wanted) => Ticked | undefined {
  const boxes = result.criteria.map((one) => ({
    ...one,
    plain: plain(one.text),
    whole: plain(`${one.text} ${one.evidence}`),
  }));
  const own = boxes.filter(({ number }) => number > 0);
  const others = boxes.filter(({ number }) => number === 0);
  const wanted = new Set(criteria.map(({ text }) => plain(text)));
  return (criterion) => {
    const numbered = own[criterion.number - 1];
    const isOther = numbered === undefined || wanted.has(numbered.plain);
    const found =
      worded(own, criterion.text) ??
      (!isOther && isReworded(numbered, criterion) ? numbered : undefined) ??
      worded(others, criterion.text);
    return found && denies(found, criterion) ? { ...found, ticked: false } : found;
  };
}

const DENIAL =
  /[❌❎✖✗✘🚫⛔👎]|~~|\b(?:not|no(?!\.?\s*\d)|none|never|nor|cannot|without)\b|n['’]t\b/giu;
const NO_FAULTS = /\b(?:no|without)(?: any)?(?: \w+)? (?:errors?|failures?|warnings?|issues?)\b/gi;

function denials(text: string): number {
  return (text.replace(NO_FAULTS, '').match(DENIAL) ?? []).length;
}

/** Words that take back a part of a claim. */
const HEDGES: ReadonlySet<string> = new Set(
  (
    'partly partially partial mostly mainly almost nearly half some except but only until unless later soon todo ' +
    'tbd pending untested unverified unchecked unfinished undone incomplete failed failing fails fail broken ' +
    'skipped blocked nicht teilweise ungetestet ungeprüft unfertig unvollständig'
  )
    .split(' ')
    .map(stem),
);
/** Words without a claim. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an the is are was were be been it its this that these those of to in on at for with now has have had does do will not no never'.split(
    ' ',
  ),
);

/** A tick beside a denial or a hedge more than the contract has, or without its own denial, is none. */
function denies(found: Box, { text, number }: Wanted): boolean {
  const [said, meant] = [denials(found.text), denials(text)];
  const wanted = wordsOf(text);
  const is_hedged = [...wordsOf(found.text)].some((word) => HEDGES.has(word) && !wanted.has(word));
  return is_hedged || said > meant || (said === 0 && meant > 0 && !isNamed(found, number));
}

function isNamed(found: Box, number: number): boolean {
  const [, named, bare] =
    /^(?:(?:criterion|no\.?|#)\s*(\d+)\b|\(?(\d+)\s*(?:[.:)]|$))/.exec(found.plain) ?? [];
  return (named ?? bare) === String(number);
}

/** Words beside which what comes first is not what comes last. */
const ORDERED =
  /\b(?:than|before|after|over|from|into|instead|rather|by|until|replaces?|als|vor|nach|statt|von)\b/i;

/** Other words mean the same where none of the contract's is missing, and no number is there beside its own. */
function isReworded(found: Box, { text, number }: Wanted): boolean {
  const words = wordsOf(text);
  const there = wordsOf(found.text);
  const own = [...there].filter((word) => words.has(word));
  const isSame =
    own.length === words.size &&
    (!ORDERED.test(text) || [...words].every((word, at) => word === own[at]));
  const isOther = [...there].some((word) => /^\p{N}/u.test(word) && !words.has(word));
  return (isSame && !isOther) || isNamed(found, number);
}

/** Words that claim something, or else all, without their ends: `works` and `working` are one. */
function wordsOf(text: string): ReadonlySet<string> {
  const all = plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const claims = all.filter((word) => !FILLERS.has(word));
  const words = claims.length > 0 ? claims : all;
  return new Set(words.map(stem));
}

function stem(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s)$/u, '');
}

/** `whole`: with its evidence. */
type Box = Ticked & { readonly plain: string; readonly whole: string };

/** In the same words, with more behind them in one box alone. Said twice, it holds if both are ticked. */
function worded(boxes: readonly Box[], text: string): Box | undefined {
  const wanted = plain(text);
  const exact = boxes.filter((one) => one.plain === wanted || one.whole === wanted);
  if (exact.length > 0) return exact.find(({ ticked }) => !ticked) ?? exact[0];
  const [found, second] = boxes.filter(
    ({ whole }) => whole.startsWith(wanted) && /^[,;:.]?\s/.test(whole.slice(wanted.length)),
  );
  return second === undefined ? found : undefined;
}

/** Text for comparison: no emphasis marks and dashes, one space, lower case, no closing full stop. */
function plain(text: string): string {
  const words = text.replace(/[*_`]/g, '').replace(/\s(?:—|–|--|→|->)(?=\s)/gu, '');
  return words.replace(/\s+/g, ' ').trim().replace(/\.$/, '').toLowerCase();
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
