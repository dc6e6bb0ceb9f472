/**
 * What a client reported, as part of an attempt: why it handed in nothing, questions that it asked in its
 * own terminal, and what it used.
 */
import { join } from 'node:path';
import { switchedOn, type Adapter } from '../../process/adapter.ts';
import { questionsOf, whyNothing } from '../../clients/core/client-end.ts';
import type { ClientEnd, Ending, ClientReport } from '../../task/core/attempts/client-report.ts';
import { isOutTooLong } from '../../task/core/attempts/pause.ts';
import type { Attempt, OutcomeRecord } from '../../task/core/attempts/record.ts';
import { isLastModel, type Role } from '../../agents/engine/roles.ts';
import { put } from '../../task/store/disk/put.ts';
import { escapeBlock } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { isEmptyHanded } from '../attempt/hand-in.ts';
import type { Compared } from '../../permissions/engine/audit/compare.ts';
import type { Called } from './call.ts';
import { homeOfCall } from './client-home.ts';
import type { Before } from './replay-log.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

/** undefined where the adapter is no client. */
export function clientEnd(
  { ws, task, kind, contract }: Running,
  adapter: Adapter | undefined,
  report: ClientReport,
  ending: Ending,
  by: {
    readonly role: Role | undefined;
    readonly model: string | undefined;
    readonly resumed?: boolean;
  },
): ClientEnd | undefined {
  const client = adapter?.client;
  const now = ws.machine.now();
  const same = task.attempts.filter((attempt) => attempt.kind === kind);
  const calling = {
    now,
    resumed: by.resumed ?? false,
    home_of_call: homeOfCall(ws),
    out_too_long: isOutTooLong(same, now.getTime()),
    last_model: isLastModel(ws, contract, by.model, { kind, role: by.role }),
  };
  const [cloud] = switchedOn(adapter?.env_if, ws.env);
  return client && whyNothing(report, ending, { ...client, cloud }, calling);
}

/** Writes what the client asked in its terminal as questions.md, where the agent handed in nothing. */
export function writeAsked(running: Running, desk: string, report: ClientReport, changed: boolean) {
  const { ws, id } = running;
  const asked = questionsOf(report, changed);
  if (asked.length === 0 || !isEmptyHanded(running, desk)) return;
  const text = [
    `# Questions: ${id}`,
    '<!-- Asked in the terminal of the agent, where no person is; the runner wrote it down here. -->',
    '## Questions',
    ...asked.map((words, i) => oneQuestion(i + 1, words)),
  ];
  put(ws.putting, join(desk, 'questions.md'), bytesOf(`${text.join('\n\n')}\n`));
}

/** The last line that asks is the question; the rest is below it. */
function oneQuestion(number: number, words: string): string {
  const lines = words.trim().split('\n');
  const at = Math.max(
    lines.findLastIndex((line) => line.includes('?')),
    0,
  );
  const question = oneLine((lines[at] ?? '').replace(/^[\s#>*\-\d.)]+/, ''));
  const about = lines.toSpliced(at, 1).join('\n').trim();
  const heading = `### ${number}. ${question}`;
  return about === '' ? heading : `${heading}\n\n${escapeBlock(about)}`;
}

/** Facts of the call of an attempt, whoever made it. */
export interface CallSeen {
  readonly called?: Called | undefined;
  readonly compared?: Compared | undefined;
  /** The call of a dead runner, where its agent had ended. */
  readonly before?: Before | undefined;
  /** The outcome that a dead runner had committed. */
  readonly left?: OutcomeRecord | undefined;
}

/** Fields with which each outcome begins. */
export function outcomeHead(
  { ws, number, kind }: Running,
  { outcome, code, reason }: Pick<OutcomeRecord, 'outcome' | 'code' | 'reason'>,
  { called, before, left }: CallSeen,
) {
  const at = ws.machine.now().toISOString();
  const { seconds } = called ?? before ?? left ?? { seconds: undefined };
  return { v: 1, attempt: number, kind, outcome, code, reason, at, seconds } as const;
}

type Used = Pick<
  OutcomeRecord,
  'session' | 'model' | 'machine' | 'input_tokens' | 'output_tokens' | 'cost_usd' | 'denied'
>;

type Figure = 'input_tokens' | 'output_tokens' | 'cost_usd';
/** Each is counted from zero again as a whole. */
const TOGETHER: readonly (readonly Figure[])[] = [['input_tokens', 'output_tokens'], ['cost_usd']];

/** `model` is what it was called with. What the session used in earlier attempts is subtracted. */
export function usedFields(
  { task: { attempts } }: Pick<Running, 'task'>,
  { report, model = report.model }: { report: ClientReport; model: string | undefined },
): Used {
  const { session, denied, of_session, machine } = report;
  const used: Used = {};
  for (const figures of TOGETHER) {
    const isWhole = of_session === 'all' || figures.some((one) => one === of_session);
    const before = isWhole ? usedEarlier(attempts, report, figures) : {};
    for (const one of figures) {
      const all = report[one];
      // Sums of fractions are not exact.
      if (all !== undefined) used[one] = Number(Math.max(0, all - (before[one] ?? 0)).toFixed(9));
    }
  }
  const of = { model, machine: machine?.name };
  return { session, ...used, ...of, denied: denied.length === 0 ? undefined : [...denied] };
}

/** From the last attempt of its session back: a client that has counted from zero again reports less. */
function usedEarlier(
  attempts: readonly Attempt[],
  report: ClientReport,
  figures: readonly Figure[],
): Pick<Used, Figure> {
  const own = attempts.filter(
    ({ outcome }) => outcome?.session === report.session && outcome?.session,
  );
  // What was taken over is reported by the attempt that took it over as well.
  const called = new Map(own.map((one) => [one.outcome?.adopted ?? one.number, one.outcome]));
  let before: Pick<Used, Figure> = {};
  for (const outcome of [...called.values()].toReversed()) {
    const sums = figures.map((one) => [one, (before[one] ?? 0) + (outcome?.[one] ?? 0)] as const);
    if (sums.some(([one, sum]) => sum > (report[one] ?? Infinity) + 1e-9)) break;
    before = Object.fromEntries(sums);
  }
  return before;
}

/** The use of an attempt that is taken over. */
export function usedBefore(left: OutcomeRecord | undefined): Used {
  const { session, model, machine, input_tokens, output_tokens, cost_usd, denied } = left ?? {};
  return { session, model, machine, input_tokens, output_tokens, cost_usd, denied };
}
