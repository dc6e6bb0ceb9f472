/**
 * How a workspace stands, in a form that two plays of the same case can be compared by: its tasks
 * as crash-checks sees them, their notes, and what agents and people left beside them. Times, hashes,
 * paths and numbers of attempts are left out. Reads with the real disk, changes nothing.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTaskId } from '../../src/task/core/model/id.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { essentialsOf, timeless } from './crash-checks.ts';
import { maskOwnClock, maskText } from './golden-mask.ts';
import { filesBelow } from './golden-tree.ts';

export interface Stand {
  readonly tasks: Readonly<Record<string, unknown>>;
  readonly beside: Readonly<Record<string, string>>;
  /** Everything as one text. */
  readonly all: string;
  /** The same without the page that a verb may leave to the next step. */
  readonly work: string;
}

export function standOf(root: string): Stand {
  const mask = (text: string): string => numberless(timeless(maskOwnClock(maskText(text, root))));
  const ids = new Set(
    STATES.flatMap((state) => namesIn(join(root, 'active_tasks', state))).filter(isTaskId),
  );
  const readable = existsSync(join(root, 'active_tasks'));
  const tasks = readable ? essentialsOf(root, [...ids].sort(), undefined, mask) : {};
  const beside: Record<string, string> = {};
  for (const path of filesBelow(root)) {
    const note = /^active_tasks\/[^/.]+\/([^/]+)\/notes\//.exec(path);
    if (path.startsWith('active_tasks/') && note === null) continue;
    if (path.startsWith('.contracts/') || !lstatSync(join(root, path)).isFile()) continue;
    const text = mask(readFileSync(join(root, path), 'utf8'));
    if (note === null) beside[path] = text;
    else beside[`note of ${note[1]}: ${text}`] = '';
  }
  // A desk that stands is a call that is due; at the end none may.
  const desks = filesBelow(root).filter((path) => path.startsWith('active_tasks/.desk/'));
  const called = desks.filter((path) => path.endsWith('/brief.md')).map(numberless);
  const due = [...called, ...leftLeases(root)];
  const files = Object.entries(beside).sort();
  const withoutPage = files.filter(([path]) => path !== 'LEDGER.md');
  const [all, work] = [files, withoutPage].map((some) => JSON.stringify([tasks, some, due]));
  return { tasks, beside, all: all!, work: work! };
}

/** Of attempts with an outcome, where a step looks: it is to give them back. */
function leftLeases(root: string): string[] {
  return filesBelow(root).filter(
    (path) =>
      /^active_tasks\/(?!done|aborted|\.)[^/]+\/[^/]+\/attempts\/\d+\/lease\.md$/.test(path) &&
      existsSync(join(root, path.replace('lease.md', 'outcome.md'))),
  );
}

function numberless(text: string): string {
  return (
    text
      .replace(/(\.desk\/[\w-]+\.)\d{4}/g, '$1N')
      .replace(/attempts\/N\.lost/g, 'attempts/N')
      // Over times and numbers too.
      .replace(/(<!-- signature: )\S+ \S+/g, '$1S')
      .replace(/\b00\d\d\b/g, 'N')
  );
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
