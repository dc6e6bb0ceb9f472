/** The verbs report and ui, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const REPORT: JoiningVerb = {
  name: 'report',
  after: 'export',
  group: 'In and out',
  summary: 'one HTML file to hand on: board, changes, graph, timeline, costs, receipts',
  flags: [
    ['--plan <name>', 'only of this plan'],
    ['--since <when>', 'of ended tasks only those since an age such as 7d, or a day'],
    ['-o, --output <file>', 'the file; - for stdout; contracts-report.html when left out'],
    ['--markdown', 'as Markdown, for a pull request; on stdout when no file is named'],
  ],
  example:
    'contracts report\ncontracts report --plan launch -o launch.html\ncontracts report --since 7d --markdown | gh pr create --body-file -',
  load: () => import('./report.ts'),
};

export const UI: JoiningVerb = {
  name: 'ui',
  after: 'list',
  summary: 'the board, tasks and plans as a page in your browser, live',
  flags: [
    ['--port <n>', 'of this machine alone; one that is free when left out', { is: 'whole' }],
    ['--no-open', 'print the address, and open no browser'],
    ['--read-only', 'the page changes nothing'],
  ],
  example: 'contracts ui\ncontracts ui --no-open --port 7788',
  load: () => import('./ui.ts'),
};
