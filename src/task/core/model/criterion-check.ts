/** Which checks a criterion speaks of, by its words alone, so that the runner can tick it. */
import {
  checkName,
  deliverableCheck,
  factsOf,
  isBy,
  isDeliverable,
  JUDGED,
  subjectOf,
  type Check,
  type CheckOf,
} from './checks.ts';
import type { Contract, Criterion } from './contract.ts';

const passes = (entry: string): string => `\`${entry.replace(/^run:\s*/, '')}\` passes`;
const isThere = (path: string): string => `\`${path}\` is there`;

/** Criteria for a contract that has checks alone. Others judge the items of a checklist. */
export function criteriaFor(verify: readonly string[], deliverables: readonly string[]): string[] {
  const seen = verify.filter((entry) => !JUDGED.test(entry));
  return [...seen.map(passes), ...deliverables.map(isThere)];
}

type Looked = Exclude<Check, CheckOf<'gate'>>;

/** The checks of the words of `criteriaFor`, else all whose command, path or name is in the text; deliverables too. */
function named({ checks, head }: Contract, text: string): readonly Looked[] {
  const files = head.deliverables.map(deliverableCheck);
  const all = [...checks.filter((check) => !isBy(check, 'gate')), ...files];
  const written = all.filter((check) => isWritten(check, text));
  return written.length > 0
    ? written
    : all.filter((check) => namesOf(check).some((name) => isIn(text, name)));
}

function isWritten(check: Looked, text: string): boolean {
  const words = [passes(checkName(check)), ...(isDeliverable(check) ? [isThere(check.path)] : [])];
  return words.some((one) => oneForm(one) === oneForm(text));
}

/** As a contract has it: white space is one space, and headings of result.md have no marks. */
function oneForm(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.startsWith('`result: ') ? line.replace(/ ?([,:]) ?#* ?/g, '$1') : line;
}

/** The first check that a criterion names. */
export function checkOf(contract: Contract, { text }: Pick<Criterion, 'text'>): Check | undefined {
  return named(contract, text)[0];
}

/** Whole: `make` is not in "`make test` passes", and `run.js` not in `tests/run.js`. */
function isIn(text: string, name: string): boolean {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.trim());
  if (spans.includes(name)) return true;
  const plain = text.replaceAll(/`[^`]+`/g, '`');
  const at = plain.indexOf(name);
  const [before = '', after = ''] = at < 0 ? [] : [plain[at - 1], plain.slice(at + name.length)];
  return at >= 0 && !/[\w./@-]/.test(before) && !/^(?:[\w/@:=-]|\.\w)/.test(after);
}

/** Each with its items: those of the squad's file, else the contract's own criteria. */
export function checklistsOf({ checks, criteria }: Contract) {
  return checks
    .filter((check) => isBy(check, 'gate'))
    .map((check) => ({ ...check, items: check.items ?? criteria.map(({ text }) => text) }));
}

/**
 * Whether the runner itself has seen that a criterion holds: all that it names holds, and it says nothing
 * beyond that. "`a.txt` names both guests" is not proved by `a.txt` alone.
 */
export function isProved(
  contract: Contract,
  { text }: Pick<Criterion, 'text'>,
  holds: (check: Check) => boolean,
): boolean {
  const checks = named(contract, text);
  if (checks.length === 0 || !checks.every(holds)) return false;
  if (checks.every((check) => isWritten(check, text))) return true;
  // The longest first, so that nothing of it is left.
  const names = checks.flatMap(namesOf).toSorted((a, b) => b.length - a.length);
  const words = names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
  const known = checks.flatMap(wordsBeside);
  // A flag or a sign such as a cross says more.
  const isPlain = !/-\w|[^\p{L}\p{N}\s`'"*_.,:;()–—-]/u.test(words);
  const all: readonly string[] = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return isPlain && all.every((word) => known.some((one) => one.test(word)));
}

/** "All tests pass: `npm test`" says no more than the command does. */
function wordsBeside(check: Looked): readonly RegExp[] {
  const { beside } = factsOf(check);
  return isBy(check, 'program') && /\btests?\b/.test(check.command)
    ? [...beside, /^tests?$/]
    : beside;
}

function namesOf(check: Looked): readonly string[] {
  const bare = check.kind === 'named' ? [check.name] : [];
  return [checkName(check), ...subjectOf(check), ...bare];
}
