/** `init`: makes what is missing and never overwrites; a second init changes nothing. */
import { join, resolve } from 'node:path';
import { STATES } from '../../core/state.ts';
import { errorCode, type Disk } from '../../store/disk.ts';
import { SETTINGS, TASKS } from '../../store/layout.ts';
import { bytesOf } from '../attempt/running.ts';

export interface Initialised {
  readonly root: string;
  /** Relative paths that were made; empty when everything was there. */
  readonly made: readonly string[];
}

const CONFIG = `# Settings of contracts. Every key is optional; these are the defaults.
#
# adapter: shell          # who is called when neither contract nor agent says
# parallel: 2             # agents at once
# timeout: 10m            # for one call
# retries_max: 3          # after the first try
# questions_max: 3        # rounds of questions
# reviews_max: 2          # times a review may send the work back
#
# adapters:
#   mine: { type: command, run: [node, my-agent.mjs, "{{brief_file}}"], env: [MY_KEY] }
# agents:
#   builder: { adapter: mine }
`;

export function init(disk: Disk, dir: string): Initialised {
  const root = resolve(dir);
  const made: string[] = [];
  const folder = (path: string): void => {
    try {
      disk.mkdir(join(root, path));
      made.push(`${path}/`);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  };
  const file = (path: string, text: string): void => {
    if (disk.stat(join(root, path)) !== undefined) return;
    disk.create(join(root, path), bytesOf(text));
    made.push(path);
  };
  folder(SETTINGS);
  file(`${SETTINGS}/config.yaml`, CONFIG);
  // Made here, because `mv task .contracts/archive/` without it would make the task the archive.
  if (disk.stat(join(root, SETTINGS, 'archive')) === undefined) {
    folder(`${SETTINGS}/archive`);
    file(`${SETTINGS}/archive/.gitkeep`, '');
  }
  folder(TASKS);
  file(
    `${TASKS}/.gitignore`,
    '# What agents work on right now, and what they printed.\n.desk/\noutput.log\n',
  );
  for (const state of STATES) {
    const path = `${TASKS}/${state}`;
    const existed = disk.stat(join(root, path)) !== undefined;
    if (!existed) {
      folder(path);
      file(`${path}/.gitkeep`, '');
    }
  }
  return { root, made };
}
