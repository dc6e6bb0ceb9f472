/** init: the folders of a workspace, and of the optional files only those that a person agreed to. */
import { resolve } from 'node:path';
import { nearest } from '../../task/core/base/nearest.ts';
import { init as initialise, whyNoInit } from '../../engine/setup/init.ts';
import type { Place } from '../../engine/setup/add-missing.ts';
import {
  carryOut,
  findClients,
  openProposals,
  PROPOSAL_WORDS,
  PROPOSALS,
  type Proposal,
} from '../../engine/setup/offers.ts';
import { grantsOf } from '../../trust/grants.ts';
import { trust, whyUntrusted } from '../../trust/trust.ts';
import {
  openWorkspace,
  realPorts,
  type Ports,
  type Workspace,
} from '../../workspace/open/workspace.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { Cancelled } from '../prompts/ask.ts';
import { EXIT, type Frame } from '../terminal/frame.ts';
import type { Output } from '../output/output.ts';
import { Misread } from '../terminal/command-shape.ts';
import { bare, refuse, type Place as Call } from '../terminal/verb-context.ts';

interface InitFlags {
  readonly with?: readonly string[];
  readonly hooks?: true;
}

export const runs = {
  init: bare(doInit),
};

async function doInit(call: Call, flags: InitFlags, folder?: string): Promise<void> {
  let agreed = flags.with && wantedProposals(flags.with);
  const { frame, out, line } = call;
  const ports = { ...realPorts(), ...frame.ports };
  const { disk } = ports;
  const root = resolve(folder ?? line.dir ?? '.');
  const wrong = whyNoInit(disk, root);
  if (wrong.length > 0) refuse(call, wrong);
  const made = initialise(disk, root);
  const putting = { disk, unique: () => ports.machine.nonce() };
  const place: Place = { putting, root, tasks: made.tasks };
  const offered = openProposals(place);
  try {
    agreed ??= await asked(call, offered);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    printMade(out, made.made, []);
    frame.streams.err('Cancelled; nothing else was created.\n');
    frame.code = EXIT.interrupted;
    return;
  }
  const isTrusted = openedHere(frame, root, ports, (ws) => whyUntrusted(ws) === undefined) === true;
  const more = carryOut(place, agreed, { hooks: flags.hooks === true });
  const { by_hand } = more;
  const all = [...new Set([...made.made, ...more.made])];
  const added_to = more.added_to.filter((file) => !all.includes(file));
  const clients = findClients(ports.env['PATH'] ?? '', root);
  const proposals = openProposals(place);
  const isNew = ['.contracts/', `${made.tasks}/`].every((one) => made.made.includes(one));
  if (isNew) trustOwn(frame, root, ports, all);
  else if (isTrusted) trustOwn(frame, root, ports, [...all, ...added_to]);
  const done = { made: all, added_to, by_hand, clients, proposals };
  out.data({ v: 1, event: 'initialised', root, ...done });
  printMade(out, all, added_to);
  for (const { file, text, why } of by_hand) {
    const because = why === undefined ? '' : `: ${why}`;
    out.print(`${file} was not changed${because}; add this yourself:`);
    out.print(escapeText(text, { multiline: true }));
  }
  if (clients.length > 0) {
    const names = clients.map(({ name }) => name).join(', ');
    const called = clients.map(({ adapter }) => `adapter: ${adapter}`).join(', ');
    out.print(`found on PATH: ${names}; called by ${called}`);
  }
  if (flags.with === undefined && agreed.length === 0 && proposals.length > 0) {
    out.print(`Optional, not created: contracts init --with ${proposals.join(',')}`);
  }
  if (made.made.length > 0) {
    const others = `--adapter ${clients[0]?.adapter ?? 'human'}, or --sh "commands"`;
    const isOpen = openedHere(frame, root, ports, (ws) => whyUntrusted(ws) !== undefined) === true;
    if (isOpen)
      out.print('Existing settings start programs; review and trust them: contracts trust');
    out.print(`Next: contracts new "What you want" ${others}`);
  }
}

/** The folders alone, in a folder without a workspace; trusted, since nothing was there. Answers its root. */
export function makeWorkspace(frame: Frame, dir: string): string {
  const ports = { ...realPorts(), ...frame.ports };
  const { root, made } = initialise(ports.disk, resolve(dir));
  trustOwn(frame, root, ports, made);
  return root;
}

/** Only what was made now is trusted: what was there before may be a stranger's. */
function trustOwn(frame: Frame, root: string, ports: Ports, files: readonly string[]): void {
  openedHere(frame, root, ports, (ws) => {
    trust(
      ws,
      grantsOf(ws).filter(({ file = '' }) => files.includes(file)),
    );
  });
}

function openedHere<T>(
  { capabilities }: Frame,
  root: string,
  ports: Ports,
  look: (ws: Workspace) => T,
): T | undefined {
  const opened = openWorkspace({ capabilities, dir: root, ports });
  return opened.ok && opened.value.layout.root === root ? look(opened.value) : undefined;
}

function printMade(out: Output, made: readonly string[], added_to: readonly string[]): void {
  if (made.length + added_to.length === 0) {
    out.print('Everything is there already; nothing was changed.');
    return;
  }
  for (const path of made.filter((one) => !/archive\/\.git|\.gitkeep$/.test(one)))
    out.print(`made ${path}`);
  for (const path of added_to) out.print(`added lines to ${path}`);
  out.print('');
  out.print(
    'Commit .contracts/, and active_tasks/ too if you like; git leaves desks and logs out.',
  );
}

async function asked({ ask }: Call, offered: readonly Proposal[]): Promise<readonly Proposal[]> {
  if (ask === undefined || offered.length === 0) return [];
  const choices = offered.map((value) => ({ value, label: PROPOSAL_WORDS[value] }));
  return ask.several('What else? Space selects, Enter continues; none is fine.', choices);
}

function wantedProposals(given: readonly string[]): readonly Proposal[] {
  const names = given.map((one) => one.trim());
  const known = new Set<string>(PROPOSALS);
  if (names.includes('all')) return PROPOSALS;
  const odd = names.find((one) => !known.has(one));
  if (odd !== undefined) {
    const near = nearest(odd, PROPOSALS);
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new Misread(
      `error: option '--with <what>' argument '${given.join(',')}' is invalid. ${odd} is none of ${PROPOSALS.join(', ')}, all.${meant}`,
      'commander.invalidArgument',
    );
  }
  return [...new Set(names as Proposal[])];
}
