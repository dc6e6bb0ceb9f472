/**
 * The person's own bell: `on_state` of the configuration, called after each move of the runner or of
 * a verb. The id ({{id}} or {{task}}) and the {{state}} fill whole arguments; the rest is in its
 * environment, so that no text of others ever is in a command. Nobody waits for it, its failure
 * is nobody's failure, its output is dropped, and it is killed after a minute. That it cannot ring at
 * all is said by doctor, by check and once by a step.
 */
import { join } from 'node:path';
import { programEnvironment, terminalEnvironment } from '../../process/adapter.ts';
import { orNothing } from '../../process/path-kind.ts';
import { runDetached } from '../../process/detached.ts';
import { isInstalled } from '../../process/program.ts';
import { folderBeyond, insideHere, namedProgram } from '../../sandbox/engine/named-program.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { isFirstTime } from '../../workspace/open/cache-folder.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export type Move = Pick<Extract<Event, { event: 'moved' }>, 'task' | 'from' | 'to' | 'reason'>;

const NEEDS_PERSON: ReadonlySet<State> = new Set(['questions', 'blocked']);
const APPLE_SCRIPT =
  'on run argv\ndisplay notification (item 1 of argv) with title "contracts"\nend run';
const DESKTOP_CHARS_MAX = 200;
const BELL_SECONDS = 60;
/** One value of an environment has its limit; a reason is a sentence. */
const REASON_CHARS_MAX = 4000;

/** Commands by which a person answers a task in this state. */
const ANSWERS: { readonly [K in State]?: (id: string) => string } = {
  questions: (id) => `contracts answer ${id} "…"`,
  review: (id) => `contracts approve ${id}`,
  blocked: (id) => `contracts retry ${id} "…"`,
};
/** Posted by a Node of its own, since nobody waits for it. */
const POST =
  "fetch(process.env.CONTRACTS_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: process.env.CONTRACTS_BODY })";

export function notifyState(ws: Workspace, move: Move): void {
  const own = ws.person.notify;
  if (Array.isArray(own) && !isCi(ws)) ring(ws, own, move);
  else if (NEEDS_PERSON.has(move.to)) notifyPerson(ws, move.task, move.reason, move.to);
  const { on_state } = ws.config;
  if (on_state !== undefined && whyUntrusted(ws) === undefined) ring(ws, on_state, move);
}

/** Called where a task begins to wait for a person, so once for each such wait. */
export function notifyPerson(ws: Workspace, task: string, reason: string, state: State): void {
  const { notify } = ws.person;
  if (notify === undefined || Array.isArray(notify) || isCi(ws)) return;
  if (notify === 'bell') return ws.ring_bell?.();
  const question = state === 'questions' ? firstQuestion(ws, task) : '';
  const command = ANSWERS[state]?.(task) ?? `contracts show ${task}`;
  const said = redactedRecord(ws, { reason, question });
  if (notify !== 'desktop') {
    const body = JSON.stringify({ v: 1, task, state, ...said, command, root: ws.layout.root });
    const own = { CONTRACTS_URL: notify, CONTRACTS_BODY: body, PATH: ws.programs.path };
    const env = { ...terminalEnvironment(ws.env), ...own };
    const argv = [process.execPath, '-e', POST];
    return runDetached({ argv, cwd: folderBeyond(ws), env, timeout_seconds: BELL_SECONDS });
  }
  const asks = (said.question || said.reason).slice(0, DESKTOP_CHARS_MAX);
  const text = `${escapeText(`${task}: ${asks}`)} → ${command}`;
  const linux = ws.programs.find('notify-send');
  const mac = ws.programs.find('osascript');
  // Desktops read the body as markup.
  const body = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const apple = mac === undefined ? [] : [mac, '-e', APPLE_SCRIPT, text];
  const argv = linux === undefined ? apple : [linux, '--', 'contracts', body];
  const env = { ...terminalEnvironment(ws.env), PATH: ws.programs.path };
  runDetached({ argv, cwd: folderBeyond(ws), env, timeout_seconds: BELL_SECONDS });
}

function isCi({ env: { CI = '' } }: Workspace): boolean {
  return CI !== '' && CI !== 'false';
}

/** The first that has no answer yet; empty where none can be read. */
function firstQuestion(ws: Workspace, id: string): string {
  const read = readTask(ws, 'questions', id)?.questions;
  const questions = read?.ok ? read.value.questions : [];
  return questions.find(({ answer }) => answer === '')?.text ?? '';
}

function ring(ws: Workspace, command: readonly string[], move: Move): void {
  const fill = (text: string): string =>
    text.replace(/\{\{(id|task|state)\}\}/g, (_, name) => (name === 'state' ? move.to : move.task));
  const env = {
    ...programEnvironment(ws.env),
    CONTRACTS_TASK: move.task,
    CONTRACTS_FROM: move.from,
    CONTRACTS_TO: move.to,
    CONTRACTS_REASON: move.reason.replaceAll('\0', ' ').slice(0, REASON_CHARS_MAX),
    CONTRACTS_ROOT: ws.layout.root,
  };
  const named = orNothing(() => namedProgram(ws, command, { env, fill, away: true }));
  if (named !== undefined) runDetached({ ...named, timeout_seconds: BELL_SECONDS });
}

/** The program of `on_state` is not there, or is confined: with `once` reported once for a workspace. */
export function bellProblems(ws: Workspace, once = false): readonly Problem[] {
  const command = ws.config.on_state ?? [];
  const [program] = command;
  if (program === undefined) return [];
  const isHere = isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root);
  const inside = isHere ? insideHere(ws, command) : undefined;
  if (isHere && inside === undefined) return [];
  if (inside !== undefined && once && !isFirstTime(ws, 'confined-bell')) return [];
  const file = '.contracts/config.yaml';
  const read = readText(ws.disk, join(ws.layout.root, file), file, { single_link: false });
  const lines = read.ok ? read.value.split('\n') : [];
  const line = Math.max(1, lines.findIndex((one) => one.startsWith('on_state')) + 1);
  const found = inside ?? program;
  const [message, fix] =
    inside === undefined
      ? [
          'the program of on_state is not installed here, so moves are not reported',
          `Install ${program}, correct its name, or remove on_state`,
        ]
      : [
          `on_state takes ${inside} from the workspace, where agents write, so it runs in the sandbox of a check and reaches no desktop`,
          'To reach the desktop: put a script outside of the workspace, and name it by its absolute path',
        ];
  return [problem({ code: 'environment', severity: 'warning', file, line, message, found, fix })];
}
