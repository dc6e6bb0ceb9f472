/**
 * The mutants of test/nightly/mutants.test.ts: each takes out one nonce check, fence, look or gate.
 * Whose text no longer occurs once in its file fails there by name: it moves along with the source.
 */

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The files that most likely fail with it: they are run before all the others. */
  readonly killers: readonly string[];
  /** Must occur exactly once. */
  readonly text: string;
  readonly instead: string;
}

const CLAIMS = ['test/task/store/claims.test.ts'];
/** Looks at each fsync of the real program. */
const SYNCS = ['test/engine/strace.test.ts'];
/** Looks at each sync of a file system. */
const FILE_SYSTEMS = ['test/engine/file-systems.test.ts'];
/** Each question of a row: a mutant drops it. */
const ROWS = ['test/engine/row-cache.test.ts'];
const RIVALS = ['test/engine/stale-looks.test.ts', 'test/engine/rivals.test.ts'];

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a claim is not read back',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: "  if (!holds(disk, target, owner)) {\n    dropPrepared(disk, name, files, whereabouts);\n    return disk.stat(task) === undefined ? 'gone' : 'lost';\n  }\n  return isDurable",
    instead: '  return isDurable',
  },
  {
    name: 'after an error a claim is not read back',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: '    if (!holds(disk, target, owner)) {\n      dropPrepared(disk, name, files, whereabouts);\n      if (isGone',
    instead: '    {\n      dropPrepared(disk, name, files, whereabouts);\n      if (isGone',
  },
  {
    name: 'any owner will do: the nonce is not compared',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: 'return Buffer.from(disk.read(`${attempt}/owner.md`, owner.length, COMPARED)).equals(owner);',
    instead: 'return disk.read(`${attempt}/owner.md`, owner.length, COMPARED).length > 0;',
  },
  {
    name: 'a number that is used is claimed again',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: 'if (!used) disk.rename(prepared, target);',
    instead: 'if (!used || used) disk.rename(prepared, target);',
  },
  {
    name: 'no fence',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: '    disk.rename(open, lost);\n    disk.sync(attemptsFolder(task));\n  }\n  adoptDesk(disk, desk, lost);',
    instead: '  }\n  adoptDesk(disk, desk, open);',
  },
  {
    name: 'a fence that leaves the desk outside',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: '  adoptDesk(disk, desk, lost);',
    instead: '',
  },
  {
    name: 'a commit by whoever comes',
    file: 'task/store/tasks/claims.ts',
    killers: CLAIMS,
    text: "  if (!holds(putting.disk, attempt, owner)) return 'fenced';\n",
    instead: '',
  },
  {
    name: 'a move onto what is there',
    file: 'task/store/tasks/tasks.ts',
    killers: ['test/task/store/tasks.test.ts'],
    text: '  if (disk.stat(target) !== undefined) {\n    // A person may',
    instead: '  if (disk.stat(target) !== undefined && id === "") {\n    // A person may',
  },
  {
    name: 'a claim that is not the highest goes on',
    file: 'engine/attempt/claim.ts',
    killers: RIVALS,
    text: '    if (isHighest(ws, place.folder, action.attempt)) return true;\n',
    instead: '    if (place.folder !== "") return true;\n',
  },
  {
    name: 'a recovery does not look again before it claims',
    file: 'engine/attempt/claim.ts',
    killers: RIVALS,
    text: 'action.recovers ? stillDead(ws, task, folder) : task',
    instead: 'action.recovers ? (stillDead(ws, task, folder) ?? task) : task',
  },
  {
    name: 'a recovery does not look again after it fenced',
    file: 'engine/attempt/claim.ts',
    killers: RIVALS,
    text: '  return { ...claimed, task: { ...task, attempts } };',
    instead: '  return attempts.length < 0 ? { ...claimed, task } : claimed;',
  },
  {
    name: 'what is taken over counts for the contract of today',
    file: 'engine/attempt/claim.ts',
    killers: RIVALS,
    text: 'contract: left?.owner?.contract ?? task.contract_hash,',
    instead: 'contract: task.contract_hash,',
  },
  {
    name: 'into in_progress without being the highest',
    file: 'engine/attempt/enter.ts',
    killers: RIVALS,
    text: '  if (!isHighest(ws, folder, running.number)) return false;\n',
    instead: '',
  },
  {
    name: 'a task is found by its name alone',
    file: 'workspace/tasks/attempt-context.ts',
    killers: RIVALS,
    text: '  const is = holds(ws.disk, attempt, owner_bytes);',
    instead: '  const is = ws.disk.stat(attempt) !== undefined;',
  },
  {
    name: 'rolled forward without being the highest',
    file: 'engine/attempt/roll-forward.ts',
    killers: RIVALS,
    text: '  if (!mayMove(running, place.folder)) {',
    instead: '  if (!mayMove(running, place.folder) && place.folder === "") {',
  },
  {
    name: 'rolled forward, and not looked at again',
    file: 'engine/attempt/roll-forward.ts',
    killers: RIVALS,
    text: '  if (still && !mayMove(running, there) && !isSucceeded(running, there)) {',
    instead: '  if (!still && !mayMove(running, there) && !isSucceeded(running, there)) {',
  },
  {
    name: 'moved although a newer attempt appeared',
    file: 'engine/step/apply.ts',
    killers: RIVALS,
    text: "  if (highestAttempt(ws.disk, folder) !== seen) return lost('another process took it over');\n",
    instead: '',
  },
  {
    name: 'moved, and not looked at again',
    file: 'engine/step/apply.ts',
    killers: RIVALS,
    text: '  if (isOvertaken(ws, task.id, to, seen)) {',
    instead: '  if (isOvertaken(ws, task.id, to, seen) && seen < 0) {',
  },
  {
    name: 'an owner that lives is thought to work on it for ever',
    file: 'workspace/tasks/liveness.ts',
    killers: RIVALS,
    text: '  return pid !== ws.machine.self().pid || ws.active.has(nonce);',
    instead: '  return pid > 0 || ws.active.has(nonce);',
  },
  {
    name: 'an orphan agent is not waited for',
    file: 'workspace/tasks/liveness.ts',
    killers: RIVALS,
    text: "  if (last === undefined || ws.machine.judge(last) !== 'alive') return 'dead';",
    instead: "  if (last === undefined || ws.machine.judge(last) !== 'nobody') return 'dead';",
  },
  {
    name: 'the gate opens before the start is recorded',
    file: 'engine/call/record-start.ts',
    killers: RIVALS,
    text: '  if (!gated.started) return;\n',
    instead: '  if (number >= 0) return;\n',
  },
  {
    name: 'a gate that nobody opened lets through',
    file: 'process/gate.ts',
    killers: ['test/process/process-room.test.ts'],
    text: '[ "$word" = go ] || exit ${GATE_SHUT}',
    instead: ': || exit ${GATE_SHUT}',
  },
  {
    name: 'an edit over what a person saved meanwhile',
    file: 'task/store/disk/put.ts',
    killers: ['test/task/store/put.test.ts'],
    text: "  if (now !== seen) return now === undefined ? 'gone' : 'changed';\n",
    instead: '',
  },
  {
    name: 'a file is created without fsync',
    file: 'task/store/disk/real-disk.ts',
    killers: SYNCS,
    text: '    if (options.durable) fsyncSync(fd);\n',
    instead: '',
  },
  {
    name: 'a folder is synced without fsync',
    file: 'task/store/disk/real-disk.ts',
    killers: SYNCS,
    text: '  const fd = openSync(path, O_RDONLY | O_NONBLOCK);\n  try {\n    fsyncSync(fd);',
    instead: '  const fd = openSync(path, O_RDONLY | O_NONBLOCK);\n  try {',
  },
  {
    name: 'a record of an exit over files that are not synced',
    file: 'process/gate.ts',
    killers: FILE_SYSTEMS,
    text: '    { sync -f "\\${record%/*}" . || sync; } &&\n      printf',
    instead: '      printf',
  },
  {
    name: 'what a stopped agent wrote is not synced',
    file: 'process/gated-run.ts',
    killers: FILE_SYSTEMS,
    text: 'if (killed && exit_file !== undefined) syncFileSystems(dirname(exit_file), cwd);',
    instead: 'void [killed, exit_file, cwd, dirname, syncFileSystems];',
  },
  {
    name: 'a log is not synced',
    file: 'process/gated-run.ts',
    killers: FILE_SYSTEMS,
    text: '() => fsyncSync(log.fd)',
    instead: '() => undefined',
  },
  {
    name: 'git does not sync what it writes',
    file: 'git/runner-git.ts',
    killers: FILE_SYSTEMS,
    text: '[...OFF, ...DURABLE]',
    instead: '[...OFF]',
  },
  {
    name: 'what a person or a host handed in is not synced',
    file: 'engine/work/adopt.ts',
    killers: FILE_SYSTEMS,
    text: '  syncFileSystems(handed);\n',
    instead: '',
  },
  {
    name: 'a receipt over files that are not synced',
    file: 'engine/verify/verify.ts',
    killers: ['test/engine/durability.test.ts'],
    text: '  syncRelied(running, contract, delivered, workdir);\n',
    instead: '',
  },
  {
    name: 'what a merge checked out is not synced',
    file: 'worktrees/engine/checkout.ts',
    killers: FILE_SYSTEMS,
    text: '  syncFileSystems(repo.top, repo.common_dir);\n',
    instead: '',
  },
  {
    name: 'a new worktree is not synced before there are files in it',
    file: 'worktrees/engine/worktree.ts',
    killers: FILE_SYSTEMS,
    text: '  syncFileSystems(folder, repo.common_dir);\n',
    instead: '',
  },
  {
    name: 'what a worktree begins with is not synced',
    file: 'worktrees/engine/start-attempt.ts',
    killers: FILE_SYSTEMS,
    text: '  if (laidOut) syncFileSystems(tree.folder, tree.admin);\n',
    instead: '',
  },
  {
    name: 'a row is believed whatever was written',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: '      if (!file.isMarked(row, at, disk.stat(whole))) break;',
    instead: "      if (whole === '') break;",
  },
  {
    name: 'a row does not ask whether a file came',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: '    trace.note(folder, disk.stat(folder));\n',
    instead: '',
  },
  {
    name: 'a row is believed whatever is said outside of its task',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: '      return file.isMarked(file.length, at, found);',
    instead: '      return true;',
  },
  {
    name: 'a row is believed whatever other tasks do',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: '      if (now !== lines[at + 1]) return false;\n',
    instead: '',
  },
  {
    name: 'a row is kept of what may change unseen',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: ' && trace.latest_ms <= this.#settled_ms',
    instead: '',
  },
  {
    name: 'a row is kept of a look at processes',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: 'beyond(judge)',
    instead: 'judge',
  },
  {
    name: 'a row is kept of a look at the environment',
    file: 'engine/cache/row-cache.ts',
    killers: ROWS,
    text: '      get env() {\n        spoil();\n',
    instead: '      get env() {\n',
  },
  {
    name: 'rows are believed with other settings',
    file: 'engine/cache/row-file.ts',
    killers: ROWS,
    text: ' || header.settings !== settings',
    instead: '',
  },
  {
    name: 'rows are believed with another sum',
    file: 'engine/cache/row-file.ts',
    killers: ROWS,
    text: 'crc32(body) !== header.sum || ',
    instead: '',
  },
  {
    name: 'a row does not ask where a dependency is',
    file: 'engine/step/facts.ts',
    killers: ROWS,
    text: '  return about(ws, `${DEPENDENCY}${id}`, () => standingOf(ws, board, id));',
    instead: '  return standingOf(ws, board, id);',
  },
  {
    name: 'a row does not ask for a cycle',
    file: 'engine/step/facts.ts',
    killers: ROWS,
    text: "new Set(['cycle', 'overlap', 'turn_taken', 'pause'])",
    instead: "new Set(['overlap', 'turn_taken', 'pause'])",
  },
  {
    name: 'a row does not ask for children',
    file: 'engine/step/facts.ts',
    killers: ROWS,
    text: "about(ws, 'children', () => children(ws, board, task.id))",
    instead: 'children(ws, board, task.id)',
  },
  {
    name: 'a row does not ask who is in its way',
    file: 'engine/step/facts.ts',
    killers: ROWS,
    text: "new Set(['cycle', 'overlap', 'turn_taken', 'pause'])",
    instead: "new Set(['cycle', 'turn_taken', 'pause'])",
  },
];
