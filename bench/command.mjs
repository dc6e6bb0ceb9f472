// Where the built command is, and how it is called.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = new URL('../', import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'));

export const commandLine = fileURLToPath(new URL(bin.contracts, project));
export const contracts = (root, ...args) => [process.execPath, commandLine, '-C', root, ...args];
