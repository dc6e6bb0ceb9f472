/** Which check a criterion speaks of, by its words alone, so that the runner can tick it. */
import { checkName, type Check, type Contract, type Criterion } from './contract.ts';

/**
 * The check that a criterion names: its command, its path or its whole name is in the text. A
 * deliverable that it names counts too: the runner looks itself whether it is there.
 */
export function checkOf(contract: Contract, criterion: Pick<Criterion, 'text'>): Check | undefined {
  const found = contract.checks.find((check) => isNamed(check, criterion.text));
  if (found !== undefined) return found;
  const path = contract.head.deliverables.find((one) => isIn(criterion.text, one));
  return path === undefined ? undefined : { kind: 'file_exists', path };
}

function isNamed(check: Check, text: string): boolean {
  // Other checks or a gate prove its items.
  return check.kind !== 'checklist' && namesOf(check).some((name) => isIn(text, name));
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
    .filter((check) => check.kind === 'checklist')
    .map((check) => ({ ...check, items: check.items ?? criteria.map(({ text }) => text) }));
}

/** Words that may be beside a check or a path in a criterion that says nothing more than that it holds. */
const HOLDS =
  /^(?:an?|and|at|check|does|exists?|has|in|is|it|must|now|ok|place|present|that|the|there)$/;
const RUN_HOLDS =
  /^(?:all|commands?|exits?|0|green|pass|passes|passed|runs?|succeeds?|errors?|without|with)$/;
const FILE_HOLDS = /^(?:created|deliverable|file|made|on|written)$/;

/**
 * Whether the runner itself has seen that a criterion holds: the check or deliverable that it names
 * holds, and it says nothing beyond that. "`a.txt` names both guests" is not proved by `a.txt` alone.
 */
export function isProved(
  contract: Contract,
  criterion: Pick<Criterion, 'text'>,
  holds: (check: Check) => boolean,
): boolean {
  const check = checkOf(contract, criterion);
  if (check === undefined || !holds(check)) return false;
  const words = namesOf(check).reduce((text, name) => text.replaceAll(name, ' '), criterion.text);
  const more = check.kind === 'run' ? RUN_HOLDS : FILE_HOLDS;
  // "All tests pass: `npm test`" says no more than the command does.
  const own = check.kind === 'run' && /\btests?\b/.test(check.command) ? /^tests?$/ : more;
  const isKnown = (word: string): boolean => [HOLDS, more, own].some((one) => one.test(word));
  // A flag or a sign such as a cross says more.
  const isPlain = !/-\w|[^\p{L}\p{N}\s`'"*_.,:;()–—-]/u.test(words);
  return isPlain && (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every(isKnown);
}

/** The longest first, so that nothing of it is left. */
function namesOf(check: Check): readonly string[] {
  if (check.kind === 'run') return [checkName(check), check.command];
  return 'path' in check ? [checkName(check), check.path] : [checkName(check)];
}
