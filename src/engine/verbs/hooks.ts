/**
 * `init --hooks`: makes the clients ask before each use of a tool, in the settings that they read in a
 * project, and tells where they do already. What stands there stays; a file that is no plain JSON is
 * left alone, and what belongs into it is given by hand, with the reason.
 */
import { join } from 'node:path';
import { errorCode, makeFolder, type Disk } from '../../store/disk.ts';
import { sha256 } from '../../store/hash.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../../store/layout.ts';
import { putIfUnchanged } from '../../store/put.ts';
import { commentedJson } from '../../text/commented-json.ts';
import { bytesOf } from '../attempt/running.ts';
import { packageFolder } from '../package-folder.ts';
import type { ByHand, CarriedOut, Place } from './propose.ts';

type Settings = Record<string, unknown>;

interface Client {
  readonly file: string;
  readonly folder?: string;
  /** The path to the list, and the entry that belongs into it. */
  readonly keys: readonly string[];
  readonly entry: unknown;
}

function asks(client: string, timeout: number): Settings {
  const command = `contracts hook pre-tool-use --client ${client}`;
  return { type: 'command', command, timeout };
}

function clients(): readonly Client[] {
  const pre = (client: string) => ({ matcher: '*', hooks: [asks(client, 20)] });
  const before = { matcher: '.*', hooks: [{ name: 'contracts', ...asks('gemini', 20_000) }] };
  return [
    {
      folder: '.claude',
      file: '.claude/settings.json',
      keys: ['hooks', 'PreToolUse'],
      entry: pre('claude'),
    },
    {
      folder: '.gemini',
      file: '.gemini/settings.json',
      keys: ['hooks', 'BeforeTool'],
      entry: before,
    },
    {
      folder: '.codex',
      file: '.codex/hooks.json',
      keys: ['hooks', 'PreToolUse'],
      entry: pre('codex'),
    },
    { file: 'opencode.json', keys: ['plugin'], entry: `./${PLUGIN_FILE}` },
  ];
}

/** No path of this machine: the file is committed. The command is found where it is used, or not asked. */
const PLUGIN_FILE = `${SETTINGS}/opencode-plugin.js`;

export function installHooks(place: Place): CarriedOut {
  const made: string[] = [];
  const added_to: string[] = [];
  const by_hand: ByHand[] = [];
  const { disk } = place.putting;
  if (disk.stat(join(place.root, PLUGIN_FILE)) === undefined) {
    const plugin = disk.read(join(packageFolder(), 'templates/opencode-plugin.js'), TEXT_BYTES_MAX);
    disk.create(join(place.root, PLUGIN_FILE), plugin);
    made.push(PLUGIN_FILE);
  }
  for (const client of clients()) {
    const done = install(place, client);
    if (done === 'made') made.push(client.file);
    else if (done === 'added') added_to.push(client.file);
    else if (done !== 'there') {
      const text = `${client.keys.join('.')}: ${JSON.stringify([client.entry])}`;
      by_hand.push({ file: client.file, text, why: done.why });
    }
  }
  return { made, added_to, by_hand };
}

/** Relative paths of the settings in this project that make a client ask. Nothing is written. */
export function hooksStanding(disk: Disk, root: string): readonly string[] {
  return clients()
    .filter((client) => {
      const text = textAt(disk, join(root, client.file));
      const settings = typeof text === 'string' ? objectOf(commentedJson(text)) : undefined;
      return settings !== undefined && merged(settings, client) === settings;
    })
    .map(({ file }) => file);
}

type Installed = 'made' | 'added' | 'there' | { readonly why: string };

function install({ putting, root }: Place, client: Client): Installed {
  const { disk } = putting;
  const path = join(root, client.file);
  const { folder = '.' } = client;
  const kind = disk.stat(join(root, folder))?.kind ?? 'folder';
  if (kind !== 'folder') return { why: `${folder} is no folder` };
  const text = textAt(disk, path);
  if (text === undefined) {
    makeFolder(disk, join(root, folder));
    disk.create(path, bytesOf(`${JSON.stringify(merged({}, client), null, 2)}\n`));
    return 'made';
  }
  if (typeof text !== 'string') return text;
  const settings = objectOf(commentedJson(text));
  if (settings === undefined) return { why: 'it does not parse as a JSON object' };
  const more = merged(settings, client);
  if (more === undefined) return { why: `its ${client.keys.join('.')} is no list` };
  if (more === settings) return 'there';
  if (!isPlainJson(text)) {
    return { why: 'it has comments or trailing commas, which writing it would lose' };
  }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const end = text.endsWith('\n') ? '\n' : '';
  const bytes = bytesOf(`${JSON.stringify(more, null, indent)}${end}`);
  const put = putIfUnchanged(putting, path, sha256(bytesOf(text)), bytes);
  return put === 'put' ? 'added' : { why: 'somebody else changed it just now' };
}

/** Undefined where there is none. */
function textAt(disk: Disk, path: string): string | { readonly why: string } | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file') return { why: 'it is no plain file' };
  try {
    return Buffer.from(disk.read(path, TEXT_BYTES_MAX)).toString('utf8');
  } catch (error) {
    return { why: `it cannot be read: ${errorCode(error) ?? 'too large'}` };
  }
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function objectOf(value: unknown): Settings | undefined {
  const is = typeof value === 'object' && value !== null && !Array.isArray(value);
  return is ? (value as Settings) : undefined;
}

/** The same value when it is there already; undefined where something else stands in its place. */
function merged(settings: Settings, { keys, entry }: Omit<Client, 'file'>): Settings | undefined {
  const [key = '', ...rest] = keys;
  const held = settings[key];
  if (rest.length > 0) {
    const inner = held === undefined ? {} : objectOf(held);
    const more = inner && merged(inner, { keys: rest, entry });
    if (more === undefined) return undefined;
    return more === held ? settings : { ...settings, [key]: more };
  }
  if (held !== undefined && !Array.isArray(held)) return undefined;
  const list: readonly unknown[] = held ?? [];
  const isThere = list.some((one) => JSON.stringify(one).includes(markOf(entry)));
  return isThere ? settings : { ...settings, [key]: [...list, entry] };
}

function markOf(entry: unknown): string {
  return typeof entry === 'string' ? 'opencode-plugin.js' : 'hook pre-tool-use';
}
