/** The verbs of exchange, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const IMPORT: JoiningVerb = {
  name: 'import',
  after: 'merge',
  group: 'In and out',
  summary: 'take over the tasks of another tool, as a plan or as drafts',
  effect: 'decides',
  arguments: [
    [
      '[from]',
      'markdown, github, speckit, backlog, openspec or taskmaster; left out: what is there',
    ],
    ['[path]', 'a file or folder; the working directory when left out'],
  ],
  flags: [
    ['-n, --dry-run', 'print what would be made, and write nothing'],
    ['--all', 'also archived ones and all tags; with --to contracts also ended ones, done by hand'],
    ['--tag <name>', 'of Task Master: this tag, and not the current one'],
    [
      '--to <what>',
      'plan or contracts; else what fits the tool',
      { offers: ['plan', 'contracts'] },
    ],
    ['--map <file>', 'a YAML file that says what their words mean here', { offers: 'file' }],
  ],
  example:
    'contracts import\ncontracts import speckit specs/001-albums\ncontracts import github issues.json --dry-run',
  load: () => import('./import.ts'),
};

export const EXPORT: JoiningVerb = {
  name: 'export',
  after: 'merge',
  group: 'In and out',
  summary: 'all tasks as a board in Markdown, as JSON or as CSV',
  required: [['--to <form>', 'markdown, json or csv', { offers: ['markdown', 'json', 'csv'] }]],
  flags: [
    ['--plan <name>', 'only of this plan; may be repeated', { many: true, preset: [] }],
    ['--into <file>', 'put the board between its markers in this file', { offers: 'file' }],
  ],
  example: 'contracts export --to markdown --into README.md\ncontracts export --to csv > tasks.csv',
  load: () => import('./export.ts'),
};
