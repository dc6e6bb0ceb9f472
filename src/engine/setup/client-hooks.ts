/**
 * `init --hooks`: makes the clients ask before each use of a tool, in the settings that they read in a
 * project, and tells where they do already. What stands there stays; a file that is no plain JSON is
 * left alone, and what belongs into it is given by hand, with the reason.
 */
import type { Disk } from '../../task/store/disk/disk.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import {
  addEntries,
  addFile,
  fromPackage,
  holdsEntries,
  together,
  type CarriedOut,
  type ListIn,
  type Place,
} from './add-missing.ts';

/** No path of this machine: the file is committed. The command is found where it is used, or not asked. */
const PLUGIN_FILE = `${SETTINGS}/opencode-plugin.js`;

function asks(client: string, timeout: number): Readonly<Record<string, unknown>> {
  const command = `contracts hook pre-tool-use --client ${client}`;
  return { type: 'command', command, timeout };
}

function settings(): readonly ListIn[] {
  const hook = (file: string, event: string, value: unknown): ListIn => {
    return { file, keys: ['hooks', event], entries: [{ value, mark: 'hook pre-tool-use' }] };
  };
  const pre = (client: string) => ({ matcher: '*', hooks: [asks(client, 20)] });
  const before = { matcher: '.*', hooks: [{ name: 'contracts', ...asks('gemini', 20_000) }] };
  const plugin = { value: `./${PLUGIN_FILE}`, mark: 'opencode-plugin.js' };
  return [
    hook('.claude/settings.json', 'PreToolUse', pre('claude')),
    hook('.gemini/settings.json', 'BeforeTool', before),
    hook('.codex/hooks.json', 'PreToolUse', pre('codex')),
    { file: 'opencode.json', keys: ['plugin'], entries: [plugin] },
  ];
}

export function installHooks(place: Place): CarriedOut {
  const plugin = fromPackage(place.putting.disk, 'templates/opencode-plugin.js');
  return together([
    addFile(place, PLUGIN_FILE, plugin),
    ...settings().map((one) => {
      const values = one.entries.map(({ value }) => value);
      return addEntries(place, one, `${one.keys.join('.')}: ${JSON.stringify(values)}`);
    }),
  ]);
}

/** Relative paths of the settings in this project that make a client ask. Nothing is written. */
export function hooksStanding(disk: Disk, root: string): readonly string[] {
  return settings()
    .filter((one) => holdsEntries(disk, root, one))
    .map(({ file }) => file);
}
