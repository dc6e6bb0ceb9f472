/**
 * MOCK power switch: put before the command with `node --require`, it kills its own process with SIGKILL
 * in the place of the operation on the disk whose number CONTRACTS_TEST_KILLED_AT says. Where
 * CONTRACTS_TEST_KILLED_OF names a path, only operations on it count.
 */
'use strict';
const fs = require('node:fs');

let left = Number(process.env.CONTRACTS_TEST_KILLED_AT);
const path = process.env.CONTRACTS_TEST_KILLED_OF;

for (const name of ['mkdirSync', 'writeSync', 'renameSync', 'fsyncSync']) {
  const real = fs[name];
  fs[name] = (...given) => {
    if ((path === undefined || given.includes(path)) && --left < 0)
      process.kill(process.pid, 'SIGKILL');
    return real(...given);
  };
}
