/**
 * Put before the command with `node --require`: counts what a runner changes on the disk (calls of node:fs
 * and programs such as git), on over all commands of one life, and cuts the power in the place of the call
 * with the number of CONTRACTS_TEST_CUT_AT. The cut is FS_IOC_SHUTDOWN without a flush of the journal: what
 * was not synced is gone. Needs perl.
 */
'use strict';
const fs = require('node:fs');
const child = require('node:child_process');

const { CONTRACTS_TEST_CUT_AT, CONTRACTS_TEST_COUNT, CONTRACTS_TEST_DISK } = process.env;
const at = Number(CONTRACTS_TEST_CUT_AT);
const { appendFileSync, readFileSync } = fs;
const { spawnSync } = child;
// One character for each call; other processes of this life wrote theirs before.
let count = readFileSync(CONTRACTS_TEST_COUNT).length;

function point(what) {
  if (count++ === at) {
    const words =
      'open(F,"<",$ARGV[0]) or die; $f=pack("L",2); ioctl(F,0x8004587d,$f) or die "not cut: $!"';
    const said = spawnSync('perl', ['-e', words, CONTRACTS_TEST_DISK], { encoding: 'utf8' });
    appendFileSync(`${CONTRACTS_TEST_COUNT}.cut`, `${what} ${said.stderr}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
  appendFileSync(CONTRACTS_TEST_COUNT, '.');
}

const named = ['mkdirSync', 'renameSync', 'rmdirSync', 'unlinkSync', 'linkSync', 'ftruncateSync'];
for (const name of [...named, 'writeSync', 'fsyncSync']) {
  const real = fs[name];
  fs[name] = (...given) => {
    // What it prints changes no disk.
    if (given[0] !== 1 && given[0] !== 2) point(`${name} ${given[0]}`);
    return real(...given);
  };
}
const { openSync } = fs;
fs.openSync = (path, flags, ...more) => {
  if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0) point(`create ${path}`);
  return openSync(path, flags, ...more);
};
for (const name of ['spawnSync', 'spawn']) {
  const real = child[name];
  child[name] = (program, args, ...more) => {
    if (Array.isArray(args))
      point(`${name} ${program} ${args.filter((one) => !/[=.]|^-c$/.test(one))}`);
    return real(program, args, ...more);
  };
}
