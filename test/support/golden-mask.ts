/**
 * Takes out of a text what differs from run to run: times, pids, nonces, hashes, durations, the
 * workspace's own path. What stays is what the case is about. Pure text; a value that it does not
 * know makes the golden file differ, which is loud.
 */

import { fileURLToPath } from 'node:url';
import { quotePattern } from './kept-fields.ts';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/** Lines of the runner's records that hold nothing but a machine's values. */
const MACHINE_LINES =
  /^(pid|start|boot|pid_ns|host|machine|nonce|mark|claimed|started|contract|inputs|at|ended|tree|signature): .*\n/gm;
/** Of a verdict, in review.md. */
const SIGNATURE = /^<!-- signature: .* -->\n/gm;
/** Never taken for copies of each other: two of the same second have the same bytes. */
export const RECORDS = /(^|\/)(owner|agent|check|ground|lease|exit|outcome|receipts|before)\.md$/;

/** Sizes and hashes in receipts; the files themselves are in the tree. */
const OF_DELIVERABLES = /^deliverables:\n(?: .*\n)+/m;

/** Sections of a brief that say why the task comes back; the rest is tested with its template. */
const EXTRA_SECTION =
  /^## (CONFLICT|ANSWERS|REVIEWER FINDINGS|EARLIER FINDINGS|LAST FAILURE|RESOLUTION|LEARNINGS|HANDOFF|NOTEPAD|NOTES|CHILDREN|EARLIER RESULTS)$/m;

type Mask = readonly [differs: RegExp, shown: string];

/** In every text. Only shorter: test/cases/cases.test.ts has how many these are. */
export const MASKS: readonly Mask[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  // A contract without a date has that of its file.
  [/^( {2}created .*)\((?:\d+[mhd] ago|just now)\)/gm, '$1(<age>)'],
  [/(waits until )(\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?/g, '$1<time>'],
  [/\d{4}-\d\d-\d\dT\d{6}-[0-9a-z]{4}\.md/g, '<time>.md'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\b[0-9a-f]{40}\b/g, '<commit>'],
  [/(?<= (?:at|main) )[0-9a-f]{10}\b/g, '<commit>'],
  [/\b[0-9a-f]{32}\b/g, '<nonce>'],
  [/\bhold \(by [\w.-]+\)/g, 'hold (by <key>)'],
  [/"pid":\d+/g, '"pid":"<pid>"'],
];

export function maskText(text: string, root: string): string {
  const { TMPDIR = '', XDG_STATE_HOME = '' } = process.env;
  const below = (folder: string, name: string) => new RegExp(quotePattern(folder) + name, 'g');
  const placed = text
    .replace(below(XDG_STATE_HOME, "/contracts/worktrees/[^/\\s']+"), '<worktrees>')
    .replace(/'(<worktrees>[^\s']*)'/g, '$1')
    .replace(below(TMPDIR, '/contracts-home-\\w+'), '<home of the call>')
    .replaceAll(root, '<root>')
    // In a policy it is a part of a pattern.
    .replaceAll(JSON.stringify(quotePattern(root).replaceAll('\\/', '/')).slice(1, -1), '<root>')
    .replaceAll(`'${process.execPath}' '${PACKAGE}`, "'<node>' '<package>/");
  return masked(placed, MASKS);
}

function masked(text: string, masks: readonly Mask[]): string {
  return masks.reduce((so_far, [differs, shown]) => so_far.replace(differs, shown), text);
}

/** What a process with a clock of its own prints: how long things took. */
export const OWN_CLOCK: readonly Mask[] = [
  [/"seconds":[\d.]+/g, '"seconds":"<seconds>"'],
  [/^( {2}\d{4} {2}.*), \d+(\.\d)? s$/gm, '$1, <seconds>'],
  [/, \d+ ms$/gm, ', <ms>'],
  [/^( +ms): \d+$/gm, '$1: <ms>'],
  [/^(seconds): [\d.]+$/gm, '$1: <seconds>'],
  [/^(Used .*) in \d[\dhms]*\.$/gm, '$1 in <seconds>.'],
];

export const maskOwnClock = (text: string): string => masked(text, OWN_CLOCK);

const LISTED_AGE =
  /^([!↑↓]* *(?:draft|ready|in_progress|questions|review|blocked|done|aborted) +[a-z0-9_-]+ +.*? {2})(?:now|\d+[mhd]) +(?=\S)/gm;

/** In a line of `list --problems`, after what is wrong and the id. */
const PROBLEM_AGE =
  /^((?:stuck|over budget|failing|waits) +[a-z0-9_-]+ +)(?:now|\d+[mhd]) +(?=\S)/gm;

/** Of a line that says what to do next: commands and files, without the words between them. */
const NEXT_LINE = /^(?:That was all\. )?Next: (.*)$/gm;
const NAMED = /contracts(?: (?:"[^"]*"|(?!and |or |then )[^\s,]+))+|[^\s,]*\/[^\s,]*|--[a-z-]+/g;

/** Terminal output: colours too. */
export function maskOutput(text: string, root: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = maskText(text.replace(/\u001b\[\d*m/g, ''), root);
  return (
    plain
      .replace(NEXT_LINE, (_, words: string) => `<next: ${words.match(NAMED)?.join(', ')}>`)
      // The age in a line of `list`, after mark, state, id and title.
      .replace(LISTED_AGE, '$1<age>  ')
      .replace(PROBLEM_AGE, '$1<age>  ')
      // In a line of `board`, before the owner.
      .replace(/^( {2}[!↑↓ ]*[a-z0-9_-]+ {2,})(?:now|\d+[mhd]) (?=\S+$)/gm, '$1<age> ')
  );
}

/** Last words that only some shells have: what they say of a child that was killed. */
const OF_A_SHELL = /\n\nThe end of \S+:\n\n> .*\b(Killed|Terminated)\b.*(?=\n|$)/g;

/** What every attempt has, and other tests are about; shown where a case asks for everything. */
const ALWAYS_THE_SAME =
  /(^|\/)attempts\/[^/]+\/((owner|agent|check|ground|before)\.md|seen\.sums|desk\/(exit\.md|steps\.sh))$/;
/** What was there before an agent was called: inodes and times. */
const WITNESS = /\/attempts\/[^/]+\/before\.json$/;
/** Another one on each machine; signatures have tests of their own. */
const PUBLIC_KEY = /^\.contracts\/keys\//;
const ON_A_DESK = /\/(desk|\.desk\/[^/]+)\/(status|result)\.md$/;
const AS_GIVEN =
  /^# Task (Status: .*\n\n- Status: PENDING\n- Last Update: <time>|Result: .*\n\n- Status: ?\n- Completed: ?)\n/;

export interface MaskOptions {
  readonly root: string;
  readonly everything: boolean;
}

/** A file of the tree; undefined when it is not shown. */
export function maskFile(path: string, text: string, options: MaskOptions): string | undefined {
  if (WITNESS.test(path) || PUBLIC_KEY.test(path)) return undefined;
  const masked = maskText(text, options.root).replace(OF_A_SHELL, '').replace(SIGNATURE, '');
  if (RECORDS.test(path)) {
    if (!options.everything && ALWAYS_THE_SAME.test(path)) return undefined;
    const shown = options.everything ? masked : masked.replace(OF_DELIVERABLES, '');
    return shown.replace(MACHINE_LINES, '').replace(/^( +)at: .*\n/gm, '');
  }
  if (path.endsWith('/output.log')) {
    // What a shell says of itself, and of a child that was killed, differs from shell to shell.
    const log = masked
      .replace(/^.*\b(Killed|Terminated)\b.*\n/gm, '')
      .replace(/^(\/bin\/)?sh: .*$/gm, 'sh: <its own words>');
    return log === '' ? undefined : log;
  }
  if (options.everything) return masked;
  if (ALWAYS_THE_SAME.test(path)) return undefined;
  if (ON_A_DESK.test(path) && AS_GIVEN.test(masked)) return undefined;
  if (!path.endsWith('/brief.md')) return masked;
  const extra = masked.split(/^(?=## )/m).filter((section) => EXTRA_SECTION.test(section));
  const isKnown = extra.every((section) => section.startsWith('## CHILDREN'));
  return isKnown ? undefined : `…\n\n${extra.join('').trimEnd()}\n`;
}
