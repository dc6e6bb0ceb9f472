// Preloaded into the built command by test/start.test.ts: writes what it asked for by require, in
// order and once each, to the file named by CONTRACTS_LOADS when the process ends.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename } = require('node:path');

const asked = new Set();
const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!isMain) asked.add(request.startsWith('.') ? basename(request) : request);
  return load.call(this, request, parent, isMain);
};
process.on('exit', () => writeFileSync(process.env.CONTRACTS_LOADS, JSON.stringify([...asked])));
