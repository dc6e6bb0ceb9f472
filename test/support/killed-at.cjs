/**
 * MOCK power switch: put before the command with `node --require`, it kills its own process with SIGKILL
 * in the place of the operation on the disk whose number CONTRACTS_TEST_KILLED_AT says.
 */
'use strict';
const fs = require('node:fs');

let left = Number(process.env.CONTRACTS_TEST_KILLED_AT);

for (const name of ['mkdirSync', 'writeSync', 'renameSync', 'fsyncSync']) {
  const real = fs[name];
  fs[name] = (...given) => {
    if (--left < 0) process.kill(process.pid, 'SIGKILL');
    return real(...given);
  };
}
