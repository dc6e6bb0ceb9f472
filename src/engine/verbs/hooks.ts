/**
 * `init --hooks`: makes the clients ask before each use of a tool, in the settings that they read in a
 * project. What stands there stays; a file that is no plain JSON is left alone, and given by hand.
 */
import { join } from 'node:path';
import { errorCode, type Disk } from '../../store/disk.ts';
import { sha256 } from '../../store/hash.ts';
import { TEXT_BYTES_MAX } from '../../store/layout.ts';
import { putIfUnchanged } from '../../store/put.ts';
import { bytesOf } from '../attempt/running.ts';
import { packageFolder } from '../package-folder.ts';
import type { CarriedOut, Place } from './propose.ts';

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
  const plugin = `file://${packageFolder()}dist/opencode-plugin.js`;
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
    { file: 'opencode.json', keys: ['plugin'], entry: plugin },
  ];
}

export function installHooks(place: Place): CarriedOut {
  const made: string[] = [];
  const added_to: string[] = [];
  const by_hand: { file: string; text: string }[] = [];
  for (const client of clients()) {
    const done = install(place, client);
    if (done === 'made') made.push(client.file);
    if (done === 'added') added_to.push(client.file);
    if (done === 'left') {
      const text = `${client.keys.join('.')}: ${JSON.stringify([client.entry])}`;
      by_hand.push({ file: client.file, text });
    }
  }
  return { made, added_to, by_hand };
}

function install({ putting, root }: Place, client: Client): 'made' | 'added' | 'there' | 'left' {
  const { disk } = putting;
  const path = join(root, client.file);
  const stat = disk.stat(path);
  if (stat === undefined) {
    if (client.folder !== undefined) makeFolder(disk, join(root, client.folder));
    disk.create(path, bytesOf(`${JSON.stringify(merged({}, client), null, 2)}\n`));
    return 'made';
  }
  if (stat.kind !== 'file') return 'left';
  const text = Buffer.from(disk.read(path, TEXT_BYTES_MAX)).toString('utf8');
  const settings = settingsIn(text);
  const more = settings && merged(settings, client);
  if (more === undefined) return 'left';
  if (more === settings) return 'there';
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const end = text.endsWith('\n') ? '\n' : '';
  const bytes = bytesOf(`${JSON.stringify(more, null, indent)}${end}`);
  return putIfUnchanged(putting, path, sha256(bytesOf(text)), bytes) === 'put' ? 'added' : 'left';
}

function settingsIn(text: string): Settings | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
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

function makeFolder(disk: Disk, folder: string): void {
  try {
    disk.mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
