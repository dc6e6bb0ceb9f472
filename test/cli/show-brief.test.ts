/** show --brief is byte for byte what the attempt that then runs is given, and claims nothing. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contracts } from '../support/binary.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World | undefined;

const CONFIG = `adapter: mine
reviews_max: 5
adapters:
  mine: { type: command, run: [sh, agent.sh] }
`;
const CONTRACT = `---
v: 1
title: Say hello
verify: ["run: test -e hello.txt"]
---
# Say hello

## Success Criteria

- [ ] hello is said
`;
const COMPLETE =
  'printf -- "- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] hello is said\\n" > "$CONTRACTS_OUT/result.md"';
const AGENT = `case "$CONTRACTS_ATTEMPT" in
0001) printf '## Questions\\n\\n1. Who?\\n' > "$CONTRACTS_OUT/questions.md" ;;
0002) echo x > other.txt; ${COMPLETE} ;;
*) echo x > hello.txt; ${COMPLETE} ;;
esac
`;

/** All that is below a folder, with the time of its last change. */
const listOf = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${path} ${statSync(join(root, path)).ctimeMs}`,
  );

interface Brief {
  readonly attempt: number;
  readonly brief: string;
  readonly bytes: number;
}

const env = { ...process.env, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };

test('in review: of the attempt that comes if the review sends it back', async () => {
  world = makeWorld();
  const { root } = world;
  world.write('.contracts/config.yaml', CONFIG);
  const gated = CONTRACT.replace('verify:', 'quality_gate: person\nverify:');
  world.write('active_tasks/ready/hello/contract.md', gated);
  world.write('agent.sh', `echo "$CONTRACTS_ATTEMPT" > hello.txt; ${COMPLETE}\n`);
  await call(root, 'run');
  const next = JSON.parse(await call(root, 'show', 'hello', '--brief', '--json')) as Brief;
  const { stderr } = await contracts(root, ['show', 'hello', '--brief'], [], env);
  expect(stderr).toMatch(/brief of attempt 4: .* In review now: .* if the review sends it back/);
  await call(root, 'needs-work', 'hello', 'say it louder');
  await call(root, 'run');
  const kept = join(root, 'active_tasks/review/hello/attempts');
  const briefs = readdirSync(kept).filter((one) => existsSync(join(kept, one, 'desk/brief.md')));
  expect(briefs.map(Number)).toEqual([1, next.attempt]);
});

async function call(root: string, ...args: readonly string[]): Promise<string> {
  return (await contracts(root, args, [], env)).stdout;
}

test('after a question, after a failed check, and after a note, with what capabilities add', async () => {
  world = makeWorld();
  const { root } = world;
  world.write('.contracts/config.yaml', CONFIG);
  world.write('active_tasks/ready/hello/contract.md', CONTRACT);
  world.write('agent.sh', AGENT);
  world.write('.contracts/direction.md', '## Goals\n\n- Sell tea\n');
  await call(root, 'memory', 'add', 'Say hello in Esperanto');
  const seen: number[] = [];
  const attempts = (state: string) => join(root, 'active_tasks', state, 'hello/attempts');
  const given = (state: string, attempt: number) =>
    readFileSync(join(attempts(state), String(attempt).padStart(4, '0'), 'desk/brief.md'), 'utf8');

  const before = listOf(root);
  const first = JSON.parse(await call(root, 'show', 'hello', '--brief', '--json')) as Brief;
  expect(listOf(root)).toEqual(before);
  expect(first.brief).toContain('Say hello in Esperanto');
  expect(first.brief).toContain('Sell tea');
  await call(root, 'step');
  // The checks run between the two: only what they gave is new.
  const added = given('questions', 1).replace(' (fails before you began: exit 1)', '');
  expect(added).toBe(first.brief);

  await call(root, 'answer', 'hello', 'the world');
  for (const note of ['', 'louder']) {
    if (note !== '') await call(root, 'note', 'hello', note);
    const state = note === '' ? 'questions' : 'ready';
    const next = JSON.parse(await call(root, 'show', 'hello', '--brief', '--json')) as Brief;
    expect(readdirSync(attempts(state)).length).toBe(next.attempt - 1);
    await call(root, 'step');
    expect(given(note === '' ? 'ready' : 'done', next.attempt)).toBe(next.brief);
    expect(Buffer.byteLength(next.brief)).toBe(next.bytes);
    seen.push(next.attempt);
  }
  expect(seen).toEqual([2, 4]);
});
