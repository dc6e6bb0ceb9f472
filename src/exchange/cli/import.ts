/** import: a line for each task, or for many with one reason, the counts, and what comes next. */
import { groupedBy } from '../../task/core/base/groups.ts';
import { relative, resolve } from 'node:path';
import { given } from '../../task/core/base/defined-fields.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { dataOf } from '../../cli/output/output.ts';
import { EXIT } from '../../cli/terminal/frame.ts';
import { refuseUse, unwrap, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import type { lines } from '../core/exchange-lines.ts';
import { wrongWords, type WordData } from '../core/words.ts';
import { makeImport, prepareImport, type Read } from '../engine/import.ts';
import { textOf, toolsAt, toolsOf } from '../engine/sources.ts';

const exchangeData = dataOf<typeof lines>();
const ASKED_MAX = 12;
const TITLE_CHARS_MAX = 80;
/** Lines of one reason; more are one line. */
const SHOWN_MAX = 12;

interface Flags {
  readonly dryRun?: boolean;
  readonly all?: boolean;
  readonly tag?: string;
  readonly to?: string;
  readonly map?: string;
}

export const runs = {
  import: verb(async (verb, flags: Flags, first?: string, second?: string) => {
    const { ws, out, frame } = verb;
    const { dryRun: dry_run = false, all = false, tag } = flags;
    const { tool, path } = meantBy(verb, first, second);
    const wanted = flags.to ?? toolsOf(ws)[tool]?.to;
    const to = (['plan', 'contracts'] as const).find((one) => one === wanted);
    if (to === undefined)
      refuseUse(verb, '--to takes plan or contracts', 'Write --to plan', wanted);
    const wish = { ws, tool, path, to, all, tag, map: mapOf(verb, flags.map) };
    const prepared = prepareImport(wish);
    const lists = unwrap(verb, prepared);
    const problems = prepared.ok ? [...prepared.warnings] : [];
    const accepted = dry_run
      ? new Set<string>()
      : await askForChecks(
          verb,
          lists.flatMap(({ reads }) => reads),
        );
    const [plans, tables, done]: [string[], string[], Read[]] = [[], [], []];
    for (const one of lists) {
      const made = dry_run ? undefined : makeImport(one, wish, accepted);
      const { plan, table } = (made?.ok && made.value) || {};
      if (made?.ok === false) problems.push(...made.problems);
      if (plan !== undefined) plans.push(plan);
      if (table !== undefined) tables.push(table);
      for (const read of one.reads) {
        const isLost = read.isNew && made?.ok === false;
        const what = isLost
          ? { ...read, action: 'left_out' as const, reason: 'could not be written' }
          : read;
        printTask(verb, what, plan, accepted);
        done.push(what);
      }
    }
    if (!out.json) for (const problem of problems) out.problem(problem);
    if (problems.some(({ severity }) => severity === 'error')) frame.code = EXIT.people;
    printReads(verb, done, accepted);
    const [made, over, left_out] = (['made', 'done', 'left_out'] as const).map(
      (action) => done.filter((one) => one.action === action).length,
    ) as [number, number, number];
    const counts = { read: done.length, made, done: over, left_out };
    exchangeData(out, {
      v: 1,
      event: 'imported',
      tool,
      path: relative(ws.layout.root, path) || '.',
      to,
      dry_run,
      ...counts,
      plans,
      tables,
      problems,
    });
    out.print(
      `Read ${done.length} = ${made} ${dry_run ? 'to make' : 'made'} + ${over} done there + ${left_out} left out.`,
    );
    if (out.json || (made === 0 && plans.length === 0)) return;
    const [plan = 'NAME'] = plans;
    const read =
      to === 'plan'
        ? `read .contracts/plans/${plan}/plan.md, then contracts plan start ${plan}`
        : 'read them in draft/, then contracts confirm ID';
    frame.streams.err(`Next: ${dry_run ? 'the same without --dry-run' : read}\n`);
  }),
};

function printTask(
  { out }: Verb,
  read: Read,
  plan: string | undefined,
  accepted: ReadonlySet<string>,
) {
  const { task, id, place, action, reason } = read;
  const { title, file, line, commands } = task;
  const named = given({ id: place && id, plan });
  const offered = action === 'made' ? commands.filter((one) => !accepted.has(one)) : [];
  const more = { title, action, reason, file, line, commands: offered };
  exchangeData(out, { v: 1, event: 'import_task', from: task.id, ...named, ...more });
}

/** One word may be the tool or the path. */
function meantBy(verb: Verb, first?: string, second?: string): { tool: string; path: string } {
  const names = Object.keys(toolsOf(verb.ws));
  const isNamed = names.includes(first ?? '');
  const path = resolve(verb.line.dir ?? '.', (isNamed ? second : first) ?? '.');
  const fix = didYouMean(first ?? '', names).trim() || `Name one: ${names.join(', ')}`;
  const isNone = first !== undefined && verb.ws.disk.stat(path) === undefined;
  if (!isNamed && (second !== undefined || isNone))
    refuseUse(verb, 'there is no importer of this name, and no such file', fix, first);
  const [tool, ...more] = isNamed ? [first] : toolsAt({ ws: verb.ws, path });
  if (tool !== undefined && more.length === 0) return { tool, path };
  const several = `there are tasks of several tools: ${[tool, ...more].join(', ')}`;
  const message = tool === undefined ? 'no tasks of a known tool are there' : several;
  const say = `Say which: contracts import ${tool ?? 'markdown FILE'}`;
  return refuseUse(verb, message, say, path);
}

function mapOf(verb: Verb, file: string | undefined): WordData {
  if (file === undefined) return {};
  const text = unwrap(verb, textOf(verb, resolve(verb.line.dir ?? '.', file)));
  const { head } = unwrap(verb, readYaml(text, file));
  const wrong = wrongWords(head);
  if (wrong !== undefined) refuseUse(verb, wrong, 'See docs/reference/import.md', file);
  return head as WordData;
}

/** Nothing that strangers wrote becomes a check before a person said so. */
async function askForChecks({ ask }: Verb, reads: readonly Read[]): Promise<ReadonlySet<string>> {
  const accepted = new Set<string>();
  const made = reads.filter(({ action }) => action === 'made');
  const found = made.flatMap(({ task }) => task.commands);
  for (const command of ask === undefined ? [] : [...new Set(found)].slice(0, ASKED_MAX)) {
    const names = made
      .filter(({ task }) => task.commands.includes(command))
      .map(({ task }) => task.id);
    const who = names.length === 1 ? `${names[0]} names` : `${names.length} tasks name`;
    const question = `${who} the command "${command}". Make it a check of ${names.length === 1 ? 'it' : 'them'}?`;
    if (await ask?.yes(question, false)) accepted.add(command);
  }
  return accepted;
}

/** Prints of many with one reason the first. */
function printReads({ out }: Verb, reads: readonly Read[], accepted: ReadonlySet<string>): void {
  const groups = groupedBy(reads, ({ action, task, reason }) =>
    action === 'made' ? task.id : `${action} ${reason.replace(/before as \S+$/, '')}`,
  );
  for (const some of groups.values()) {
    const shown = some.length > SHOWN_MAX ? some.slice(0, 1) : some;
    for (const { action, task, id, reason, place } of shown) {
      const { title, file, line, commands } = task;
      const offered = commands.filter((one) => !accepted.has(one)).join(', ');
      const offers = offered === '' ? '' : ` (offers ${offered})`;
      const more =
        shown.length < some.length ? ` (and ${some.length - 1} more: --json names each)` : '';
      const state = place === 'plan' ? '' : ` (${place})`;
      const name = action !== 'made' || id === task.id ? task.id : `${task.id} → ${id}`;
      const short = title.length > TITLE_CHARS_MAX ? `${title.slice(0, TITLE_CHARS_MAX)}…` : title;
      const words = action === 'made' ? `${short}${offers}${state}` : `${reason}${more}`;
      out.printWrapped(
        escapeText(`${action.replace('_', ' ')}  ${name}: ${words}  ${file}:${line}`),
      );
    }
  }
}
