/** Collects what a client reports while it runs. Bounded, whatever it reports. */
import type { AgentProgress } from '../../process/adapter.ts';
import type { ClientReport } from '../../task/core/attempts/client-report.ts';

const LISTED_MAX = 50;
const SAID_MAX = 4000;
const CALLS_MAX = 10_000;

type Of<K extends AgentProgress['kind']> = Extract<AgentProgress, { kind: K }>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function collectEvents() {
  const report: Report = { last_message: '' };
  const denied = new Set<string>();
  const calls = new Map<string, Of<'tool'>>();
  const failed = new Map<string, string>();
  let has_worked = false;
  const refused = new Set<string>();
  const asked = new Set<string>();
  const deny = ({ tool: named, why, call }: Of<'denied'>): void => {
    const tool = named || calls.get(call ?? '')?.name || '';
    // What names neither tool nor call is in the log of the hook.
    if (tool === '' || refused.has(call ?? '') || denied.size >= LISTED_MAX) return;
    if (call !== undefined) refused.add(call);
    denied.add(`${tool}: ${why}`);
  };
  return {
    take: (progress: AgentProgress): void => {
      switch (progress.kind) {
        case 'session':
          if (progress.id !== '') report.session = progress.id;
          return;
        case 'line':
          if (progress.part !== true) report.last_message = '';
          report.last_message = `${report.last_message}${progress.text}`.slice(-SAID_MAX);
          return;
        case 'noise':
        case 'retry':
          report.noise = progress.text.slice(-SAID_MAX);
          return;
        case 'result':
          has_worked ||= progress.ok;
          if (progress.exit_code !== undefined && failed.size < LISTED_MAX) {
            failed.set(calls.get(progress.call)?.detail ?? progress.call, progress.text);
          }
          return;
        case 'tool':
          if (progress.call !== undefined && calls.size < CALLS_MAX)
            calls.set(progress.call, progress);
          // What it wrote before was not its last message.
          report.last_message = '';
          return;
        case 'denied':
          return deny(progress);
        case 'judged':
          report.judged = true;
          return;
        case 'question':
          if (asked.size < LISTED_MAX) asked.add(progress.text);
          return;
        case 'resets':
          report.resets = progress.text;
          return;
        case 'error':
          report.error = { what: progress.what, text: progress.text };
          return;
        default:
          atEnd(report, progress);
      }
    },
    report: (): ClientReport => {
      const alike = has_worked ? {} : failedAlike([...failed.values()]);
      return { ...report, ...alike, denied: [...denied], asked: [...asked] };
    },
  };
}

/** Texts of different commands that are the same but for one word, such as the random name of a file. */
function failedAlike([first = '', ...more]: readonly string[]): Pick<ClientReport, 'failed_alike'> {
  const words = first.split(' ');
  const alike = more.filter((text) => {
    const others = text.split(' ');
    return others.length === words.length && others.filter((one, i) => one !== words[i]).length < 2;
  });
  // One command that fails may be wrong itself.
  const isSeveral = more.length > 0 || first.startsWith('bwrap: ');
  const isOne = first !== '' && isSeveral && alike.length === more.length;
  return isOne ? { failed_alike: first } : {};
}

type Report = Mutable<Omit<ClientReport, 'denied' | 'asked'>>;

/** Takes what is about the call as a whole. */
function atEnd(report: Report, progress: Of<'end' | 'machine' | 'ended' | 'usage'>): void {
  switch (progress.kind) {
    case 'end':
      report.ended = progress.ok ? 'ok' : 'failed';
      // It continued after the error.
      if (progress.ok) delete report.error;
      return;
    case 'machine':
      report.machine = { name: progress.name, enforced: progress.enforced };
      return;
    case 'ended':
      report.ended_there = progress.ending;
      return;
    case 'usage':
      use(report, progress);
  }
}

function use(report: Report, progress: Of<'usage'>): void {
  if (progress.model !== undefined) report.model = progress.model;
  if (progress.of_session !== undefined) report.of_session = progress.of_session;
  for (const key of ['input_tokens', 'output_tokens', 'cost_usd'] as const) {
    const now = progress[key];
    if (now === undefined) continue;
    report[key] = progress.total === true ? now : (report[key] ?? 0) + now;
  }
}
