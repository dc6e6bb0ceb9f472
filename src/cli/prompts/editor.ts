/** A file of a task in the person's editor: opened, checked when saved, opened again when the person wants. */
import { join } from 'node:path';
import { terminalEnvironment } from '../../process/adapter.ts';
import { isInstalled } from '../../process/program.ts';
import { runInTerminal } from '../../process/terminal-run.ts';
import { namedProgram, type NamedOptions } from '../../sandbox/engine/named-program.ts';
import { Fault, formatProblem } from '../../task/core/model/problem.ts';
import { checkTask } from '../../engine/doctor/check.ts';
import { commentWords } from '../../engine/review/quote-comments.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { storyOf } from '../../engine/queries/show.ts';
import { shown, TASK_FILES, taskFolder } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { isTerminal } from '../streams/is-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { ignoringCtrlC } from '../terminal/interruptible.ts';
import { refuseUse, unwrap, type Verb } from '../terminal/verb-context.ts';

export type TaskFile = (typeof TASK_FILES)[number];

interface Place {
  /** Absolute. */
  readonly path: string;
  /** As people read it. */
  readonly file: string;
}

/** Refuses when nothing can be opened; the exit code reports what was saved. */
export async function editAndCheck(verb: Verb, id: string, name: TaskFile): Promise<void> {
  let place: Place | undefined = placeOf(verb, id, name);
  if (verb.frame.streams.isTTY !== true || !isTerminal(0)) {
    const fix = `Open the file yourself: ${place.file}; then contracts check ${id}`;
    refuseUse(verb, 'an editor needs a terminal, and this is none', fix);
  }
  const argv = editorOf(verb);
  while (place !== undefined) {
    await openIn(verb, argv, place);
    // A step may have moved the task while the editor was open.
    const now = placeOf(verb, id, name);
    if (now.file !== place.file) verb.out.print(`It was moved since then: ${now.file}`);
    const bad = await printSaved(verb, id, now);
    const again = bad && (await verb.ask?.yes('Open it again?')) === true;
    place = again ? now : undefined;
  }
}

/** As git chooses it, but never from a configuration. Refuses where none is set and vi is not installed. */
export function editorOf(verb: Verb): readonly string[] {
  const { env, person } = verb.ws;
  if (person.editor !== undefined) return person.editor;
  const set = ['GIT_EDITOR', 'VISUAL', 'EDITOR'].map((name) => env[name]?.trim());
  const vi = isInstalled('vi', env['PATH'] ?? '', verb.ws.layout.root) ? 'vi' : undefined;
  const line = set.find(Boolean) ?? vi;
  const argv = line === undefined ? undefined : splitCommand(line);
  if (argv !== undefined) return argv;
  const message = line ? 'the command of the editor cannot be read' : 'no editor is set';
  const fix = 'Set VISUAL or EDITOR, such as: export EDITOR=vi; or open the file yourself';
  return refuseUse(verb, message, fix, line || undefined);
}

function placeOf(verb: Verb, id: string, name: TaskFile): Place {
  const { ws } = verb;
  const folder = taskFolder(ws.layout, unwrap(verb, findTask(ws, id)).state, id);
  const path = join(folder, name);
  const file = shown(ws.layout, path);
  if (ws.disk.stat(path)?.kind === 'file') return { path, file };
  const there = TASK_FILES.filter((one) => ws.disk.stat(join(folder, one))?.kind === 'file');
  const fix = `There is ${there.join(', ')}: contracts edit ${id} ${there[0] ?? 'contract.md'}`;
  return refuseUse(verb, `this task has no ${name}`, fix, file);
}

async function openIn(verb: Verb, argv: readonly string[], place: Place): Promise<void> {
  const why = await inTerminal(verb, argv, { more: [place.path], writes: [place.path] });
  if (why === '') return;
  const fix = `${place.file} is as the editor left it; see its messages, or set VISUAL or EDITOR`;
  throw new Fault('program', `the editor ${argv.join(' ')} ${why}`, { fix });
}

/** Waits for a program that a person's settings name. Returns why it failed; empty when it ended well. */
export async function inTerminal(
  { ws, frame }: Pick<Verb, 'ws' | 'frame'>,
  argv: readonly string[],
  { input, ...given }: Omit<NamedOptions, 'env'> & { readonly input?: string } = {},
): Promise<string> {
  const own = { LESS: 'FRX', LV: '-c', ...terminalEnvironment(ws.env) };
  const named = namedProgram(ws, argv, { env: own, ...given });
  if (named.inside !== undefined) {
    const where = `${named.inside} lies in the workspace, where agents write`;
    frame.streams.err(`${escapeText(`${where}, so it runs in the sandbox of a check`)}\n`);
  }
  const env = { ...named.env, ...(named.path !== undefined && { PATH: named.path }) };
  const options = { cwd: named.cwd, env, ...(input !== undefined && { input }) };
  try {
    return (await ignoringCtrlC(() => runInTerminal(named.argv, options))).why;
  } finally {
    named.end();
  }
}

/** Prints what is wrong with the file as saved, which gives true; when nothing is, how the next step understands it. */
export async function printSaved(verb: Verb, id: string, place: Place): Promise<boolean> {
  const checked = unwrap(verb, checkTask(verb.ws, id));
  const problems = checked.problems.filter((one) => one.file === place.file);
  for (const one of problems) {
    verb.out.data({ v: 1, event: 'problem', problem: one });
    verb.out.print(escapeText(formatProblem(one)));
  }
  const errors = problems.filter((one) => one.severity === 'error').length;
  verb.out.data({ v: 1, event: 'edited', task: id, file: place.file, errors });
  verb.frame.code = errors > 0 ? EXIT.people : EXIT.fine;
  if (errors > 0) return true;
  const story = await storyOf(verb.ws, id);
  const next = story.ok ? `: ${escapeText(story.value.reason)}` : '';
  verb.out.printWrapped(`${place.file} is in order${next}`);
  for (const one of commentWords(verb.ws, id)) verb.out.printWrapped(one);
  return false;
}

/**
 * The words of an editor's command line as a shell would quote them; nothing is expanded or run. A
 * backslash in double quotes escapes only " and \. undefined without a word, or with an open quote.
 */
function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    const next = line[i + 1];
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = '';
    } else if (char === '\\' && next !== undefined && escapes(quote, next)) {
      word = (word ?? '') + next;
      i++;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return quote !== '' || words.length === 0 ? undefined : words;
}

function escapes(quote: string, next: string): boolean {
  return quote === '' || (quote === '"' && (next === '"' || next === '\\'));
}
