// Loaded with --require: no fsync reaches the disk, so that its price can be seen.
const fs = require('node:fs');
fs.fsyncSync = () => {};
fs.fdatasyncSync = () => {};
