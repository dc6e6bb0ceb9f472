/**
 * Our package as a plugin of a client: its own commands add it and remove it. Some add it for all projects, so a line in
 * the cache says which of them this workspace added; what a person or another workspace added stays.
 */
import { join, resolve } from 'node:path';
import { clientFolders } from '../../clients/adapters/client-folders.ts';
import { names } from '../../clients/core/client-record.ts';
import { CLIENT_TYPES, CLIENTS, PLACES } from '../../clients/core/records.ts';
import { spawnSync } from '../../process/child-process.ts';
import { isInstalled } from '../../process/program.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { programsFor } from '../../workspace/open/workspace.ts';
import { addAll, allOf, textAt, type CarriedOut, type Place } from './add-missing.ts';
import { lines } from './additions.ts';
import { valueIn, withoutValue, withValue } from './json-edit.ts';
import { findAdded, takeBack, type TakenBack } from './take-back.ts';

type At = Pick<Place, 'putting' | 'env' | 'root'>;
type Way = 'add' | 'remove';

const CACHE = `${SETTINGS}/cache`;
const RECORD = `${CACHE}/plugins`;
const TIMEOUT_MS = 120_000;

/** Clients that have such commands, with them. */
const ALL = CLIENT_TYPES.flatMap((type) => {
  const { plugin } = CLIENTS[type];
  return plugin === undefined ? [] : [{ type, plugin }];
});

type Plugged = (typeof ALL)[number];

/** Installed clients that can have the plugin and show no trace of it; none where it would not find `contracts`. */
export function openPlugins(place: Place): readonly Plugged[] {
  const { clients = [], env, root } = place;
  if (!isInstalled('contracts', env['PATH'] ?? '', root)) return [];
  const here = ALL.filter(({ type }) => clients.includes(type));
  return here.filter((one) => !isThere(place, one) && !isTaken(place, one));
}

/** Names of clients that have it, whoever added it: they need no other entry of ours. */
export function pluggedIn(at: At): readonly string[] {
  return ALL.filter((one) => isThere(at, one)).map(({ type }) => type);
}

/** Clients in which this workspace added it. */
export function recordedPlugins(at: At): readonly Plugged[] {
  const held = textIn(at, join(at.root, RECORD)).split('\n');
  return ALL.filter(({ type }) => held.includes(`${type} ${at.root}`));
}

/** Command lines that a person could type. */
export function commandsOf({ type, plugin }: Plugged, way: Way): readonly string[] {
  return plugin[way].map((line) => [type, ...wordsOf(line)].map(shellWord).join(' '));
}

/** Adds it where it is open. `say` is given each command before it runs, and why there is none. */
export function addPlugins(place: Place, say: (words: string) => void): CarriedOut {
  const open = openPlugins(place);
  // The files of one that loads them from the project are among the other additions.
  const isByFiles = CLIENT_TYPES.some((type) => PLACES[type].hook.plugin && place.clients?.includes(type)); // prettier-ignore
  if (open.length === 0 && !isByFiles)
    say(
      'No plugin to add: it needs contracts on the PATH, and a client that has neither it nor a marketplace of its name.',
    );
  return allOf(open.map((one) => addPlugin(place, one, say)));
}

function addPlugin(place: Place, one: Plugged, say: (words: string) => void): CarriedOut {
  const before = localText(place, one);
  for (const line of commandsOf(one, 'add')) say(`runs ${line}`);
  const failed =
    run(place, one, one.plugin.add) ?? (isThere(place, one) ? undefined : 'it is not there');
  if (failed !== undefined) {
    // The first may find nothing to remove.
    for (const line of one.plugin.remove) run(place, one, [line]);
    giveForm(place, one, before);
    return { made: [], added_to: [], by_hand: [byHand(place, one, 'add', failed)] };
  }
  const after = localText(place, one) ?? '';
  const grown = keysOf(one).reduce<string | undefined>(
    (text, key) => text && withValue(text, key, valueIn(after, key)),
    before,
  );
  giveForm(place, one, grown);
  const ignored = { file: `${CACHE}/.gitignore`, text: '*\n' };
  say(`Before its tools are used, ${one.type} ${one.plugin.approval}.`);
  const { by_hand } = addAll(place, [ignored, recordOf(place, one)]);
  const own = one.plugin.local === undefined ? [] : [one.plugin.local.file];
  const [made, added_to] = before === undefined ? [own, []] : [[], own];
  return { made, added_to, by_hand };
}

/** Removes what this workspace added, with its line in the record. Returns what a person must do instead. */
export function removePlugin(place: Place, one: Plugged): TakenBack['by_hand'] {
  const before = localText(place, one) ?? '';
  const failed = isThere(place, one) ? run(place, one, one.plugin.remove) : undefined;
  if (failed !== undefined) return [byHand(place, one, 'remove', failed)];
  const less = keysOf(one).reduce((text, key) => withoutValue(text, key), before);
  giveForm(place, one, less);
  takeBack(place, findAdded(place, [recordOf(place, one)]));
  return [];
}

function byHand({ root }: At, one: Plugged, way: Way, why: string) {
  const there = one.plugin.local === undefined ? [] : [`cd ${shellWord(root)}`];
  const text = [...there, ...commandsOf(one, way)].join('\n');
  return { file: `The plugin of ${one.type}`, text, why };
}

/** Named in settings that hold here. */
function isThere(at: At, one: Plugged): boolean {
  if (inHome(at, one, one.plugin.home.file).includes(one.plugin.home.name)) return true;
  const files = one.plugin.local === undefined ? [] : names(PLACES[one.type].project.json);
  return files.some((file) => textIn(at, join(at.root, file)).includes(one.plugin.home.name));
}

/** A marketplace of its name would be replaced, or removed with ours. */
function isTaken(at: At, one: Plugged): boolean {
  const { market, local } = one.plugin;
  const held = market === undefined ? '' : inHome(at, one, market.file);
  const isShared = local !== undefined && held.includes(JSON.stringify(resolve(packageFolder())));
  return market !== undefined && held.includes(market.name) && !isShared;
}

function inHome(at: At, { type }: Plugged, file: string): string {
  const [home] = clientFolders(type)(at.env);
  return home === undefined ? '' : textIn(at, join(home.path, file));
}

function textIn({ putting: { disk } }: At, path: string): string {
  const text = textAt(disk, path);
  return typeof text === 'string' ? text : '';
}

function localText({ putting: { disk }, root }: At, { plugin }: Plugged): string | undefined {
  const text = plugin.local && textAt(disk, join(root, plugin.local.file));
  return typeof text === 'string' ? text : undefined;
}

const keysOf = ({ plugin: { local } }: Plugged) => (local?.keys ?? []).map((key) => key.split('.'));

/** Clients write their settings whole: the same values in the form of the person take the place of that. */
function giveForm(place: Place, one: Plugged, wanted = ''): void {
  const held = localText(place, one);
  const { file } = one.plugin.local ?? {};
  if (held === undefined || file === undefined) return;
  if (held === wanted || valuesOf(held) !== valuesOf(wanted)) return;
  const text = wanted.trim() === '' ? undefined : wanted;
  takeBack(place, { files: new Map([[file, { held, text }]]), by_hand: [] });
}

/** The values, without the empty objects that a client leaves. */
function valuesOf(text: string): string {
  return JSON.stringify(valueIn(text) ?? {}).replace(/"[^"]+":\{\},?|,"[^"]+":\{\}/g, '');
}

/** With its root: a copy of the folder added nothing. */
function recordOf({ root }: At, { type }: Plugged) {
  return lines(RECORD, `${type} ${root}\n`);
}

function wordsOf(line: string): readonly string[] {
  return names(line).map((word) => word.replace('PACKAGE', () => resolve(packageFolder())));
}

/** Runs commands of the client up to the first that fails; returns why that did. */
function run(at: At, { type, plugin }: Plugged, argvs: readonly string[]): string | undefined {
  const { root, putting, env } = at;
  const { find, path: PATH } = programsFor({ disk: putting.disk, env }, root);
  const program = find(type);
  if (program === undefined) return `${type} is not installed`;
  for (const line of argvs) {
    const { status, stdout, stderr } = spawnSync(program, wordsOf(line), {
      // Settings of the project mean nothing to those that write none there.
      cwd: plugin.local === undefined ? packageFolder() : root,
      env: { ...env, PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    const said = `${stdout}\n${stderr}`.split('\n').filter((text) => text.trim() !== '');
    if (status !== 0) return `${type} ended with ${status ?? 'a signal'}: ${said.at(-1)?.trim()}`;
  }
  return undefined;
}
