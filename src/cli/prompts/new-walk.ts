/** `new` without a title: asks for what no flag gives. Nothing is written before the contract was shown. */
import { composeContract, createTask, type NewTask } from '../../engine/commands/create.ts';
import { executors, type Executor } from '../../engine/queries/executors.ts';
import { detectChecks } from '../../engine/setup/project-checks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { moveByVerb } from '../../engine/commands/moves.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Asker, Choice } from '../terminal/ask.ts';
import { editAndCheck } from './editor.ts';
import { EXIT } from '../terminal/frame.ts';
import { cut, screenOf, wrap } from '../output/text-width.ts';
import type { NewFlags } from './new-flags.ts';
import { criteriaFor } from '../../task/core/model/criterion-check.ts';
import { attempted, confirmNext, printMoved, unwrap, type Verb } from '../terminal/verb-context.ts';

export async function askForTask(verb: Verb, ask: Asker, given: NewFlags, titled?: string) {
  const title = titled ?? (await ask.text('What do you want, in one line?'));
  let flags = given;
  if (given.criterion.length + given.run.length + given.deliverable.length === 0) {
    flags = await askForCriteria(verb, ask, flags);
  }
  if (flags.agent === undefined && flags.adapter === undefined && flags.sh === undefined) {
    flags = { ...flags, ...(await askForExecutor(verb, ask)) };
  }
  return { title, flags };
}

type Criterion = 'run' | 'deliverable' | 'criterion' | 'enough';
const HOLDS: readonly Choice<Criterion>[] = [
  { value: 'run', label: 'a command passes' },
  { value: 'deliverable', label: 'a file is there' },
  { value: 'criterion', label: 'a sentence is true' },
];
const NO_MORE = { value: 'enough', label: 'nothing more' } as const;
const NOTHING = { value: 'enough', label: 'nothing that can be checked: I judge it' } as const;

/** Only the agent judges a sentence, unless the person approves at the end. */
async function askForCriteria(verb: Verb, ask: Asker, given: NewFlags): Promise<NewFlags> {
  const kinds = { run: [] as string[], deliverable: [] as string[], criterion: [] as string[] };
  const { run, deliverable, criterion } = kinds;
  const questions = {
    run: ['Which command?', testsOf(verb.ws)],
    deliverable: ['Which file?', undefined],
    criterion: ['What must be true?', undefined],
  } as const;
  let any = false;
  for (;;) {
    const kind = any
      ? await ask.choose<Criterion>('What else must hold at the end?', [NO_MORE, ...HOLDS])
      : await ask.choose<Criterion>('What must hold at the end?', [...HOLDS, NOTHING]);
    if (kind === 'enough') break;
    const [question, preset] = questions[kind];
    kinds[kind].push(await ask.text(question, { preset }));
    any = true;
  }
  // Checks are criteria too, and a list of sentences alone would leave them out.
  const sentences = criterion.length === 0 ? [] : [...criterion, ...criteriaFor(run, deliverable)];
  const asks = any && given.gate.length === 0 && run.length + deliverable.length > 0;
  const judges =
    asks && (await ask.yes('Do you want to approve it at the end?', criterion.length > 0));
  const gate = judges ? ['person'] : given.gate;
  return { ...given, run, deliverable, criterion: sentences, gate };
}

/** The command that tests this project. */
const testsOf = ({ disk, layout }: Workspace): string | undefined =>
  detectChecks(disk, layout.root)
    .get('tests')?.[0]
    ?.replace(/^run: /, '');

const HOW: Readonly<Record<string, string>> = {
  shell: 'commands that you write now',
  human: 'a person; no agent is called',
  host: 'an agent that you call yourself',
};

export async function askForExecutor(verb: Verb, ask: Asker) {
  const all = executors(verb.ws);
  const cells = screenOf(verb.frame.streams).cells - 7;
  const chosen = await ask.choose(
    'Who does it?',
    all.map((one, n) => ({
      value: String(n),
      label: cut(escapeText(labelOf(one, verb.frame.logged_out)), cells),
    })),
  );
  const { key, name } = all[Number(chosen)] ?? { key: 'adapter', name: 'human' };
  if (key === 'agent') return { agent: name };
  if (name !== 'shell') return { adapter: name };
  const sh = await ask.text('Which commands?', { example: 'echo hello > hello.txt' });
  return { adapter: name, sh };
}

function labelOf({ key, name, how }: Executor, out: readonly string[] = []): string {
  const words = key === 'adapter' && how === name ? (HOW[name] ?? how) : how;
  return `${name}: ${words}${out.includes(how) ? ' (not logged in)' : ''}`;
}

type Now = 'confirm' | 'save' | 'edit' | 'again' | 'drop';

/** undefined when it was not kept, or is confirmed already; `again`: nothing was written. */
export async function showAndCreate(verb: Verb, ask: Asker, wanted: NewTask) {
  const composed = unwrap(verb, composeContract(verb.ws, wanted));
  const { limit } = screenOf(verb.frame.streams);
  verb.out.print('');
  for (const line of wrap(escapeText(composed.text.trimEnd(), { multiline: true }), limit - 2)) {
    verb.out.print(`  ${line}`);
  }
  verb.out.print('');
  const now = await ask
    .choose<Now>('What now?', [
      { value: 'confirm', label: 'confirm: it may be worked on' },
      { value: 'save', label: 'save: keep it as a draft' },
      { value: 'edit', label: 'edit: open it in the editor' },
      { value: 'again', label: 'answer the questions again' },
      { value: 'drop', label: 'throw it away' },
    ])
    .catch((): Now => {
      // Ctrl-C here loses no answer.
      verb.frame.code = EXIT.interrupted;
      return 'save';
    });
  if (now === 'again') return now;
  if (now === 'drop') {
    verb.out.print('Nothing was written.');
    return undefined;
  }
  const created = unwrap(verb, createTask(verb.ws, wanted));
  if (now === 'edit')
    await attempted(verb.frame, () => editAndCheck(verb, created.id, 'contract.md'));
  const confirmed =
    now === 'confirm' || (now === 'edit' && (await ask.yes('Confirm it: may it be worked on?')));
  if (!confirmed) return created;
  const moved = await attempted(verb.frame, () =>
    unwrap(verb, moveByVerb(verb.ws, 'confirm', created.id)),
  );
  // The refusal has reported what is wrong with the draft.
  if (moved !== undefined) printMoved(verb, moved);
  verb.out.print(`Next: ${moved === undefined ? confirmNext(verb, created) : 'contracts run'}`);
  return undefined;
}
