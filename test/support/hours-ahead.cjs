/**
 * MOCK clock: put before the command with `node --require`, its calendar is ahead by CONTRACTS_TEST_HOURS, which may
 * be less than none. What never jumps, `performance`, goes on as it is.
 */
'use strict';
const ahead_ms = Number(process.env.CONTRACTS_TEST_HOURS) * 3_600_000;
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ahead_ms);
    else super(...given);
  }

  static now() {
    return Real.now() + ahead_ms;
  }
};
