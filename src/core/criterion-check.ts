/**
 * Which check of its contract a criterion speaks of: found by its words alone, so that the runner can
 * tick it where nobody but the runner writes the result.
 */
import { checkName, type Check, type Contract, type Criterion } from './contract.ts';

/**
 * The check that a criterion names: its command, its path or its whole name stands in the text. A
 * deliverable that it names counts too: the runner looks itself whether it is there.
 */
export function checkOf(contract: Contract, criterion: Pick<Criterion, 'text'>): Check | undefined {
  const found = contract.checks.find((check) => isNamed(check, criterion.text));
  if (found !== undefined) return found;
  const path = contract.head.deliverables.find((one) => criterion.text.includes(one));
  return path === undefined ? undefined : { kind: 'file_exists', path };
}

function isNamed(check: Check, text: string): boolean {
  // Other checks or a gate prove its items.
  if (check.kind === 'checklist') return false;
  if (text.includes(checkName(check))) return true;
  switch (check.kind) {
    case 'run':
      return text.includes(check.command);
    case 'file_exists':
    case 'matches':
    case 'template':
      return text.includes(check.path);
    default:
      return false;
  }
}

/** Each with its items: those of the squad's file, else the contract's own criteria. */
export function checklistsOf({ checks, criteria }: Contract) {
  return checks
    .filter((check) => check.kind === 'checklist')
    .map((check) => ({ ...check, items: check.items ?? criteria.map(({ text }) => text) }));
}

/** Words that may be beside a check or a path in a criterion that says nothing more than that it holds. */
const HOLDS =
  /^(?:a|an|and|as|at|by|check|checked|command|created|deliverable|does|done|exist|exists|file|green|has|in|is|it|made|must|now|ok|on|pass|passed|passes|place|present|run|runs|script|succeed|succeeds|test|tests|that|the|there|verified|with|without|errors?|written)$/;

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
  return (words.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => HOLDS.test(word.toLowerCase()));
}

/** The longest first, so that nothing of it is left. */
function namesOf(check: Check): readonly string[] {
  if (check.kind === 'run') return [checkName(check), check.command];
  return check.kind === 'file_exists' ? [checkName(check), check.path] : [checkName(check)];
}
