/** A workspace in which the person's own programs find what they obey. */
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../../process/adapter.ts';
import { kindOf, orNothing, realBelow } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';

interface Owned {
  readonly env: Environment;
  readonly home?: string;
  readonly config_home?: string;
}

/**
 * The workspace is the home of the person or their settings: a sandbox would not hold, for an agent would
 * write what their shell, git and contracts obey. undefined where it is not, or a person chose no sandbox.
 * What else lies in it is empty in a sandbox, unless a link leads there.
 */
export function personsOwnIn(
  { home, config_home, env }: Owned,
  root: string,
  sandbox = 'auto',
): Problem | undefined {
  const { HOME = '' } = env;
  // Without HOME programs take that of the user, and a relative one is in the folder that they start in.
  const homes = [
    home ?? orNothing(() => process.getBuiltinModule('node:os').userInfo().homedir),
    HOME && !isAbsolute(HOME) ? resolve(root, HOME) : undefined,
  ];
  const top = realBelow(root);
  const emptied = [home, config_home].flatMap((one) => {
    const real = one === undefined ? '' : realBelow(one);
    const isFolder = one !== undefined && (kindOf(one) === 'folder' || isWithin(top, one));
    return isFolder && real !== top && isWithin(top, real) ? [real] : [];
  });
  const own = config_home && join(config_home, 'contracts');
  const inIt = [...homes, config_home, own, own && join(own, 'config.yaml')].find(
    (one) =>
      one &&
      isWithin(top, realBelow(one)) &&
      !emptied.some((folder) => isWithin(folder, realBelow(one))),
  );
  if (inIt === undefined || sandbox === 'none' || env['CONTRACTS_SANDBOX'] === 'none')
    return undefined;
  const [what, cure] = homes.includes(inIt)
    ? ['your home', 'Work in a folder below it: contracts init FOLDER']
    : ['your own settings', 'Set XDG_CONFIG_HOME to another folder'];
  const how = realBelow(inIt) === top ? 'is the folder of' : 'holds';
  const message = `this workspace ${how} ${what} (${inIt}), so an agent in its sandbox could write what your shell, git and contracts obey`;
  const fix = `${cure}; or sandbox: none in ${SETTINGS}/config.yaml, where agents write all that you can`;
  return problem({ code: 'untrusted', file: root, message, fix });
}
