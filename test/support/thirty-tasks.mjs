/**
 * A folder with thirty tasks in mixed states, made by the built command and shell agents, for recordings and
 * for a look at the views: node test/support/thirty-tasks.mjs FOLDER (it must not exist yet).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../dist/bin/contracts.cjs', import.meta.url));
const ids = new Map();

const asks = (text) => `printf '## Questions\\n\\n1. ${text}\\n' > "$CONTRACTS_OUT/questions.md"`;
const writes = (name) => `echo "${name}" > ${name}.txt`;

/** State, title, and what differs from a task with one check that a shell agent passes. */
const FIRST = [
  ['done', 'Set up the repository', {}],
  ['done', 'Choose a name for the shop', { tags: ['brand'] }],
  ['done', 'Import the product list', { priority: 'high' }],
  ['done', 'Resize the photos', {}],
  [
    'questions',
    'Choose a payment provider that works in three countries',
    { priority: 'critical', tags: ['payment'], sh: asks('Which countries come first?') },
  ],
  ['questions', 'Export orders as CSV', { sh: asks('Comma or semicolon?') }],
  [
    'questions',
    'Log in with a passkey',
    { tags: ['web', 'security'], sh: asks('Shall the password stay?') },
  ],
  ['review', 'Draw the new logo', { gate: 'person', tags: ['brand'] }],
  ['review', 'Fix rounding of totals', { gate: 'person', priority: 'high' }],
  ['review', 'Refactor the cart module', { gate: 'person' }],
  ['review', 'Write the privacy policy', { gate: 'person', tags: ['legal'] }],
  ['blocked', 'Send invoices by e-mail', { sh: 'echo "no mail server" >&2; exit 2' }],
  ['blocked', 'Speed up the search', { priority: 'low', sh: 'exit 1' }],
  ['in_progress', 'Talk about the merchant account', { adapter: 'human' }],
  ['in_progress', 'Take photos of the new lamps', { adapter: 'human', tags: ['photos'] }],
];
const THEN = [
  [
    'ready',
    'Build the checkout',
    {
      after: [
        'Choose a payment provider that works in three countries',
        'Refactor the cart module',
      ],
      priority: 'high',
      tags: ['web'],
    },
  ],
  ['ready', 'Print the packing slips', { after: ['Take photos of the new lamps'] }],
  [
    'ready',
    'Show lamps on the start page',
    { after: ['Take photos of the new lamps'], tags: ['web'] },
  ],
  ['ready', 'Announce the opening', { after: ['Build the checkout', 'Draw the new logo'] }],
  ['ready', 'Measure the first week', { after: ['Announce the opening'], priority: 'low' }],
  ['ready', 'Translate the shop into Danish', { priority: 'high', tags: ['web'] }],
  ['ready', 'Write the help page', {}],
  ['ready', 'Crawl old links', {}],
  ['ready', 'Check colours for contrast', { tags: ['web'] }],
  ['ready', 'データベースのスキーマを書く', {}],
  ['draft', 'Newsletter sign-up form with double opt-in', { tags: ['web'] }],
  ['draft', 'Gift vouchers', {}],
  ['draft', 'Return labels', { priority: 'low' }],
  ['draft', 'A map of all shops', {}],
  ['draft', 'Opening hours on holidays', {}],
];

function contracts(root, ...args) {
  const env = { ...process.env, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };
  const ran = spawnSync(process.execPath, [COMMAND, '-C', root, ...args], {
    encoding: 'utf8',
    env,
  });
  if (ran.status > 1) throw new Error(`contracts ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}

function make(root, [state, title, { sh, gate, after = [], tags = [], priority, adapter }], i) {
  const file = `made-${i}`;
  const flags = [
    '--run',
    `test -s ${file}.txt`,
    ...(adapter === undefined ? ['--sh', sh ?? writes(file)] : ['--adapter', adapter]),
    ...(gate === undefined ? [] : ['--gate', gate]),
    ...after.flatMap((one) => ['--depends-on', ids.get(one)]),
  ];
  const path = contracts(root, 'new', title, ...flags).trim();
  const id = path.split('/').at(-2);
  ids.set(title, id);
  const contract = join(root, 'active_tasks/draft', id, 'contract.md');
  const head = [
    priority && `priority: ${priority}`,
    tags.length > 0 && `tags: [${tags.join(', ')}]`,
  ];
  const text = readFileSync(contract, 'utf8');
  writeFileSync(contract, text.replace('---\n', ['---', ...head.filter(Boolean), ''].join('\n')));
  if (state !== 'draft') contracts(root, 'confirm', id);
}

export function makeThirty(root) {
  mkdirSync(root, { recursive: true });
  contracts(root, 'init');
  FIRST.forEach((one, i) => make(root, one, i));
  contracts(root, 'run', '--parallel', '4');
  THEN.forEach((one, i) => make(root, one, FIRST.length + i));
}

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  makeThirty(resolve(join(folder)));
}
