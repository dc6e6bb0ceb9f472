/**
 * MOCK of a system that has no more watches to give: put before the command with `node --require`,
 * it makes fs.watch fail as the kernel does at its limit (fs.inotify.max_user_watches).
 */
'use strict';
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

fs.watch = (path) => {
  const words = 'System limit for number of file watchers reached';
  throw Object.assign(new Error(`ENOSPC: ${words}, watch '${path}'`), {
    code: 'ENOSPC',
    syscall: 'watch',
    path,
  });
};
syncBuiltinESMExports();
