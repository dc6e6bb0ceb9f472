/** What a command of a setting takes from the workspace: a table, over a small tree that is described here. */
import { describe, expect, test } from 'vitest';
import { namedInside, type Around } from '../../src/sandbox/core/named-inside.ts';

const FILES = new Set(['tools/n.sh', 'tools', 'x.mjs', 'x.sh', 'Makefile', 'my script.sh']);
const around: Around = {
  isProgramInside: (program) => program.includes('/') && !/^\/(?!ws\/)/.test(program),
  isInside: (path, isCode) =>
    /^\/(?:ws|a b \(c\))\//.test(`${path}/`) ||
    /^~?\/ws-of-home\//.test(path) ||
    (isCode && path === 'ws-of-home') ||
    path === '/link/into' ||
    FILES.has(path.replace(/^\.\//, '')),
  isAround: (folder) => folder === '~/' || folder === '/',
};
const inside = (argv: readonly string[]): string | undefined => namedInside(argv, around);

describe('it takes something from the workspace', () => {
  test.each<readonly [readonly string[], string]>([
    [['./tools/n.sh', '{{id}}'], './tools/n.sh'],
    [['/ws/tools/n.sh'], '/ws/tools/n.sh'],
    [['/ws/made-later.sh'], '/ws/made-later.sh'],
    [['node', 'x.mjs', '{{id}}'], 'x.mjs'],
    [['node', '/link/into'], '/link/into'],
    [['node', '--import=./x.mjs', '/opt/y.mjs'], './x.mjs'],
    [['node', '-r./x.mjs', '/opt/y.mjs'], './x.mjs'],
    [['node20', 'made-later.mjs'], 'made-later.mjs'],
    [['sh', 'x.sh'], 'x.sh'],
    [['sh', '-e', 'x.sh'], 'x.sh'],
    [['sh', '-c', '. ./x.sh'], './x.sh'],
    [['sh', '-c', 'cd "$CONTRACTS_ROOT" && ./go'], 'CONTRACTS_ROOT'],
    [['sh', '-c', 'echo $CONTRACTS_TASK >> moves.log'], 'moves.log'],
    [['sh', '-c', 'npm run x'], 'npm'],
    [['sh', 'my script.sh'], 'my script.sh'],
    [['env', 'A=1', 'make', 'x'], 'make'],
    [['timeout', '5', 'npx', 'x'], 'npx'],
    [['python3.11', '-m', 'tools.z'], 'tools.z'],
    [['python3', 'tools'], 'tools'],
    [['npm', 'run', 'x'], 'npm'],
    [['/usr/bin/npm', 'run', 'x'], '/usr/bin/npm'],
    [['make', '-C', '/opt'], 'make'],
    [['curl', '-K', 'x.sh'], 'x.sh'],
    [['curl', '-Kx.sh'], 'x.sh'],
    [['vim', '-S', 'tools/n.sh'], 'tools/n.sh'],
    [['sh', '-c', '. ~/ws-of-home/y.sh'], '~/ws-of-home/y.sh'],
    [['sh', '-c', '. "${HOME}/ws-of-home/y.sh"'], '/ws-of-home/y.sh'],
    [['sh', '-c', '. "$HOME"/ws-of-home/y.sh'], '/ws-of-home/y.sh'],
    [['perl', '-e', 'do "$ENV{HOME}/ws-of-home/x.pl"'], '/ws-of-home/x.pl'],
    [['sh', '-c', 'for x in ~/ws*/y.sh; do . "$x"; done'], '~/ws*/y.sh'],
    [['node', 'ws-of-home'], 'ws-of-home'],
    [
      ['find', '/dev/null', '-exec', 'sh', '-c', '. "$CONTRACTS_ROOT/y.sh"', ';'],
      'CONTRACTS_ROOT/y.sh',
    ],
    [['git', '-c', 'alias.x=!sh $CONTRACTS_ROOT/y.sh', 'x'], 'CONTRACTS_ROOT/y.sh'],
    [['ld.so', '/bin/sh', '-c', '. ./made-later.sh'], './made-later.sh'],
    [['taskset', '1', 'make', 'x'], 'make'],
    [['sh', '-c', '. "/a b (c)"/y.sh'], '/a b (c)'],
    [['sh', '-c', ". '/a b (c)/y.sh'"], '/a b (c)/y.sh'],
    [['sh', '-c', String.raw`. /a\ b\ \(c\)/y.sh`], '/a b (c)/y.sh'],
    [['sed', '-nf/ws/x.sed'], '/ws/x.sed'],
    [['vim', '+so/ws/x.vim'], '/ws/x.vim'],
  ])('%j', (argv, part) => {
    expect(inside(argv)).toBe(part);
  });
});

test.each<readonly string[]>([
  ['notify-send', '{{id}}', '{{state}}'],
  ['notify-send', 'build v1.2 is done', '{{tools}}'],
  ['/home/me/bell.sh', '{{id}}'],
  ['sh', '/home/me/bell.sh', '{{id}}'],
  ['sh', '-c', 'notify-send "$CONTRACTS_TASK" "$CONTRACTS_TO"'],
  ['sh', '-c', 'echo "$CONTRACTS_TASK" >> /var/log/moves.log'],
  ['curl', '-d', '{{id}}', 'https://ntfy.sh/my-topic'],
  ['ssh', 'me@host', 'notify', '{{id}}'],
  ['sh', '-c', '~/bin/bell {{id}}; [ $? -eq 0 ] || "$HOME"/bin/other'],
  ['notify-send', 'ws-of-home', '{{id}}'],
  ['env', 'A=1', 'vim', '-f'],
  ['vim'],
  ['code', '--wait'],
  ['/bin/sh', '-c', 'less -R'],
  [],
])('nothing of %j lies there', (...argv) => {
  expect(inside(argv)).toBeUndefined();
});
