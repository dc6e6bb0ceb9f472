// Preloaded into the built command by code-cache.mjs: when the call ends, what V8 has made of each file
// by then is written into the folder CONTRACTS_KEEP, under the name of the file.
const { writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const vm = require('node:vm');

const scripts = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    scripts.push([basename(options.filename), this]);
  }
};
process.on('exit', () => {
  for (const [name, script] of scripts) {
    writeFileSync(join(process.env.CONTRACTS_KEEP, name), script.createCachedData());
  }
});
