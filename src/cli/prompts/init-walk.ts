/** What `init` proposes: the clients that can be called, settings, files. Writes nothing. */
import { join } from 'node:path';
import { askClients, type FoundClient } from '../../engine/setup/find-clients.ts';
import type { Place } from '../../engine/setup/add-missing.ts';
import {
  additionsOf,
  openProposals,
  PROPOSAL_WORDS,
  type Proposal,
} from '../../engine/setup/offers.ts';
import { openPlugins } from '../../engine/setup/client-plugins.ts';
import { isBlank, settingsFor } from '../../engine/setup/propose-settings.ts';
import { NETWORK, QUESTIONS, type Question } from '../../engine/setup/questions.ts';
import { checksToTry, whyOpen } from '../../engine/setup/try-network.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { isInstalled } from '../../process/program.ts';
import type { Ports, Workspace } from '../../workspace/open/workspace.ts';
import type { Place as Call } from '../terminal/verb-context.ts';
import { interruptible } from '../terminal/interruptible.ts';
import type { Asker } from '../terminal/ask.ts';

/** Others are offered, and not ticked. */
const USUAL = new Set<string>(['settings', 'gitignore', 'gitattributes', 'skills', 'mcp', 'hooks']);

const OWN_WORDS = { settings: 'the settings above', hooks: 'hooks of the clients' };

/** `named`: with `--yes`, instead of the usual ones. Throws Cancelled. */
export async function wantedSettings(
  { ask, out, line }: Call,
  ports: Ports,
  place: Place,
  named: readonly Proposal[] | undefined,
) {
  const { root } = place;
  const asker = (line.flags as { readonly yes?: true }).yes === true ? undefined : ask;
  if (asker !== undefined) out.print('Asking the installed agent clients …');
  const clients = await askClients(ports.env, root);
  for (const { name, words = '' } of clients) out.printWrapped(`  ${name.padEnd(8)}  ${words}`);
  if (clients.length === 0)
    out.print('No agent client is installed here: a script, your own program or you can work.');
  const isOpen = isBlank(ports.disk, root);
  const sure = clients.find(({ login }) => login === 'yes')?.adapter ?? 'shell';
  if (!isOpen && sure !== 'shell' && isForScripts(ports, root))
    out.printWrapped(
      `${sure} is logged in, and no client works here. For all tasks: adapter: ${sure} in .contracts/config.yaml`,
    );
  const chosen = asker !== undefined && isOpen ? await askWho(asker, clients) : { adapter: sure };
  const facts = { ports, root, adapter: chosen.adapter };
  const wanted = isOpen ? await answersOf(asker, facts) : [];
  const lines = [
    ...(isOpen ? settingsFor(ports.disk, root, chosen.adapter, chosen.run) : []),
    ...wanted.flatMap((one) => (one.own ? [] : [one.line, ...(one.with?.(facts) ?? [])])),
  ];
  const own = wanted.filter((one) => one.own === true).map(({ line }) => line);
  if (own.length > 0) out.print(`Into your own settings, for all workspaces: ${own.join(', ')}`);
  if (lines.length > 0) out.print('Settings for .contracts/config.yaml:');
  for (const one of lines) out.print(`  ${one}`);
  const words = { ...PROPOSAL_WORDS, ...OWN_WORDS };
  const hasHooks = clients.length > 0 && isInstalled('contracts', ports.env['PATH'] ?? '', root);
  const offered: readonly (keyof typeof words)[] = [
    ...(lines.length > 0 ? ['settings' as const] : []),
    ...openProposals(place),
    ...(hasHooks ? ['hooks' as const] : []),
  ];
  const usual = offered.filter((one) => USUAL.has(one));
  if (asker !== undefined) printForClients(out, place, offered);
  const choices = offered.map((value) => ({ value, label: words[value] }));
  const taken =
    asker === undefined || offered.length === 0
      ? usual
      : await asker.several('What is written? Space selects, Enter continues.', choices, usual);
  const chose = clients.find(({ adapter }) => adapter === chosen.adapter);
  return {
    agreed: named ?? taken.filter((one) => one !== 'settings' && one !== 'hooks'),
    hooks: taken.includes('hooks'),
    /** Lines of config.yaml. */
    settings: [
      ...(taken.includes('settings') ? lines : []),
      // An answer of the person: without it `do` would choose a client later.
      ...(asker !== undefined && isOpen && chosen.adapter === 'shell' ? ['adapter: shell'] : []),
    ],
    /** Lines of the person's own settings. */
    own,
    clients,
    /** The chosen client, where only a call shows whether it is logged in. */
    untried: chose?.login === 'unknown' ? chosen.adapter : undefined,
  };
}

/** The settings name the shell, or nobody, as the one who works. */
function isForScripts({ disk }: Ports, root: string): boolean {
  const text = textIfThere(disk, join(root, SETTINGS, 'config.yaml')) ?? '';
  const named = /^adapter:[ \t]*["']?([\w-]+)/m.exec(text)?.[1] ?? 'shell';
  return named === 'shell';
}

/** Files of the clients are not ours: what would come into them is seen before it is agreed to. */
function printForClients(out: Call['out'], place: Place, offered: readonly string[]): void {
  if (offered.includes('plugin')) out.print('For the installed clients, plugin:');
  const plugins = offered.includes('plugin') ? openPlugins(place) : [];
  for (const { type, plugin } of plugins)
    for (const line of plugin.add)
      out.print(`  ${type} ${line.replace('PACKAGE', 'THIS-PACKAGE')}`);
  for (const name of ['skills', 'mcp', 'hooks'].filter((one) => offered.includes(one))) {
    const isHooks = name === 'hooks';
    const all = additionsOf(place, isHooks ? [] : [name as Proposal], isHooks);
    out.print(`For the installed clients, ${name}:`);
    for (const { file, text, shows = many(text.split('\n').length - 1, 'line') } of all)
      out.printWrapped(`  ${file}: ${shows}`);
  }
}

/** All that fit at once, each with its default. */
async function answersOf(ask: Asker | undefined, facts: Parameters<Question['fits']>[0]) {
  const fitting = QUESTIONS.filter((one) => one.tried !== true && one.fits(facts));
  const usual = fitting.filter(({ preset }) => preset);
  if (ask === undefined || fitting.length === 0) return usual;
  const choices = fitting.map(({ line, label }) => ({ value: line, label: `${line}: ${label}` }));
  const preset = usual.map(({ line }) => line);
  const taken = await ask.several(
    'Which of these do you want? Space selects, Enter continues.',
    choices,
    preset,
  );
  return fitting.filter(({ line }) => taken.includes(line));
}

/** Lines of config.yaml. Checks may be a stranger's programs: without a yes none runs. */
export async function networkLines({ ask, out }: Call, ws: Workspace): Promise<readonly string[]> {
  const [checks, { line }] = [checksToTry(ws), NETWORK];
  if (checks.length === 0) return [];
  const names = escapeText(checks.join(', '));
  const asked = `Run ${names} in a sandbox without a network, and write ${line} if all pass?`;
  const told = `If these pass without a network, write ${line} into .contracts/config.yaml: ${names}`;
  if (ask === undefined) out.printWrapped(told);
  if ((await ask?.yes(asked, false)) !== true) return [];
  const why = await interruptible((signal) => whyOpen(ws, checks, signal));
  if (why !== undefined) out.printWrapped(`The network stays open: without it ${escapeText(why)}`);
  return why === undefined ? [line] : [];
}

/** Clients that can be called, then what needs none. */
async function askWho(ask: Asker, clients: readonly FoundClient[]) {
  const callable = clients.filter(({ login }) => login !== 'no');
  const adapter = await ask.choose('Who works, where a task names nobody?', [
    ...callable.map(({ name, words }) => ({ value: name as string, label: `${name}: ${words}` })),
    { value: 'shell', label: 'shell: a script in each contract' },
    { value: 'mine', label: 'command: a program of your own' },
    { value: 'human', label: 'human: you; no agent is called' },
  ]);
  if (adapter !== 'mine') return { adapter };
  const words = await ask.text('Which program?', { example: 'node my-agent.mjs' });
  return { adapter, run: words.split(/\s+/) };
}
