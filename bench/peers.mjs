// The rows against other tools on as many tasks: Backlog.md, taskwarrior, ninja. What is not there and
// cannot be installed is left out, and said.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contracts } from './command.mjs';
import { wall } from './measure.mjs';
import { pair } from './table.mjs';

const has = (program) => spawnSync('which', [program]).status === 0;

function tool(command, args, options = {}) {
  const ran = spawnSync(command, args, { encoding: 'utf8', ...options });
  return ran.status === 0;
}

/** The programs by name; without those that are not to be had here. */
export function installPeers(rooms) {
  const debian = [
    ['ninja', 'ninja-build'],
    ['task', 'taskwarrior'],
  ].filter(([program]) => !has(program));
  if (debian.length > 0)
    tool('apt-get', ['install', '-y', '-q', ...debian.map(([, name]) => name)]);
  const folder = join(rooms, 'npm');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  tool('npm', ['install', '--no-audit', '--no-fund', 'backlog.md@1.52.0'], { cwd: folder });
  const backlog = join(folder, 'node_modules', '.bin', 'backlog');
  const found = {
    ninja: has('ninja') ? 'ninja' : undefined,
    task: has('task') ? 'task' : undefined,
    backlog: existsSync(backlog) ? backlog : undefined,
  };
  for (const [name, path] of Object.entries(found))
    if (path === undefined) console.error(`  ${name} is not to be had here: left out`);
  return found;
}

export function peers(scale, large, { ninja, task, backlog }) {
  if (ninja !== undefined) againstNinja(scale, large, ninja);
  if (backlog !== undefined) againstBacklog(scale, large, backlog);
  if (task !== undefined) againstTaskwarrior(scale, large, task);
}

/** As many targets as tasks, each with two inputs, all built. */
function againstNinja({ tasks, rounds, rooms }, large, ninja) {
  const folder = join(rooms, 'ninja');
  mkdirSync(join(folder, 'in'), { recursive: true });
  const lines = ['rule copy', '  command = cat $in > $out'];
  for (let n = 0; n < tasks; n++) {
    for (const part of ['a', 'b']) writeFileSync(join(folder, 'in', `${n}.${part}`), `${n}\n`);
    lines.push(`build out/${n}: copy in/${n}.a in/${n}.b`);
  }
  writeFileSync(join(folder, 'build.ninja'), `${lines.join('\n')}\n`);
  tool(ninja, [], { cwd: folder, maxBuffer: 1 << 28 });
  const noop = () => wall([ninja], { cwd: folder });
  const step = () => wall(contracts(large, 'step'));
  pair(`no-op step ${tasks} / ninja, ${tasks} targets`, '≤ 1.3', '≤ 1.0', rounds, step, noop);
  const drafts = join(large, 'active_tasks', 'draft');
  const touched = readdirSync(drafts).slice(0, tasks * 0.03);
  const after = () => {
    const now = new Date();
    for (const id of touched) utimesSync(join(drafts, id, 'contract.md'), now, now);
    return step();
  };
  const changed = `first step after ${touched.length} changes / ninja`;
  pair(changed, '≤ 3', '≤ 2.2', rounds, after, noop);
}

function againstBacklog({ tasks, rooms }, large, backlog) {
  const folder = join(rooms, 'backlog');
  mkdirSync(folder);
  tool('git', ['init', '-q', folder]);
  tool(backlog, ['init', 'bench', '--defaults'], { cwd: folder });
  tool(backlog, ['config', 'set', 'remoteOperations', 'false'], { cwd: folder });
  for (let n = 1; n <= tasks; n++) {
    const text = `---\nid: TASK-${n}\ntitle: Task number ${n}\nstatus: To Do\nassignee: []\ncreated_date: '2026-11-22 01:20'\nlabels: []\ndependencies: []\nordinal: ${n}000\n---\n\n## Description\n\nWrite the number ${n} into a file of its own.\n`;
    writeFileSync(join(folder, 'backlog', 'tasks', `task-${n} - Task-number-${n}.md`), text);
  }
  const theirs = () => wall([backlog, 'task', 'list', '--plain'], { cwd: folder });
  const ours = () => wall(contracts(large, 'list'));
  pair(`list ${tasks} / Backlog.md`, '≤ 1/25', '≤ 1/40', 3, ours, theirs);
}

function againstTaskwarrior({ tasks, rooms }, large, task) {
  const folder = join(rooms, 'taskwarrior');
  mkdirSync(folder);
  const rc = join(folder, 'taskrc');
  writeFileSync(rc, `data.location=${folder}\nconfirmation=off\nverbose=nothing\n`);
  const all = Array.from({ length: tasks }, (_, n) => ({
    description: `Task number ${n}`,
    status: 'pending',
    entry: '20261121T120000Z',
  }));
  const env = { ...process.env, TASKRC: rc };
  tool(task, ['import'], { input: JSON.stringify(all), env, maxBuffer: 1 << 28 });
  const theirs = () => wall([task, 'export'], { env: { TASKRC: rc } });
  const ours = () => wall(contracts(large, 'list'));
  pair(`list ${tasks} / taskwarrior export`, '', '', 5, ours, theirs);
}
