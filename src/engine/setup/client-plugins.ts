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
import { fields, isFields } from '../../task/core/base/json.ts';
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
export function typedOf({ type }: Plugged, argvs: readonly string[]): readonly string[] {
  return argvs.map((line) => [type, ...wordsOf(line)].map(shellWord).join(' '));
}

/** Adds it where it is open. `say` is given each command before it runs, and why there is none. */
export function addPlugins(place: Place, say: (words: string) => void): CarriedOut {
  const open = openPlugins(place);
  const known = ALL.filter(({ type }) => place.clients?.includes(type));
  for (const one of known)
    if (isThere(place, one)) say(`${one.type} has the plugin already.`);
    else if (isTaken(place, one)) say(`${one.type} has another marketplace of this name.`);
  if (open.length === 0 && known.every((one) => !isThere(place, one) && !isTaken(place, one)))
    if (!CLIENT_TYPES.some((type) => PLACES[type].hook.plugin && place.clients?.includes(type)))
      say('No plugin to add: it needs contracts on the PATH, and an installed client.');
  return allOf(open.map((one) => addPlugin(place, one, say)));
}

function addPlugin(place: Place, one: Plugged, say: (words: string) => void): CarriedOut {
  const before = localText(place, one);
  for (const line of typedOf(one, one.plugin.add)) say(`runs ${line}`);
  for (const [i, line] of one.plugin.add.entries()) {
    const isLast = i === one.plugin.add.length - 1;
    const gone = isLast && !isThere(place, one) ? 'it is not there' : undefined;
    const failed = run(place, one, line) ?? (isThere(place, one) ? undefined : gone);
    if (failed === undefined) continue;
    // The commands remove in the opposite order. One that failed may have left it half there, or done nothing.
    const { remove } = one.plugin;
    const undone = isThere(place, one) ? remove : i === 0 ? [] : remove.slice(-i);
    for (const undo of undone) run(place, one, undo);
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

/** Command lines that remove it here: none where it is gone, and not the marketplace that other projects use. */
export function removalsOf(at: At, one: Plugged): readonly string[] {
  const { projects, remove, home } = one.plugin;
  if (projects === undefined) return isThere(at, one) ? remove : [];
  const held = valueIn(inHome(at, one, projects), ['plugins', home.name]);
  const paths = (Array.isArray(held) ? held : []).map((entry) => fields(entry)['projectPath']);
  const others = paths.filter((path) => path !== at.root);
  return [
    ...(paths.includes(at.root) ? remove.slice(0, 1) : []),
    ...(paths.length > 0 && others.length === 0 ? remove.slice(1) : []),
  ];
}

/** Removes what this workspace added, with its line in the record. Returns what a person must do instead. */
export function removePlugin(place: Place, one: Plugged): TakenBack['by_hand'] {
  const before = localText(place, one) ?? '';
  for (const line of removalsOf(place, one)) {
    const failed = run(place, one, line);
    if (failed !== undefined) return [byHand(place, one, 'remove', failed)];
  }
  const held = localText(place, one) ?? '';
  giveForm(place, one, withoutKeys(one, before), withoutKeys(one, held));
  takeBack(place, findAdded(place, [recordOf(place, one)]));
  return [];
}

const withoutKeys = (one: Plugged, text: string): string =>
  keysOf(one).reduce((less, key) => withoutValue(less, key), text);

function byHand({ root }: At, one: Plugged, way: Way, why: string) {
  const there = one.plugin.local === undefined ? [] : [`cd ${shellWord(root)}`];
  const text = [...there, ...typedOf(one, one.plugin[way])].join('\n');
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
  // A key of TOML may be quoted.
  const plain = market?.file.endsWith('.toml') ? held.replaceAll(/["']/g, '') : held;
  return market !== undefined && plain.includes(market.name) && !isShared;
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

/**
 * Clients write their settings whole: the same values in the form of the person take the place of that. `now`: the text
 * that stands for what is held.
 */
function giveForm(place: Place, one: Plugged, wanted = '', now?: string): void {
  const held = localText(place, one);
  const { file } = one.plugin.local ?? {};
  if (held === undefined || file === undefined) return;
  const own = now ?? held;
  const form = valuesOf(own) === valuesOf(wanted) ? wanted : own;
  if (held === form) return;
  const text = valuesOf(form) === '[]' && wanted.trim() === '' ? undefined : form;
  takeBack(place, { files: new Map([[file, { held, text }]]), by_hand: [] });
}

/** The values in one order, without the empty objects that a client leaves at the top. */
function valuesOf(text: string): string {
  const sorted = (value: unknown): unknown =>
    isFields(value)
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)])
      : Array.isArray(value)
        ? value.map(sorted)
        : value;
  const all = Object.entries(fields(valueIn(text))).filter(
    ([, value]) => !isFields(value) || Object.keys(value).length > 0,
  );
  return JSON.stringify(sorted(Object.fromEntries(all)));
}

/** With its root: a copy of the folder added nothing. */
function recordOf({ root }: At, { type }: Plugged) {
  return lines(RECORD, `${type} ${root}\n`);
}

function wordsOf(line: string): readonly string[] {
  return names(line).map((word) => word.replace('PACKAGE', () => resolve(packageFolder())));
}

/** Runs a command of the client; returns why it failed. */
function run(at: At, { type, plugin }: Plugged, line: string): string | undefined {
  const { root, putting, env } = at;
  const { find, path: PATH } = programsFor({ disk: putting.disk, env }, root);
  const program = find(type);
  if (program === undefined) return `${type} is not installed`;
  const { status, stdout, stderr } = spawnSync(program, wordsOf(line), {
    // Settings of the project mean nothing to those that write none there.
    cwd: plugin.local === undefined ? packageFolder() : root,
    env: { ...env, ...plugin.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const said = `${stdout}\n${stderr}`.split('\n').filter((text) => text.trim() !== '');
  return status === 0
    ? undefined
    : `${type} ended with ${status ?? 'a signal'}: ${said.at(-1)?.trim()}`;
}
