// The row against Backlog.md on as many tasks. Where it cannot be installed it is left out, and said.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wall } from './measure.mjs';
import { pair } from './table.mjs';

export function againstBacklog({ tasks, folder, tree }) {
  const backlog = install(folder);
  if (backlog === undefined) return;
  const room = join(folder, 'backlog');
  mkdirSync(room);
  spawnSync('git', ['init', '-q', room]);
  const set = (...args) => spawnSync(backlog, args, { cwd: room });
  set('init', 'bench', '--defaults');
  set('config', 'set', 'remoteOperations', 'false');
  for (let n = 1; n <= tasks; n++) {
    const text = `---\nid: TASK-${n}\ntitle: Task number ${n}\nstatus: To Do\nassignee: []\ncreated_date: '2026-11-22 01:20'\nlabels: []\ndependencies: []\nordinal: ${n}000\n---\n\n## Description\n\nWrite the number ${n} into a file of its own.\n`;
    writeFileSync(join(room, 'backlog', 'tasks', `task-${n} - Task-number-${n}.md`), text);
  }
  const theirs = () => wall([backlog, 'task', 'list', '--plain'], { cwd: room });
  const large = tree(tasks);
  const ours = (round) => {
    large.change(round);
    return large.call('list');
  };
  const what = `list ${tasks} after 1 change / Backlog.md`;
  pair(what, '≤ 1/20', '≤ 1/27', 3, ours, theirs, () => large.settle('list'));
}

function install(folder) {
  const room = join(folder, 'npm');
  mkdirSync(room);
  writeFileSync(join(room, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', 'backlog.md@1.52.0'];
  const { stderr } = spawnSync('npm', args, { cwd: room, encoding: 'utf8' });
  const backlog = join(room, 'node_modules', '.bin', 'backlog');
  if (existsSync(backlog)) return backlog;
  console.error(`  Backlog.md cannot be installed, so its row is left out: ${stderr}`);
  return undefined;
}
