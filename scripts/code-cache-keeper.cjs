// Preloaded into the built command by code-cache.mjs: when the call ends, what V8 has made of each file
// is written beside it, under the name that the command looks for.
const { writeFileSync } = require('node:fs');
const vm = require('node:vm');

const scripts = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    scripts.push([options.filename, this]);
  }
};
process.on('exit', () => {
  for (const [file, script] of scripts) {
    const { version, platform, arch } = process;
    writeFileSync(`${file}.${version}-${platform}-${arch}.v8`, script.createCachedData());
  }
});
