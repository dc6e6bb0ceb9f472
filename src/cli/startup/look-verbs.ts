/** The verbs that show tasks, and those that look after the tree, as data, in the order of the help. */
import { STATES } from '../../task/core/model/state.ts';
import { GRAPH_FORMS } from '../terminal/command-shape.ts';
import type { Argument, VerbGroup } from '../../workspace/tasks/verb.ts';

/** Names have no commas. */
const collected = { many: true, is: 'list' } as const;
const AGENT: readonly Argument[] = [['<agent>']];

export const SEE: VerbGroup = {
  status: {
    summary: 'what is going on, what needs you, and what to type next',
    effect: 'reads',
    flags: [
      ['--since <when>', 'what was done since an age such as 12h, or a day such as 2026-01-31'],
      ['--plain', 'at a terminal: then a line for each change, until Ctrl-C; no board'],
      ['--line', 'one line: how many tasks wait for you; nothing if none does'],
    ],
    example: 'contracts status\ncontracts status --since 12h',
    load: () => import('../commands/status.ts'),
  },
  list: {
    summary: 'where each task is, and what it waits for',
    effect: 'reads',
    arguments: [['[text...]', 'only tasks with this in their id, title or objective']],
    flags: [
      [
        '--state <state>',
        'only this state; may be repeated, or with commas',
        { many: true, is: 'list', preset: [], offers: STATES },
      ],
      [
        '--agent <name>',
        'only what this agent executes; may be repeated',
        { ...collected, offers: 'agent' },
      ],
      ['--plan <name>', 'only of this plan; may be repeated', collected],
      ['--tag <name>', 'only with this tag; may be repeated', collected],
      [
        '--search <words>',
        'these words anywhere in the files of tasks, ended and archived ones too',
      ],
      ['--problems', 'only what needs care, the worst first'],
      [
        '--waits-for <whom>',
        'me, agent, host, task, …, the longest first; may be repeated',
        collected,
      ],
      ['--board', 'the states side by side, with their tasks'],
      ['--graph [form]', 'what depends on what: tree, mermaid or dot', { offers: GRAPH_FORMS }],
      ['--all', 'done and aborted too'],
      ['--ids', 'only the ids'],
    ],
    example:
      'contracts list\ncontracts list login --state blocked\ncontracts list --search "rate limit"\ncontracts list --problems\ncontracts list --waits-for me\ncontracts list --board\ncontracts list --graph dot | dot -Tsvg > tasks.svg',
    help: '\nMarks: ! needs you, ↑ critical or high priority, ↓ low priority\n',
    bundle: 'list',
    load: () => import('../commands/list.ts'),
  },
  show: {
    summary: 'the whole story of a task',
    effect: 'reads',
    arguments: [['[id]', 'which task; asked for at a terminal']],
    flags: [
      ['--brief', 'the brief that the next attempt would be given, and its size'],
      ['--receipts', 'each check that ran and each approval, and how their signatures hold'],
    ],
    example: 'contracts show ID\ncontracts show ID --brief\ncontracts show ID --receipts',
    on: STATES,
    bundle: 'show',
    load: () => import('../commands/show.ts'),
  },
  logs: {
    summary: 'what an attempt printed; -f as it grows',
    effect: 'reads',
    arguments: [['[id]', 'which task; asked for at a terminal']],
    flags: [
      [
        '-f, --follow',
        'follow it as it grows and into the next attempts, until a person is needed',
      ],
      ['--attempt <number>', 'this attempt; else the last of an agent', { is: 'whole' }],
      ['-n, --lines <number>', 'only the last lines of what is there', { is: 'whole' }],
      ['--raw', 'the lines as the client printed them'],
    ],
    example: 'contracts logs ID -f\ncontracts logs ID --attempt 2 -n 20',
    load: () => import('../commands/logs.ts'),
  },
  agents: {
    summary: 'the agents that can be called here, and why others cannot',
    effect: 'reads',
    flags: [
      ['--all', 'also hidden ones, which only other agents call'],
      ['--search <words>', 'with all these words in the name or the description; skills too'],
      ['--can <what>', 'who may use this tool (read, write, edit, shell …) or has this skill'],
    ],
    example:
      'contracts agents\ncontracts agents --can shell\ncontracts agents show builder\ncontracts agents test builder',
    below: {
      show: {
        summary: 'everything about one agent',
        arguments: AGENT,
        loose: true,
        example: 'contracts agents show builder',
      },
      test: {
        summary: 'a tiny task in a scratch folder: is it called, and what does it take?',
        starts: true,
        arguments: AGENT,
        loose: true,
        example: 'contracts agents test builder',
      },
    },
    load: () => import('../commands/agents.ts'),
  },
};

export const LOOK_AFTER: VerbGroup = {
  check: {
    summary:
      'problems in contracts, plans, squads and settings, as file:line:col: error: text, with the cure',
    effect: 'reads',
    starts: true,
    arguments: [['[id...]', 'with --rerun: only these done tasks']],
    flags: [
      ['--staged', 'what git would commit, instead of the files on disk'],
      ['--watch', 'check again at each change, until Ctrl-C'],
      [
        '--rerun',
        'run the checks of done tasks that this branch brings again, and compare with their receipts',
      ],
      ['--base <ref>', 'with --rerun: since the branch left this one; else the default of origin'],
    ],
    example:
      'contracts check\ncontracts check --watch\ncontracts check --staged\ncontracts check --rerun --base origin/main',
    on: ['done'],
    load: () => import('../commands/check.ts'),
  },
  doctor: {
    summary: 'what is wrong with the tree, and what this machine can do',
    effect: 'reads',
    arguments: [['[id]', 'only this task; its deliverables are compared with their receipt']],
    flags: [
      ['--fix', 'repair what can be repaired without loss'],
      [
        '--recover <host>',
        'take over the tasks of a machine that is gone for good, by its name in owner.md',
        collected,
      ],
    ],
    example: 'contracts doctor --fix\ncontracts doctor ID\ncontracts doctor --recover old-laptop',
    load: () => import('../commands/doctor.ts'),
  },
  trust: {
    summary: 'allow the programs that this workspace names',
    effect: 'decides',
    flags: [['-n, --dry-run', 'show what it would start, and trust nothing']],
    example: 'contracts trust --dry-run\ncontracts trust',
    load: () => import('../commands/trust.ts'),
  },
  archive: {
    summary: 'take old tasks out of done and aborted, into .contracts/archive/',
    effect: 'decides',
    arguments: [['[id...]', 'these, whatever their age']],
    flags: [
      ['--older-than <age>', 'such as 12h or 8w; 30d when left out', { is: 'age' }],
      ['-n, --dry-run', 'show what would be moved, without moving it'],
    ],
    example: 'contracts archive --dry-run\ncontracts archive ID',
    on: ['done', 'aborted'],
    load: () => import('../commands/moves.ts'),
  },
  completion: {
    summary: 'the script that lets bash, zsh or fish complete verbs, flags and ids',
    effect: 'reads',
    arguments: [['<shell>', 'which one', ['bash', 'zsh', 'fish']]],
    example: 'contracts completion fish',
    help: `
In ~/.bashrc:   source <(contracts completion bash)
In ~/.zshrc:    source <(contracts completion zsh)
In config.fish: contracts completion fish | source
`,
    load: () => import('./complete.ts'),
  },
};

/** Reached as `help NAME` alone. */
export const TOPICS: VerbGroup = {
  states: {
    topic: true,
    summary: 'the table of transitions',
    effect: 'reads',
    example: 'contracts help states',
    load: () => import('../commands/status.ts'),
  },
};

const UNSHOWN = { summary: '', effect: 'reads', example: '' } as const;
/** For programs alone: not in the help, and they read their words themselves. */
export const HIDDEN: VerbGroup = {
  complete: { ...UNSHOWN, load: () => import('./complete.ts') },
  hook: { ...UNSHOWN, bundle: 'hook', load: () => import('../commands/hook.ts') },
};
