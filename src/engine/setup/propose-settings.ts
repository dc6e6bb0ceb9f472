/** Settings for a new workspace, from what is in the project. Writes nothing. */
import { join } from 'node:path';
import { isClient } from '../../clients/adapters/client-type.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { findRepository, isRepository } from '../../workspace/open/repository.ts';
import { detectChecks } from './project-checks.ts';

/** No file of settings yet, or one of comments alone. */
export function isBlank(disk: Disk, root: string): boolean {
  const path = join(root, SETTINGS, 'config.yaml');
  if (disk.stat(path)?.kind !== 'file') return disk.stat(path) === undefined;
  const text = Buffer.from(disk.read(path, TEXT_BYTES_MAX)).toString('utf8');
  return text.replace(/#.*$/gm, '').trim() === '';
}

/** Lines of config.yaml. `run`: the words of a program, where the adapter is one of the person's own. */
export function settingsFor(
  disk: Disk,
  root: string,
  adapter: string,
  run?: readonly string[],
): readonly string[] {
  // Several agents at once would change one tree.
  const apart = isClient(adapter) && isRepository(findRepository(disk, root));
  const tests = detectChecks(disk, root)
    .get('tests')?.[0]
    ?.replace(/^run: /, '');
  return [
    ...(adapter === 'shell' ? [] : [`adapter: ${adapter}`]),
    ...(run ? [`adapters: { ${adapter}: { type: command, run: ${JSON.stringify(run)} } }`] : []),
    ...(apart ? ['isolation: worktree'] : []),
    ...(tests === undefined ? [] : [`checks: { tests: ${JSON.stringify(tests)} }`]),
  ];
}
