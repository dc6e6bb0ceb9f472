/**
 * MOCK clock: put before the command with `node --require`, its clock that never jumps is ahead by as
 * many seconds as the file named by CONTRACTS_TEST_AHEAD says now. Silence passes at once by it.
 */
'use strict';
const { readFileSync } = require('node:fs');

const real = performance.now.bind(performance);

function aheadMs() {
  try {
    return Number(readFileSync(process.env.CONTRACTS_TEST_AHEAD, 'utf8')) * 1000;
  } catch {
    return 0;
  }
}

performance.now = () => real() + aheadMs();
