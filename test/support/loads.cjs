// Preloaded into the built command by test/cli/start.test.ts: writes what it asked for, in order and once
// each, to the file named by CONTRACTS_LOADS when the process ends: modules by require, its own files
// by what it gives to V8; and of these the ones for which V8 took the cache that lay beside them.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename } = require('node:path');
const vm = require('node:vm');

const asked = new Set();
const cached = [];
const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!isMain) asked.add(request.startsWith('.') ? basename(request) : request);
  return load.call(this, request, parent, isMain);
};
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    const file = basename(options.filename);
    asked.add(file);
    if (this.cachedDataRejected === false) cached.push(file);
  }
};
process.on('exit', () => {
  writeFileSync(process.env.CONTRACTS_LOADS, JSON.stringify({ asked: [...asked], cached }));
});
