/** Settings for a new workspace, from what is in the project. Writes nothing. */
import { join } from 'node:path';
import type { Disk } from '../../task/store/disk/disk.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { proposeCopy, proposeSetup } from '../../worktrees/core/propose-setup.ts';
import { gitIn } from '../../git/query-git.ts';
import { programsFor, type Ports } from '../../workspace/open/workspace.ts';
import { detectChecks } from './project-checks.ts';

/** No file of settings yet, or one of comments alone. */
export function isBlank(disk: Disk, root: string): boolean {
  const path = join(root, SETTINGS, 'config.yaml');
  if (disk.stat(path)?.kind !== 'file') return disk.stat(path) === undefined;
  const text = Buffer.from(disk.read(path, TEXT_BYTES_MAX)).toString('utf8');
  return text.replace(/#.*$/gm, '').trim() === '';
}

const NOT_FOR_ONE = 'not for a single task: it names the command, with --run';

/** Lines of config.yaml. `run`: the words of a program, where the adapter is one of the person's own. */
export function settingsFor(
  disk: Disk,
  root: string,
  adapter: string,
  run?: readonly string[],
): readonly string[] {
  const [check] = detectChecks(disk, root).get('tests') ?? [];
  const tests = check?.replace(/^run: /, '');
  return [
    ...(adapter === 'shell' ? [] : [`adapter: ${adapter}`]),
    ...(run ? [`adapters: { ${adapter}: { type: command, run: ${JSON.stringify(run)} } }`] : []),
    ...(tests === undefined
      ? []
      : [`checks: { tests: ${JSON.stringify(tests)} } # ${NOT_FOR_ONE}`]),
  ];
}

/** A worktree has neither installed packages nor what git ignores. */
export function preparation(
  { disk, env }: Pick<Ports, 'disk' | 'env'>,
  root: string,
): readonly string[] {
  const how = ['--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const git = gitIn(root, { env, programs: programsFor({ disk, env }, root) });
  const listed = git(['ls-files', ...how])?.toString();
  const setup = proposeSetup(disk.list(root).map(({ name }) => name));
  const copy = proposeCopy(listed?.split('\0') ?? []);
  const lines = Object.entries({ setup, copy }).filter(([, all]) => all.length > 0);
  const words = lines.map(([name, all]) => `${name}: ${JSON.stringify(all)}`).join(', ');
  return words === '' ? [] : [`worktree: { ${words} }`];
}
