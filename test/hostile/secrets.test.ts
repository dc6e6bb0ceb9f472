/**
 * Secrets that an agent writes into what is published from its desk: the value of a variable that it
 * was given, in several forms, and tokens. Afterwards the whole of active_tasks is searched. The built
 * command and real programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BINARY, inShell, makeHouse, shellContract, type House } from './house.ts';
import { sealedEnv } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const KEY = 'hunter2/+"hunter3" of a length that needs more than one line of base64';
/** Put together here, so that no scanner finds one in this file. */
const TOKEN = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fRxyz1'].join('_');
const ENV = { MY_KEY: KEY, TOKEN: 'not handed out' };
const CONFIG = `adapter: own
parallel: 1
retries_max: 0
adapters:
  own: { type: command, run: [sh, agent.sh], env: [MY_KEY] }
agents:
  builder: { delegates_to: [writer], strength: soft, write: [bad.txt] }
  writer: { description: Writes }
`;

/** Each of them in a line of its own. */
const SAY = `say() {
  echo "the key is $MY_KEY."
  printf %s "$MY_KEY" | base64
  printf %s "x$MY_KEY" | base64 -w0; echo
  printf '{"key":"%s"}\\n' "$(printf %s "$MY_KEY" | sed 's/"/\\\\"/g')"
  echo "https://x:$(printf %s "$MY_KEY" | sed 's/%/%25/g; s/ /%20/g; s/"/%22/g; s/+/%2B/g; s,/,%2F,g')@example.org"
  echo "token: ${TOKEN}"
}
`;
const DONE = `{ echo "- Status: COMPLETE"; echo; echo "## Success Criteria"; echo
  echo "- [x] \\\`test -s bad.txt\\\` passes"; echo; echo "## Notes"; echo; say; } > "$CONTRACTS_OUT/result.md"
`;

function leaks(folder: string): string[] {
  const forms = [
    KEY,
    'hunter2/+',
    'hunter2%2F',
    TOKEN,
    ...[0, 1, 2].map((n) => {
      const text = Buffer.from(`${'x'.repeat(n)}${KEY}`).toString('base64');
      return text.slice(4, 20);
    }),
  ];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => {
      const text = readFileSync(file, 'latin1');
      return forms.some((form) => text.includes(form));
    })
    .map((file) => file.slice(folder.length + 1));
}

function houseWith(agent: string, head = 'adapter: own\nretries_max: 0'): House {
  const house = makeHouse({ config: CONFIG, neighbour: false });
  house.write('agent.sh', SAY + agent);
  house.task('bad', shellContract('bad', { head }));
  return house;
}

const run = (house: House, env: Record<string, string> = ENV): string => {
  const { out, err } = inShell(house, '$BIN run', { CONTRACTS_TRUST: '1', ...env });
  return out + err;
};

test.each([
  ['a result, a status and other files', 'done', `${DONE}echo made > bad.txt`],
  [
    'questions',
    'questions',
    '{ echo "## Questions"; echo; echo "1. Is this right?"; say; } > "$CONTRACTS_OUT/questions.md"',
  ],
  ['the words of a failure', 'blocked', 'exit 3'],
  [
    'a result that says that it is blocked',
    'blocked',
    '{ echo "- Status: BLOCKED"; say; } > "$CONTRACTS_OUT/result.md"',
  ],
  ['a file beyond its permissions', 'done', `${DONE}echo made > bad.txt; say > other.txt`],
  ['the name of a file', 'done', `${DONE}echo made > bad.txt; echo x > "${TOKEN}.txt"`],
])('%s: none is left in active_tasks', (_what, state, agent) => {
  const house = houseWith(
    `say; { echo "- Current step: $MY_KEY"; say; } > "$CONTRACTS_OUT/status.md"
mkdir "$CONTRACTS_OUT/more"; say > "$CONTRACTS_OUT/more/other.txt"; sleep 1.2\n${agent}`,
  );
  expect(run(house)).not.toMatch(/hunter2|ghp_/);
  expect(house.where('bad')).toEqual([state]);
  expect(leaks(house.path('active_tasks'))).toEqual([]);
  const attempt = `active_tasks/${state}/bad/attempts/0001`;
  expect(house.read(`${attempt}/desk/more/other.txt`)).toContain('the key is ***.');
  expect(house.read(`${attempt}/outcome.md`)).toMatch(/Secrets were redacted in \d files/);
  expect(house.read(`${attempt}/output.log`)).toContain('token: ***');
});

test('a child task', () => {
  const house = houseWith(`[ "$CONTRACTS_TASK" = bad ] || exit 1
mkdir -p "$CONTRACTS_OUT/children"
{ echo ---; echo "title: A part"; echo "agent: writer"; echo "deliverables: [part.txt]"; echo ---; echo; echo "# A part"; echo
  echo "## Objective"; echo; say; echo; echo "## Success Criteria"; echo; echo "- [ ] it is there"
} > "$CONTRACTS_OUT/children/part.md"`);
  run(house);
  const states = readdirSync(house.path('active_tasks'), { recursive: true }).map(String);
  const child = states.find((path) => /part[^/]*\/contract\.md$/.test(path)) ?? 'none';
  expect(house.read(`active_tasks/${child}`)).toContain('the key is ***.');
  expect(leaks(house.path('active_tasks'))).toEqual([]);
});

test('a review', () => {
  const house = houseWith(
    `if [ "$CONTRACTS_KIND" = review ]; then
  { echo "- Verdict: NEEDS_WORK"; echo; echo "## Findings"; echo; say; } > "$CONTRACTS_OUT/review.md"
else ${DONE} echo made > bad.txt; fi`,
    'adapter: own\nreviews_max: 0\nretries_max: 0\nquality_gate: [checker]',
  );
  house.write('.contracts/config.yaml', `${CONFIG}  checker: { adapter: own }\n`);
  run(house);
  expect(house.read('active_tasks/blocked/bad/review.md')).toContain('the key is ***.');
  expect(leaks(house.path('active_tasks'))).toEqual([]);
});

test('a deliverable is the person’s, and a file that is no text stays', () => {
  const house = houseWith(
    `${DONE}say > bad.txt
{ say; printf '\\000'; } > "$CONTRACTS_OUT/picture"`,
  );
  run(house);
  expect(house.where('bad')).toEqual(['done']);
  expect(house.read('bad.txt')).toContain(KEY);
  const desk = 'done/bad/attempts/0001/desk';
  expect(leaks(house.path('active_tasks'))).toEqual([`${desk}/picture`]);
});

test.each([
  ['who knows the key', ENV, /hunter2|ghp_/],
  ['who does not know it', {}, /ghp_/],
])('the runner is killed, and the work is taken over by one %s', async (_who, env, never) => {
  const house = houseWith(
    `say; { echo "- Current step: $MY_KEY"; } > "$CONTRACTS_OUT/status.md"
touch begun; while [ ! -e go ]; do sleep 0.1; done\n${DONE}echo made > bad.txt; touch ended`,
  );
  const begun = spawn(process.execPath, [BINARY, 'run'], {
    cwd: house.root,
    env: { ...sealedEnv(), CONTRACTS_SANDBOX: 'none', CONTRACTS_TRUST: '1', ...ENV },
    stdio: 'ignore',
  });
  const ended = once(begun, 'close');
  await until(() => house.exists('begun'));
  begun.kill('SIGKILL');
  await ended;
  house.write('go', '');
  const desk = 'active_tasks/.desk/bad.0001/exit.md';
  await until(() => house.exists(desk));
  run(house, env as Record<string, string>);
  expect(house.where('bad')).toEqual(['done']);
  const found = leaks(house.path('active_tasks')).map((file) =>
    readFileSync(house.path(`active_tasks/${file}`), 'utf8'),
  );
  expect(found.join('\n')).not.toMatch(never);
  expect(found.length === 0).toBe('MY_KEY' in env);
});
