/**
 * A mutant without any one nonce check, fence, look or gate must fail at least one test. Each is a
 * small change to a copy of the source, on which the other tests are run, cheapest first, in a pid
 * namespace of its own: a mutant of the gate or of the fence must not reach other people's processes.
 * The syncs are mutated by test/durability.test.ts, at every run.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must occur exactly once. */
  readonly text: string;
  readonly instead: string;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'a claim is not read back',
    file: 'store/claims.ts',
    text: "  if (!holds(disk, target, owner)) {\n    dropPrepared(disk, name, files, whereabouts);\n    return disk.stat(task) === undefined ? 'gone' : 'lost';\n  }\n  disk.sync(attempts);",
    instead: '  disk.sync(attempts);',
  },
  {
    name: 'after an error a claim is not read back',
    file: 'store/claims.ts',
    text: '    if (!holds(disk, target, owner)) {\n      dropPrepared(disk, name, files, whereabouts);\n      if (isGone',
    instead: '    {\n      dropPrepared(disk, name, files, whereabouts);\n      if (isGone',
  },
  {
    name: 'any owner will do: the nonce is not compared',
    file: 'store/claims.ts',
    text: "return Buffer.from(disk.read(join(attempt, 'owner.md'), TEXT_BYTES_MAX)).equals(owner);",
    instead:
      "return disk.read(join(attempt, 'owner.md'), TEXT_BYTES_MAX).length + owner.length > 0;",
  },
  {
    name: 'a number that is used is claimed again',
    file: 'store/claims.ts',
    text: 'if (!used) disk.rename(prepared, target);',
    instead: 'if (!used || used) disk.rename(prepared, target);',
  },
  {
    name: 'no fence',
    file: 'store/claims.ts',
    text: '    disk.rename(open, lost);\n    disk.sync(attemptsFolder(task));\n  }\n  adoptDesk(disk, desk, lost);',
    instead: '  }\n  adoptDesk(disk, desk, open);',
  },
  {
    name: 'a fence that leaves the desk outside',
    file: 'store/claims.ts',
    text: '  adoptDesk(disk, desk, lost);',
    instead: '',
  },
  {
    name: 'a commit by whoever comes',
    file: 'store/claims.ts',
    text: "  if (!holds(putting.disk, attempt, owner)) return 'fenced';\n",
    instead: '',
  },
  {
    name: 'a move onto what is there',
    file: 'store/tasks.ts',
    text: '  if (disk.stat(target) !== undefined) {\n    // Not two',
    instead: '  if (disk.stat(target) !== undefined && id === "") {\n    // Not two',
  },
  {
    name: 'a claim that is not the highest goes on',
    file: 'engine/attempt/claiming.ts',
    text: '    if (isHighest(ws, place.folder, action.attempt)) return true;\n',
    instead: '    if (place.folder !== "") return true;\n',
  },
  {
    name: 'a recovery does not look again before it claims',
    file: 'engine/attempt/claiming.ts',
    text: 'action.recovers ? stillDead(ws, task, folder) : task',
    instead: 'action.recovers ? (stillDead(ws, task, folder) ?? task) : task',
  },
  {
    name: 'a recovery does not look again after it fenced',
    file: 'engine/attempt/claiming.ts',
    text: '  return { ...claimed, task: { ...task, attempts } };',
    instead: '  return attempts.length < 0 ? { ...claimed, task } : claimed;',
  },
  {
    name: 'what is taken over counts for the contract of today',
    file: 'engine/attempt/claiming.ts',
    text: 'contract: left?.owner?.contract ?? task.contract_hash,',
    instead: 'contract: task.contract_hash,',
  },
  {
    name: 'into in_progress without being the highest',
    file: 'engine/attempt/running.ts',
    text: '  if (!isHighest(ws, folder, running.number)) return false;\n',
    instead: '',
  },
  {
    name: 'a task is found by its name alone',
    file: 'engine/attempt/running.ts',
    text: '    if (holds(ws.disk, attemptFolder(folder, running.number), running.owner_bytes)) {',
    instead: '    if (ws.disk.stat(folder) !== undefined) {',
  },
  {
    name: 'rolled forward without being the highest',
    file: 'engine/attempt/roll.ts',
    text: '  if (!mayMove(running, place.folder)) {',
    instead: '  if (!mayMove(running, place.folder) && place.folder === "") {',
  },
  {
    name: 'rolled forward, and not looked at again',
    file: 'engine/attempt/roll.ts',
    text: '  if (still && !mayMove(running, there) && !isSucceeded(running, there)) {',
    instead: '  if (!still && !mayMove(running, there) && !isSucceeded(running, there)) {',
  },
  {
    name: 'moved although a newer attempt appeared',
    file: 'engine/apply.ts',
    text: "  if (highestAttempt(ws.disk, folder) !== seen) return lost('another process went on with it');\n",
    instead: '',
  },
  {
    name: 'moved, and not looked at again',
    file: 'engine/apply.ts',
    text: '  if (isOvertaken(ws, task.id, to, seen)) {',
    instead: '  if (isOvertaken(ws, task.id, to, seen) && seen < 0) {',
  },
  {
    name: 'an owner that lives is thought to work on it for ever',
    file: 'engine/facts.ts',
    text: '  return pid !== ws.machine.self().pid || ws.active.has(nonce);',
    instead: '  return pid > 0 || ws.active.has(nonce);',
  },
  {
    name: 'an orphan agent is not waited for',
    file: 'engine/facts.ts',
    text: "  if (last === undefined || ws.machine.judge(last) !== 'alive') return 'dead';",
    instead: "  if (last === undefined || ws.machine.judge(last) !== 'nobody') return 'dead';",
  },
  {
    name: 'the gate opens before the start is recorded',
    file: 'engine/attempt/call.ts',
    text: '  if (!gated.started) return;\n',
    instead: '  if (number >= 0) return;\n',
  },
  {
    name: 'a gate that nobody opened lets through',
    file: 'agent/gate.ts',
    text: '[ "$word" = go ] || exit ${GATE_SHUT}',
    instead: ': || exit ${GATE_SHUT}',
  },
  {
    name: 'an edit over what a person saved meanwhile',
    file: 'store/put.ts',
    text: "  if (now !== seen) return now === undefined ? 'gone' : 'changed';\n",
    instead: '',
  },
  {
    name: 'a file is created without fsync',
    file: 'store/real-disk.ts',
    text: '    if (options.durable) fs.fsyncSync(fd);\n',
    instead: '',
  },
  {
    name: 'a folder is synced without fsync',
    file: 'store/real-disk.ts',
    text: '  const fd = fs.openSync(folder, O_RDONLY | O_DIRECTORY);\n  try {\n    fs.fsyncSync(fd);',
    instead: '  const fd = fs.openSync(folder, O_RDONLY | O_DIRECTORY);\n  try {',
  },
];

/** Cheapest first: most mutants go no further than the first. */
const TESTS: readonly string[] = [
  'test/store',
  'test/engine',
  'test/agent',
  'test/crash-points.test.ts',
  'test/strace.test.ts',
  'test/golden.test.ts',
  'test/races.test.ts',
  'test/two-hosts.test.ts',
];

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'contracts-mutants-'));
const may = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
if (!may) console.log('LEFT OUT: the mutants, because unshare --pid is not allowed here');

beforeAll(() => {
  for (const name of [
    'src',
    'test',
    'templates',
    'scripts',
    'demo',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(HERE, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(HERE, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function inside(command: readonly string[]): number {
  const all = ['--pid', '--fork', '--mount-proc', '--kill-child', ...command];
  return spawnSync('unshare', all, { cwd: copy, stdio: 'ignore', timeout: 900_000 }).status ?? 1;
}

/** The first tests that fail; undefined when the mutant survives all of them. */
function killer(): string | undefined {
  // Types may be wrong in a mutant; the programs are written all the same.
  inside(['npm', 'run', 'build']);
  return TESTS.find((path) => inside(['npx', 'vitest', 'run', '--bail', '1', path]) !== 0);
}

test.runIf(may)('the tests pass on the copy without a mutation', () => {
  expect(killer()).toBeUndefined();
});

test.runIf(may).each(MUTANTS)('killed: $name', ({ file, text, instead }) => {
  const path = join(copy, 'src', file);
  const source = readFileSync(path, 'utf8');
  expect(source.split(text).length, `the text of the mutant occurs once in ${file}`).toBe(2);
  writeFileSync(
    path,
    source.replace(text, () => instead),
  );
  try {
    const by = killer();
    console.log(`${file}: killed by ${by ?? 'NOBODY'}`);
    expect(by).toBeDefined();
  } finally {
    writeFileSync(path, source);
  }
});
