/** The verbs that create tasks, move them on and answer them, as data, in the order of the help. */
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import type { Argument, Flag, FlagValue } from '../../workspace/tasks/verb.ts';
import type { VerbFile, VerbGroup, VerbSpec } from '../../workspace/tasks/verb.ts';
import { JSON_FLAG } from '../terminal/command-shape.ts';

const FILES = TASK_FILES.map((name) => name.slice(0, -'.md'.length));
const FILE = { offers: 'file' } as const;
const ADAPTERS = ['shell', 'human', 'host'];
const WHICH = 'which task; asked for at a terminal';

const moves = (): Promise<VerbFile> => import('../commands/moves.ts');
const words = (): Promise<VerbFile> => import('../commands/words.ts');
const steps = (): Promise<VerbFile> => import('../commands/step.ts');
const host = (): Promise<VerbFile> => import('../commands/delegate.ts');

/** A flag that may be repeated. */
const list = (names: string, about: string, value?: FlagValue): Flag => [
  names,
  about,
  { ...value, many: true, preset: [] },
];

const withText = (what: string): readonly Argument[] => [
  ['[id]', WHICH],
  ['[text]', `${what}; asked for at a terminal`],
];

/** A person's words, and then a run. */
const RUN_FLAG: Flag = ['--run', 'then run; asked for at a terminal'];

const verdict = (summary: string, example: string, flags: readonly Flag[]): VerbSpec => ({
  summary,
  flags,
  effect: 'decides',
  arguments: [['[id...]', 'which tasks, and a text for them in quotes; asked for at a terminal']],
  example,
  on: ['review'],
  load: () => import('../commands/verdicts.ts'),
});

const move = (name: string, summary: string, on: VerbSpec['on'] = LIVE_STATES): VerbSpec => ({
  summary,
  effect: 'decides',
  arguments: [['[id...]', 'which tasks; asked for at a terminal']],
  example: `contracts ${name} ID`,
  on,
  bundle: 'moves',
  load: moves,
});

const NEW_FLAGS: readonly Flag[] = [
  ['--from <file>', 'take the contract from this Markdown file; - is stdin', { offers: 'file' }],
  ['--id <id>', 'choose the id yourself'],
  ['--agent <name>', 'who executes it', { offers: 'agent' }],
  [
    '--adapter <name>',
    'how the agent is called: shell, human, host, or one of the configuration',
    { offers: ADAPTERS },
  ],
  ['--squad <name>', 'the squad that does it: see contracts squad list'],
  ['--timeout <duration>', 'for one call, such as 90s or 10m'],
  ['--sh <commands>', 'a script for the shell adapter, put under ## Steps'],
  JSON_FLAG,
  list('--criterion <text>', 'a success criterion; may be repeated'),
  list('--run <command>', 'a command, or a check of the configuration; may be repeated'),
  list('--deliverable <path>', 'a file that must be there at the end; may be repeated', FILE),
  list('--depends-on <id>', 'may be repeated, or with commas', { is: 'list', offers: 'id' }),
  list('--context-file <path>', 'may be repeated', FILE),
  list('--gate <agent>', 'who must approve, or person; may be repeated', { offers: 'gate' }),
  ['--worktree', 'in a worktree of its own, until contracts merge'],
];

export const BEGIN: VerbGroup = {
  init: {
    summary: 'make the folders; never overwrites',
    arguments: [['[folder]', 'where; the working directory when left out']],
    flags: [
      [
        '--with <what>',
        'also make gitignore,gitattributes,pre-commit,vscode,schemas,skills,mcp,plugin,instructions; all is all but plugin',
        { many: true, is: 'list' },
      ],
      ['--hooks', 'make agent clients ask before each use of a tool, and tell sessions what waits'],
      ['-y, --yes', 'ask installed clients whether they are logged in, and take what is proposed'],
      ['--remove', 'take back what init added, or only what --with and --hooks name'],
    ],
    example: 'contracts init\ncontracts init --yes\ncontracts init --with gitignore,schemas',
    load: () => import('../commands/init.ts'),
  },
  do: {
    summary: 'do one task now: new, confirm and run in one',
    starts: true,
    arguments: [['[title]', 'what you want, in one line']],
    flags: NEW_FLAGS,
    example:
      'contracts do "Say hello" --run "test -s hello.txt" --sh "echo hello > hello.txt"\ncontracts do "Fix the failing test" --run "npm test" --adapter claude',
    load: () => import('../commands/do.ts'),
  },
  new: {
    summary: 'write a contract into draft/ and print its path',
    arguments: [['[title]', 'what you want, in one line']],
    flags: [['--like <id>', 'take the contract of this task, without its attempts'], ...NEW_FLAGS],
    example:
      'contracts new "Say hello" --run "test -s hello.txt" --sh "echo hello > hello.txt"\ncontracts new --from login.md\ncontracts new --like ID',
    bundle: 'new',
    load: () => import('../commands/new.ts'),
  },
  edit: {
    summary: 'open a file of a task in your editor, then check it',
    arguments: [
      ['[id]', WHICH],
      ['[file]', `${FILES.join(', ')}; the contract when left out`],
    ],
    flags: [
      list('--set <key=value>', 'a key of the contract, without an editor; may be repeated'),
      list('--add <key=value>', 'an entry of a list; blocks=ID makes ID depend on it'),
      list('--remove <key=value>', 'an entry of a list, or without =value the whole key'),
    ],
    example:
      'contracts edit ID\ncontracts edit ID questions\ncontracts edit ID --set agent=qa --add depends_on=OTHER',
    load: () => import('../commands/edit.ts'),
  },
  confirm: move('confirm', 'a draft may be worked on: draft → ready', ['draft']),
};

const ONLY: VerbSpec['arguments'] = [['[id...]', 'only these']];
const SEVERAL: VerbSpec['arguments'] = [['<id...>', 'one, or several']];

const STEP_FLAGS: readonly Flag[] = [
  ['--only <id>', '', { many: true, preset: [], offers: 'live', hidden: true }],
  ['-p, --parallel <n>', 'agents at once', { is: 'count' }],
  [
    '--revert-violations',
    'revert changes outside its permissions that an agent provably made; keep what is only noticed',
  ],
];

export const MOVE_ON: VerbGroup = {
  step: {
    summary: 'run one step: call the agents whose turn it is, and move tasks',
    starts: true,
    flags: [
      ...STEP_FLAGS,
      JSON_FLAG,
      ['-n, --dry-run', 'print the plan and change nothing'],
      ['--explain <id>', 'print the facts that decide its next action', { offers: 'live' }],
    ],
    arguments: ONLY,
    example: 'contracts step --dry-run\ncontracts step ID\ncontracts step --explain ID',
    bundle: 'step',
    load: steps,
  },
  run: {
    summary: 'step again and again, until nothing can move without a person',
    starts: true,
    flags: [
      ...STEP_FLAGS,
      list('--tag <name>', 'only tasks with this tag; may be repeated', { is: 'list' }),
      list('--plan <name>', 'only tasks of this plan; may be repeated', { is: 'list' }),
      list('--agent <name>', 'only what this agent executes; may be repeated', {
        is: 'list',
        offers: 'agent',
      }),
      ['--until <time>', 'begin nothing after this time of day, such as 07:00'],
    ],
    arguments: ONLY,
    example: 'contracts run --parallel 4\ncontracts run ID\ncontracts run --tag docs --until 07:00',
    bundle: 'step',
    load: steps,
  },
  ask: {
    summary: 'ask agents before the work what is unclear, each once, read-only',
    starts: true,
    arguments: [['[id...]', 'which tasks; all drafts and ready ones when left out']],
    flags: [
      list('--plan <name>', 'the tasks of this plan; may be repeated', { is: 'list' }),
      ['-p, --parallel <n>', 'agents at once', { is: 'count' }],
    ],
    example: 'contracts ask\ncontracts ask ID OTHER\ncontracts ask --plan launch',
    on: ['draft', 'ready'],
    load: () => import('../commands/ask.ts'),
  },
  watch: {
    summary: 'step whenever something changes, until Ctrl-C',
    starts: true,
    flags: [
      ['-p, --parallel <n>', 'agents at once', { is: 'count' }],
      ['--interval <seconds>', 'look at least this often', { is: 'seconds', preset: 5 }],
      ['--poll', 'only by the interval: for file systems that report no changes'],
    ],
    example: 'contracts watch\ncontracts watch --interval 30',
    load: () => import('../commands/watch.ts'),
  },
  wait: {
    summary:
      'wait until tasks have ended or need a person or a host, and gather what became of them',
    effect: 'reads',
    arguments: [['[id...]', 'which tasks; all live ones when left out']],
    flags: [
      list('--plan <name>', 'the tasks of this plan; may be repeated'),
      ['--timeout <duration>', 'wait no longer than this, such as 10m; 0s asks at once'],
    ],
    example: 'contracts wait ID OTHER --timeout 10m\ncontracts wait --plan launch --json',
    load: () => import('../commands/watch.ts'),
  },
  pause: {
    summary: 'begin nothing until the pause ends; running agents finish',
    effect: 'decides',
    arguments: [['[reason]', 'shown with the tasks that wait']],
    flags: [
      ['--stop', 'stop running agents, too; that counts as no try'],
      ['--end', 'end the pause'],
    ],
    example: 'contracts pause "the API is down"\ncontracts pause --end',
    load: () => import('../commands/pause.ts'),
  },
  retry: {
    summary: 'try again, with or without words for the next attempt: blocked → ready',
    effect: 'decides',
    arguments: [['[id...]', 'which tasks, and a text for them in quotes; asked for at a terminal']],
    flags: [['--again', 'take up an ended task, too: done or aborted → ready'], RUN_FLAG],
    example:
      'contracts retry ID\ncontracts retry ID "Use the staging database"\ncontracts retry ID --again',
    on: ['blocked', 'done', 'aborted'],
    load: () => import('../commands/verdicts.ts'),
  },
  abort: move('abort', 'stop working on it: anything → aborted; a running agent is stopped'),
  delegate: {
    summary: 'claim a task for an agent that you call yourself, and print its brief',
    starts: true,
    arguments: SEVERAL,
    flags: [
      ['-i, --interactive', 'open the client here, in this terminal, and collect when it ends'],
    ],
    example:
      'contracts delegate ID > brief.md\ncontracts delegate ID OTHER --json\ncontracts delegate ID --interactive',
    on: ['ready'],
    load: host,
  },
  collect: {
    summary: 'judge what a delegated agent left on its desk',
    starts: true,
    arguments: SEVERAL,
    example: 'contracts collect ID\ncontracts collect ID OTHER',
    on: ['in_progress'],
    load: host,
  },
  merge: {
    summary: 'merge the work of worktrees into your branch',
    effect: 'decides',
    starts: true,
    arguments: [['[id...]', 'only these; without ids, all verified work in worktrees']],
    flags: [
      ['-y, --yes', 'merge without asking'],
      ['-n, --dry-run', 'show what would be merged, without merging it'],
      ['--no-check', 'do not run the checks once more on the merged tree'],
      ['--pr', 'push them and open pull requests with gh or glab instead'],
    ],
    example: 'contracts merge --dry-run\ncontracts merge ID --yes',
    load: () => import('../commands/merge.ts'),
  },
};

export const ANSWER: VerbGroup = {
  review: {
    summary: 'walk through everything that waits for you',
    effect: 'decides',
    arguments: [['[id...]', 'only these']],
    example: 'contracts review\ncontracts review ID',
    load: () => import('../commands/review.ts'),
  },
  answer: {
    summary: 'answer a question of the agent',
    effect: 'decides',
    arguments: withText('the answer'),
    flags: [
      ['-q, --question <n>', 'which one; the first open one when left out', { is: 'count' }],
      RUN_FLAG,
    ],
    loose: true,
    example: 'contracts answer ID "Use PostgreSQL"\ncontracts answer',
    on: ['questions'],
    load: words,
  },
  approve: verdict('a person’s verdict: good as it is', 'contracts approve ID', [RUN_FLAG]),
  'needs-work': verdict(
    'a person’s verdict: send it back, with findings',
    'contracts needs-work ID "The tests are missing"',
    [RUN_FLAG],
  ),
  reject: verdict(
    'a person’s verdict: give the task up',
    'contracts reject ID "The tests are missing"',
    [],
  ),
  note: {
    summary: 'leave a message for the next attempt',
    arguments: withText('the message'),
    flags: [['--now', 'stop the attempt that works on it, and continue with the note']],
    example:
      'contracts note ID "The API changed yesterday"\ncontracts note ID "Stop at once" --now',
    load: words,
  },
};
