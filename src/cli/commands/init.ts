/** init: the folders of a workspace, and of the optional files only those that a person agreed to. */
import { join, resolve } from 'node:path';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { askClients, findClients } from '../../engine/setup/find-clients.ts';
import { journaled } from '../../workspace/open/journal.ts';
import { init as initialise, tasksOf, whyNoInit } from '../../engine/setup/init.ts';
import { allOf, type Place } from '../../engine/setup/add-missing.ts';
import { addPlugins, pluggedIn } from '../../engine/setup/client-plugins.ts';
import { isBlank } from '../../engine/setup/propose-settings.ts';
import {
  carryOut,
  openProposals,
  PROPOSALS,
  serversOf,
  unplugged,
  type Proposal,
} from '../../engine/setup/offers.ts';
import { addOwn } from '../../engine/setup/questions.ts';
import { grantsOf } from '../../trust/grants.ts';
import { trust, whyUntrusted } from '../../trust/trust.ts';
import {
  openWorkspace,
  realPorts,
  type Ports,
  type Workspace,
} from '../../workspace/open/workspace.ts';
import { findRepository, isRepository } from '../../workspace/open/repository.ts';
import { STATES } from '../../task/core/model/state.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Frame } from '../terminal/frame.ts';
import { printDone, printNext } from '../output/init-words.ts';
import { Misread } from '../terminal/command-shape.ts';
import {
  refuseUse,
  bare,
  openIfThere,
  refuse,
  type Place as Call,
} from '../terminal/verb-context.ts';
import { testOne } from './agents.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

interface InitFlags {
  readonly with?: readonly string[];
  readonly hooks?: true;
  readonly yes?: true;
  readonly remove?: true;
}

export const runs = {
  init: bare(doInit),
};

async function doInit(call: Call, flags: InitFlags, folder?: string): Promise<void> {
  const named = flags.with && wantedProposals(flags.with);
  const { frame, out, line } = call;
  const ports = { ...realPorts(), ...frame.ports };
  const root = resolve(folder ?? line.dir ?? '.');
  if (folder === undefined && line.dir !== undefined && ports.disk.stat(root) === undefined)
    refuseUse(call, 'this folder does not exist', 'Make it: contracts init FOLDER', root);
  const wrong = whyNoInit(ports.disk, root);
  if (wrong.length > 0) refuse(call, wrong);
  const tasks = tasksOf(ports.disk, root);
  const disk = journaled(ports, { root, tasks: join(root, tasks) });
  const putting = { disk, unique: () => ports.machine.nonce() };
  const found = findClients(ports.env['PATH'] ?? '', root);
  const names = found.map(({ name }) => name);
  const at: Place = { putting, env: ports.env, root, tasks, clients: names };
  const place: Place = { ...at, plugged: pluggedIn(at) };
  if (flags.remove === true) {
    const { removeAdded } = await import('../prompts/init-remove.ts');
    const isAsked = flags.yes !== true;
    const wanted = { agreed: named, hooks: flags.hooks === true, isAsked };
    return removeAdded(call, ports, at, wanted);
  }
  out.print(`Workspace: ${root}${insideWords(ports, root)}`);
  const asks = flags.yes === true || (named === undefined && call.ask !== undefined);
  const wanted = asks
    ? await (await import('../prompts/init-walk.ts')).wantedSettings(call, ports, place, named)
    : undefined;
  const isNew = isBare(frame, root, ports);
  const made = initialise(disk, root);
  const before = openedHere(frame, root, ports);
  const isTrusted = before !== undefined && whyUntrusted(before) === undefined;
  const {
    agreed = named ?? [],
    hooks = false,
    settings = [],
    own = [],
    clients = found,
  } = wanted ?? {};
  const say = (words: string): void => out.print(escapeText(words));
  const plugins = agreed.includes('plugin') ? addPlugins(place, say) : undefined;
  const now: Place = { ...at, plugged: pluggedIn(at) };
  const carried = carryOut(now, agreed, { hooks: hooks || flags.hooks === true, settings });
  const more = allOf([...(plugins ? [plugins] : []), carried]);
  for (const words of addOwn(ports, putting.unique, own)) say(words);
  const { by_hand } = more;
  const all = [...new Set([...made.made, ...more.made])];
  const added_to = more.added_to.filter((file) => !all.includes(file));
  const proposals = openProposals(now);
  if (isNew) trustOwn(frame, root, ports, [...all, CONFIG]);
  else if (isTrusted) trustOwn(frame, root, ports, [...all, ...added_to]);
  const done = { made: all, added_to, by_hand, clients, proposals };
  out.data({ v: 1, event: 'initialised', root, ...done });
  printDone(out, done, {
    approvals: agreed.includes('mcp') ? serversOf(unplugged(now)) : [],
    isAsked: wanted !== undefined,
    isNamed: named !== undefined,
  });
  if (before !== undefined && (isNew || asks)) {
    const { networkLines } = await import('../prompts/init-walk.ts');
    const ask = asks && !flags.yes ? call.ask : undefined;
    const settings = await networkLines({ ...call, ask }, before);
    const { added_to: grown } = carryOut(place, [], { hooks: false, settings });
    for (const path of grown) out.print(`added network: agents to ${path}`);
    if (isNew || isTrusted) trustOwn(frame, root, ports, grown);
  }
  const usable = clients.find(({ login }) => login !== 'no');
  if (made.made.length > 0)
    printNext(out, openedHere(frame, root, ports), settings, usable?.adapter);
  if (wanted?.untried) await tryOnce({ ...call, line: { ...line, dir: root } }, wanted.untried);
}

/** Its own status call does not tell whether it is logged in; a call of its model may cost something. */
async function tryOnce(call: Call, name: string): Promise<void> {
  const ask = (call.line.flags as InitFlags).yes ? undefined : call.ask;
  const wants = await ask?.yes(`Is ${name} logged in? Try it with one tiny call?`);
  const opened = wants === true ? openIfThere(call) : undefined;
  if (opened !== undefined) await testOne(opened, {}, name);
  else call.out.print(`Try it with one tiny call: contracts agents test ${name}`);
}

/** Words for a folder inside a project: a person may have meant its top. */
function insideWords(ports: Ports, root: string): string {
  const found = findRepository(ports, root);
  if (!isRepository(found) || found.top === root) return '';
  return `, inside the git repository ${found.top}. For all of it: contracts init ${shellWord(found.top)}`;
}

/** Makes the folders and, where no agent is named, chooses a client. Returns what it did, in words. */
export async function makeWorkspace(frame: Frame, dir: string, named: boolean): Promise<string> {
  const [ports, root] = [{ ...realPorts(), ...frame.ports }, resolve(dir)];
  const isNew = isBare(frame, root, ports);
  const { made, tasks } = initialise(ports.disk, root);
  if (isNew) trustOwn(frame, root, ports, [...made, CONFIG]);
  const settings = named ? [] : await chooseClient(frame, root);
  const added = made.filter((one) => [CONFIG, `${tasks}/`].includes(one)).join(', ');
  const words = made.includes(`${SETTINGS}/`)
    ? `made a workspace in ${root}`
    : `added ${added} to ${root}`;
  return [words, ...settings].join(', with ');
}

/**
 * Writes a client that is logged in into the settings of a trusted workspace that nobody has used or set up since
 * it was made. Returns the line.
 */
export async function chooseClient(frame: Frame, dir: string): Promise<readonly string[]> {
  const [ports, root] = [{ ...realPorts(), ...frame.ports }, resolve(dir)];
  const ws = openedHere(frame, root, ports);
  if (ws === undefined || !isUnused(ws) || whyUntrusted(ws) !== undefined) return [];
  const clients = await askClients(ports.env, root);
  frame.logged_out = clients.flatMap(({ name, login }) => (login === 'no' ? name : []));
  const client = clients.find(({ login }) => login === 'yes')?.adapter;
  if (client === undefined) return [];
  const settings = [`adapter: ${client}`];
  const putting = { disk: ports.disk, unique: () => ports.machine.nonce() };
  const place = { putting, env: ports.env, root, tasks: tasksOf(ports.disk, root) };
  const { made, added_to } = carryOut(place, [], { hooks: false, settings });
  trustOwn(frame, root, ports, [...made, ...added_to]);
  return made.length + added_to.length === 0 ? [] : settings;
}

/** Names that `init` makes among the settings; nothing in these says who works. */
const OF_INIT = new Set(['config.yaml', 'archive', 'keys', 'schemas']);

/** No settings, a person's own included, no agent and no task, archived ones included. */
function isUnused({ disk, layout, config }: Workspace): boolean {
  const { root, tasks } = layout;
  const shownIn = (folder: string) =>
    listOrNothing(disk, folder).filter(({ name }) => !name.startsWith('.'));
  const isSet = config.adapter !== 'shell' || !isBlank(disk, root);
  const more = shownIn(join(root, SETTINGS)).filter(({ name }) => !OF_INIT.has(name));
  const used = [join(root, SETTINGS, 'archive'), ...STATES.map((state) => join(tasks, state))];
  return !isSet && more.length === 0 && used.every((folder) => shownIn(folder).length === 0);
}

const CONFIG = `${SETTINGS}/config.yaml`;

/** No task, and at most settings that start nothing: a person may have begun it by hand. */
function isBare(frame: Frame, root: string, ports: Ports): boolean {
  const ws = openedHere(frame, root, ports);
  if (ws === undefined) return true;
  const held = listOrNothing(ws.disk, join(root, SETTINGS));
  const hasMore = held.some(({ name }) => name !== 'config.yaml') || ws.disk.stat(ws.layout.tasks);
  const grants = grantsOf(ws).filter(({ file, usual }) => file === CONFIG && usual !== true);
  return !hasMore && grants.length + Object.keys(ws.config.checks).length === 0;
}

/** Only what was made now is trusted: what was there before may be a stranger's. */
function trustOwn(frame: Frame, root: string, ports: Ports, files: readonly string[]): void {
  const ws = openedHere(frame, root, ports);
  if (ws === undefined) return;
  const own = grantsOf(ws).filter(({ file = '' }) => files.includes(file));
  trust(ws, own);
}

function openedHere({ capabilities }: Frame, root: string, ports: Ports): Workspace | undefined {
  const opened = openWorkspace({ capabilities, dir: root, ports });
  return opened.ok && opened.value.layout.root === root ? opened.value : undefined;
}

function wantedProposals(names: readonly string[]): readonly Proposal[] {
  const known = new Set<string>(PROPOSALS);
  // The plugin is beyond this folder: it is named, or not added.
  if (names.includes('all')) return PROPOSALS.filter((one) => one !== 'plugin');
  const odd = names.find((one) => !known.has(one));
  if (odd !== undefined) {
    const meant = ` ${didYouMean(odd, PROPOSALS)}`.trimEnd();
    const message = `error: option '--with <what>' argument '${names.join(',')}' is invalid. ${odd} is none of ${PROPOSALS.join(', ')}, all.${meant}`;
    throw new Misread(message, 'commander.invalidArgument');
  }
  return [...new Set(names as Proposal[])];
}
