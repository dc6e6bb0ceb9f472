/** What VS Code is offered: tasks with a problem matcher for the lines of `check`, and snippets. */

export const CHECK_LINE = String.raw`^(.+?):(\d+):(\d+): (error|warning): (.*)$`;

const matcher = {
  owner: 'contracts',
  fileLocation: ['relative', '${workspaceFolder}'],
  pattern: { regexp: CHECK_LINE, file: 1, line: 2, column: 3, severity: 4, message: 5 },
};

const quiet = { reveal: 'never' };

export const EDITOR_TASKS: readonly Readonly<Record<string, unknown>>[] = [
  {
    label: 'contracts: check',
    type: 'shell',
    command: 'contracts check',
    problemMatcher: matcher,
    presentation: quiet,
  },
  {
    label: 'contracts: run',
    type: 'shell',
    command: 'contracts run',
    problemMatcher: [],
  },
];

export const SNIPPETS = {
  'contract.md': {
    scope: 'markdown',
    prefix: 'contract',
    description: 'A task for contracts',
    body: [
      '---',
      'v: 1',
      'title: ${1:What you want}',
      'verify:',
      '  - "run: ${2:npm test}"',
      '---',
      '',
      '## Objective',
      '',
      '$1',
      '',
      '## Success Criteria',
      '',
      '- [ ] `$2` passes',
    ],
  },
  'answer to a question': {
    scope: 'markdown',
    prefix: 'answer',
    description: 'A slot for an answer in questions.md',
    body: ['### Answer', '', '$0'],
  },
};
