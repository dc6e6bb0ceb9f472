/**
 * Which check of its contract a criterion speaks of: found by its words alone, so that the runner can
 * tick it where nobody but the runner writes the result.
 */
import { checkName, type Check, type Contract, type Criterion } from './contract.ts';

/**
 * The check that a criterion names: its command, its path or its whole name stands in the text. A
 * deliverable that it names counts too: the runner looks itself whether it is there.
 */
export function checkOf(contract: Contract, criterion: Criterion): Check | undefined {
  const found = contract.checks.find((check) => isNamed(check, criterion.text));
  if (found !== undefined) return found;
  const path = contract.head.deliverables.find((one) => criterion.text.includes(one));
  return path === undefined ? undefined : { kind: 'file_exists', path };
}

function isNamed(check: Check, text: string): boolean {
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
