/** Words of init for what it made, what it left, and what comes next. */
import type { serversOf } from '../../engine/setup/offers.ts';
import type { LineData } from '../../engine/core/events/command-lines.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { openQuestion } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Output } from './output.ts';

type Done = Omit<LineData<'initialised'>, 'v' | 'event' | 'root'>;

interface Asked {
  /** Clients that have the server of tools from now on, with what each asks before it is used. */
  readonly approvals: ReturnType<typeof serversOf>;
  /** A person was asked what is written. */
  readonly isAsked: boolean;
  /** The call named what is written. */
  readonly isNamed: boolean;
}

export function printDone(out: Output, done: Done, { approvals, isAsked, isNamed }: Asked): void {
  const { made, added_to, by_hand, clients, proposals } = done;
  printMade(out, made, added_to);
  if (approvals.length > 0) out.print('Before the tools of the server are used:');
  for (const { type, approval } of approvals) out.printWrapped(`  ${type} ${approval}.`);
  for (const { file, text, why } of by_hand) {
    const because = why === undefined ? '' : `: ${why}`;
    out.print(`${file} was not changed${because}; add this yourself:`);
    out.print(escapeText(text, { multiline: true }));
  }
  if (clients.length > 0 && !isAsked) {
    const names = clients.map(({ name }) => name).join(', ');
    const use = 'contracts init --yes uses one that is logged in for all tasks';
    out.print(`found on PATH: ${names}. ${use}`);
  }
  if (!isAsked && !isNamed && proposals.length > 0)
    out.print(`Optional, not created: contracts init --with ${proposals.join(',')}`);
}

function printMade(out: Output, made: readonly string[], added_to: readonly string[]): void {
  if (made.length + added_to.length === 0) {
    out.print('Everything that fits here is there already; nothing was changed.');
    return;
  }
  for (const path of made.filter((one) => !/archive\/\.git|\.gitkeep$/.test(one)))
    out.print(`made ${path}`);
  for (const path of added_to) out.print(`added lines to ${path}`);
  out.print('');
  out.printWrapped(
    'Commit .contracts/ with its public keys in .contracts/keys/, and active_tasks/ too if you like; git leaves desks and logs out.',
  );
}

export function printNext(
  out: Output,
  now: Workspace | undefined,
  settings: readonly string[],
  adapter = 'human',
): void {
  const question = now && openQuestion(now);
  if (question !== undefined) {
    const starts = question.more.some(({ usual }) => !question.first || usual !== true);
    const what = starts
      ? 'Existing settings start programs'
      : 'Existing contracts can start programs';
    out.print(`${what}; review and trust them: contracts trust`);
  }
  const isSet = settings.some((one) => /^adapter: (?!shell$)/.test(one));
  const others = `--adapter ${adapter}, or --sh "commands"`;
  out.print(
    isSet ? 'Next: contracts do "What you want"' : `Next: contracts new "What you want" ${others}`,
  );
}
