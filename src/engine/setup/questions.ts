/**
 * Questions of `init` besides who works. A further one is a further line of the table: its words, its default, what a
 * yes writes.
 */
import { join } from 'node:path';
import { isClient } from '../../clients/core/records.ts';
import { findRepository, isRepository } from '../../workspace/open/repository.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { ownFolders, programsFor, type Ports } from '../../workspace/open/workspace.ts';
import type { Putting } from '../../task/store/disk/put.ts';
import { addAll } from './add-missing.ts';
import { lines } from './additions.ts';
import { preparation } from './propose-settings.ts';

/** Facts that are known when it is asked. */
interface Facts {
  readonly ports: Pick<Ports, 'disk' | 'env'>;
  readonly root: string;
  /** The one that was chosen to work. */
  readonly adapter: string;
}

export interface Question {
  readonly line: string;
  /** Words for what it does. */
  readonly label: string;
  /** The default: written with --yes, and ticked at a terminal. */
  readonly preset: boolean;
  readonly fits: (facts: Facts) => boolean;
  /** Lines that go with it. */
  readonly with?: (facts: Facts) => readonly string[];
  /** A line of the person's own settings, which hold in all workspaces. */
  readonly own?: true;
  /** Asked last: programs of the project run first, to see whether it can hold. */
  readonly tried?: true;
}

const isAgent = ({ adapter }: Facts): boolean => adapter !== 'human' && adapter !== 'shell';

function hasDesktop({ ports, root }: Facts): boolean {
  const { find } = programsFor(ports, root);
  return ['notify-send', 'osascript'].some((name) => find(name) !== undefined);
}

function isUntold({ ports }: Facts): boolean {
  const text = ownText(ports);
  return text !== undefined && !/^\s*notify:/m.test(text);
}

export const NETWORK: Question = {
  line: 'network: agents',
  label: 'checks run without a network',
  preset: false,
  fits: () => true,
  tried: true,
};

export const QUESTIONS: readonly Question[] = [
  {
    line: 'gate: person',
    label: 'you approve each result before it is done',
    preset: false,
    fits: isAgent,
  },
  {
    line: 'isolation: worktree',
    label: 'each task has a git worktree of its own, so several run at once',
    preset: true,
    // Several agents at once would change one tree.
    fits: ({ ports, root, adapter }) =>
      isClient(adapter) && isRepository(findRepository(ports, root)),
    with: ({ ports, root }) => preparation(ports, root),
  },
  {
    line: 'notify: desktop',
    label: 'a notice when something needs you, in all your workspaces',
    preset: false,
    fits: (facts) => isUntold(facts) && hasDesktop(facts),
    own: true,
  },
  {
    line: 'notify: bell',
    label: 'the terminal rings when something needs you, in all your workspaces',
    preset: false,
    fits: (facts) => isUntold(facts) && !hasDesktop(facts),
    own: true,
  },
  NETWORK,
];

const OWN = 'contracts/config.yaml';

/** Text of the person's own settings; undefined where they have no place. */
function ownText({ disk, env }: Facts['ports']): string | undefined {
  const { config_home } = ownFolders(env);
  return config_home && (textIfThere(disk, join(config_home, OWN)) ?? '');
}

/** Writes lines into the person's own settings. Returns words for what was done. */
export function addOwn(
  ports: Facts['ports'],
  unique: Putting['unique'],
  wanted: readonly string[],
): readonly string[] {
  const { config_home } = ownFolders(ports.env);
  if (wanted.length === 0 || config_home === undefined) return [];
  // The folder of settings may not be there yet.
  const addition = { ...lines(OWN, `${wanted.join('\n')}\n`), needs: '..' };
  const at = { putting: { disk: ports.disk, unique }, root: config_home };
  const { by_hand } = addAll(at, [addition]);
  const file = join(config_home, OWN);
  const [{ why = '' } = {}] = by_hand;
  return [
    `${by_hand.length === 0 ? 'wrote' : 'did not write'} ${wanted.join(', ')} to ${file}${why && `: ${why}`}`,
  ];
}
