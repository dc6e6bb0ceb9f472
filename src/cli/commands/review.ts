/**
 * review: everything that waits for the person, listed with its commands, or walked through at a terminal: each
 * task is looked at again when its turn comes, shown, and acted on as the verbs of the same names do. What was
 * done stays done when the walk is stopped.
 */
import { Fault } from '../../task/core/model/problem.ts';
import { moveByVerb } from '../../engine/commands/moves.ts';
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { storyOf, type Story } from '../../engine/queries/show.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { Cancelled, type Asker, type Choice } from '../terminal/ask.ts';
import { editAndCheck, type TaskFile } from '../prompts/editor.ts';
import { LOOKS } from '../prompts/look-closer.ts';
import { EXIT } from '../terminal/frame.ts';
import { colourState } from '../output/output.ts';
import { cut, screenOf } from '../output/text-width.ts';
import { questionLines, shortStory } from '../output/review-text.ts';
import { storyLines } from '../output/show-text.ts';
import { attempted, idsOf, printMoved, unwrap, verb, type Verb } from '../terminal/verb-context.ts';
import { judged } from './verdicts.ts';
import { isRunDue, runNow } from './step.ts';
import { askThrough, decisionIn, resolved } from './words.ts';

export const runs = {
  review: verb(async (verb, _flags: unknown, typed: readonly string[]) => {
    const ids = idsOf(verb, typed);
    const { tasks } = listTasks(verb.ws, { waits_for: ['person'], sort: 'turn' });
    const waiting = tasks.filter(({ id }) => ids.length === 0 || ids.includes(id));
    if (waiting.length === 0) verb.out.print('Nothing waits for you.');
    else if (verb.ask === undefined) listWaiting(verb, waiting);
    else await walkThrough(verb, verb.ask, waiting);
  }),
};

function listWaiting(verb: Verb, waiting: readonly ListedTask[]): void {
  for (const task of waiting) {
    verb.out.data({ v: 1, event: 'waiting', ...task });
    verb.out.print(
      `${colourState(task.state, task.state.padEnd(11))} ${task.id}  ${escapeText(task.title)}`,
    );
    const next = task.fix === '' ? '' : `  → ${escapeText(task.fix)}`;
    verb.out.printWrapped(`            ${escapeText(task.reason)}${next}`);
    if (task.state !== 'questions' || decisionIn(verb, task.id) !== undefined) continue;
    const asked = questionLines(verb.ws, task.id);
    // The reason above has a single line already.
    if (asked.length > 1) for (const one of asked) verb.out.printWrapped(`            ${one}`);
  }
  verb.frame.code = EXIT.people;
}

const LABELS = {
  answer: 'answer',
  approve: 'approve: good as it is',
  'needs-work': 'needs work: send it back',
  reject: 'reject: give the task up',
  resolve: 'retry with words: say how it can continue',
  confirm: 'confirm: it may be worked on',
  retry: 'retry: try again without words',
  reopen: 'reopen',
  abort: 'abort: stop working on it',
  diff: 'd: diff of what changed',
  comment: 'c: comment at lines, in review.md',
  checks: 'v: run the checks again',
  folder: 'e: open its folder in the editor',
  shell: 's: a shell in its folder',
  editor: 'open in the editor',
  contract: 'open the contract in the editor',
  show: 'show all',
  skip: 'skip',
  stop: 'stop',
} as const;
type Doing = keyof typeof LABELS;

const JUDGING = [
  ...(['approve', 'needs-work', 'reject'] as const),
  ...(['diff', 'comment', 'checks', 'folder', 'shell'] as const),
];

function offered(verb: Verb, story: Story): { doings: readonly Doing[]; file: TaskFile } {
  switch (story.state) {
    case 'questions':
      return { doings: ['answer', 'editor'], file: 'questions.md' };
    case 'review':
      return { doings: JUDGING, file: 'review.md' };
    case 'blocked':
      return {
        doings: [
          ...(decisionIn(verb, story.id) ? ['answer' as const] : []),
          ...(['resolve', 'retry', 'abort', 'editor', 'contract'] as const),
        ],
        file: 'blocked.md',
      };
    case 'draft':
      return { doings: ['confirm', 'abort', 'editor'], file: 'contract.md' };
    default:
      return story.state === 'in_progress'
        ? { doings: ['approve', 'editor', 'contract', 'abort'], file: 'result.md' }
        : { doings: ['editor', 'abort'], file: 'contract.md' };
  }
}

export async function walkThrough(verb: Verb, ask: Asker, waiting: readonly ListedTask[]) {
  const all = waiting.length;
  let has_acted = false;
  let ended = 'That was all.';
  for (const [at, { id }] of waiting.entries()) {
    // One form has the questions of several.
    if (has_acted && !isWaiting(verb, id)) continue;
    verb.out.print(
      all === 1 ? '\nOne waits for you.' : `\nTask ${at + 1} of ${all} that wait for you.`,
    );
    const now = await visit(verb, ask, id, all === 1 ? '' : `${at + 1} of ${all}: `);
    if (now === 'done') has_acted = true;
    if (now !== 'stop') continue;
    ended = 'Stopped.';
    break;
  }
  verb.frame.code = EXIT.fine;
  const left = listTasks(verb.ws, { waits_for: ['person'] }).tasks.length;
  const more =
    left === 0 ? '' : ` ${left} still ${left === 1 ? 'waits' : 'wait'}: contracts review.`;
  const asks = has_acted && ended !== 'Stopped.';
  verb.out.print(`\n${ended}${more}${asks || !isRunDue(verb.ws) ? '' : ' Next: contracts run'}`);
  if (asks) await runNow(verb, undefined);
}

function isWaiting({ ws }: Verb, id: string): boolean {
  return listTasks(ws, { waits_for: ['person'], ids: new Set([id]) }).tasks.length > 0;
}

/** Shows one task, and acts on it as the person chooses. `place`: which of how many. */
export async function visit(
  verb: Verb,
  ask: Asker,
  id: string,
  place = '',
): Promise<'done' | 'next' | 'stop'> {
  let above = '';
  let hasLooked = false;
  for (let all = false; ;) {
    const story = await storyOf(verb.ws, id);
    if (!story.ok || story.value.waits_for !== 'person') {
      verb.out.printWrapped(`${id} does not wait for you any more.`);
      return 'next';
    }
    const { doings, file } = offered(verb, story.value);
    const { limit } = screenOf(verb.frame.streams);
    const lines = all
      ? storyLines(story.value, limit, verb.out.path, verb.ws.machine.now())
      : shortStory(verb.ws, story.value, limit);
    // After a look that changed nothing, what was printed still holds.
    const card = lines.join('\n');
    if (card !== above) verb.out.print(card);
    above = card;
    // One Enter too many changes nothing.
    const choices = ['skip', ...doings, 'show', 'stop'] as const;
    await ask.dropTyped();
    // In sight above the choices, whatever scrolled away.
    const { title } = story.value;
    const asked = cut(`What now? ${place}${id}, ${title}`, screenOf(verb.frame.streams).cells - 4);
    const chosen = ask.choose(
      asked,
      choices.map((one) => choiceOf(one, file)),
    );
    const doing: Doing | undefined = hasLooked
      ? await orBack(() => chosen, 'escape')
      : await chosen;
    hasLooked = doing !== undefined && isLook(doing);
    if (doing === undefined) above = '';
    if (doing === undefined) continue;
    if (doing === 'stop') return 'stop';
    if (doing === 'skip') return 'next';
    all = doing === 'show';
    if (doing === 'show') continue;
    const { value } = story;
    if (
      (await orBack(() => attempted(verb.frame, () => act(verb, ask, value, doing, file)))) === true
    )
      return 'done';
  }
}

/** Esc in a question below the card, or after a look that was printed there, comes back to it. `by`: only so. */
async function orBack<T>(act: () => Promise<T>, by?: Cancelled['by']): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Cancelled && (by ?? error.by) === error.by) return undefined;
    throw error;
  }
}

/** A look, whose print may stay below the card, so that the person seems to be inside of it. */
const isLook = (doing: Doing): boolean => doing in LOOKS || doing === 'show';

function choiceOf(doing: Doing, file: TaskFile): Choice<Doing> {
  return { value: doing, label: doing === 'editor' ? `open ${file} in the editor` : LABELS[doing] };
}

/** True when this task is done with; else it is shown again as it now is. */
async function act(
  verb: Verb,
  ask: Asker,
  story: Story,
  doing: Exclude<Doing, 'show' | 'skip' | 'stop'>,
  file: TaskFile,
): Promise<boolean> {
  const { id } = story;
  switch (doing) {
    case 'diff':
    case 'checks':
    case 'folder':
    case 'shell':
      await orFault(verb, () => LOOKS[doing](verb, story));
      return false;
    case 'answer':
      return askThrough(verb, ask, id);
    case 'approve': {
      await ask.dropTyped();
      const words = await ask.text('Any words?', { optional: true, example: 'Enter for none' });
      await judged(verb, id, 'APPROVED', words);
      return true;
    }
    case 'needs-work':
    case 'reject':
      await judged(verb, id, VERDICT_OF[doing]);
      return true;
    case 'resolve':
      await resolved(verb, id);
      return true;
    case 'comment':
    case 'editor':
    case 'contract':
      await orFault(verb, () =>
        editAndCheck(verb, id, doing === 'contract' ? 'contract.md' : file),
      );
      return false;
    default:
      printMoved(verb, unwrap(verb, moveByVerb(verb.ws, doing, id)));
      return true;
  }
}

const VERDICT_OF = { 'needs-work': 'NEEDS_WORK', reject: 'REJECT' } as const;

async function orFault(verb: Verb, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    verb.out.print(`fault: ${escapeText(error.message)}. ${escapeText(error.fix)}`);
  }
}
