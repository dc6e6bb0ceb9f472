/** doctor: what is wrong with the tree, and what this machine can do. */
import type { Command } from 'commander';
import { CLIENT_TYPES } from '../../agent/adapters/client-type.ts';
import { clientVersions } from '../../engine/verbs/client-versions.ts';
import { doctorTask, doctor as examine } from '../../engine/verbs/doctor.ts';
import { findTask } from '../../engine/verbs/find-task.ts';
import type { Double } from '../../engine/verbs/two-states.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { screenOf, wrap } from '../layout.ts';
import { example, idOf, open, unwrap } from '../verb.ts';

export function doctor(command: Command, frame: Frame): void {
  command
    .argument('[id]', 'only this task; its deliverables are compared with their receipt')
    .option('--fix', 'mend what can be mended without losing anything')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts doctor --fix\ncontracts doctor ID'))
    .action(async (typed: string | undefined, flags: { fix?: boolean }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const fix = flags.fix === true;
      const id = typed === undefined ? undefined : idOf(verb, typed);
      const task = id === undefined ? undefined : unwrap(verb, findTask(verb.ws, id));
      if (typed !== undefined && task === undefined) return;
      const found =
        task === undefined
          ? examine(verb.ws, { fix, versions: await clientVersions(verb.ws, CLIENT_TYPES) })
          : doctorTask(verb.ws, task, { fix });
      for (const line of found.fixed) {
        verb.out.data({ v: 1, event: 'fixed', text: line });
        verb.out.tell(`fixed  ${escapeText(line)}`);
      }
      for (const problem of found.problems) verb.out.problem(problem);
      for (const { id, sides, differs } of found.doubles) {
        verb.out.data({ v: 1, event: 'double', task: id, sides, differs });
        for (const line of doubleLines({ id, sides, differs })) verb.out.say(escapeText(line));
      }
      for (const ability of found.abilities) {
        verb.out.data({ v: 1, event: 'ability', ...ability });
        const line = `${ability.holds ? 'yes' : 'no '}  ${ability.name.padEnd(16)} ${escapeText(ability.means)}`;
        for (const part of wrap(line, screenOf(frame.streams).limit, 22)) verb.out.say(part);
      }
      const whole = id === undefined ? 'the tree' : id;
      if (found.problems.length === 0) verb.out.say(`Nothing is wrong with ${whole}.`);
      if (found.problems.some((one) => one.severity === 'error')) frame.code = EXIT.people;
    });
}

/** Both sides, what brought them there, and how either would be kept. */
function doubleLines({ id, sides, differs }: Double): string[] {
  const told = sides.map(({ state, reached, commit, newest }) => {
    const by =
      commit === undefined
        ? 'not known to git'
        : `${commit.hash} "${commit.subject}" of ${commit.at}${commit.branch === '' ? '' : `, branch ${commit.branch}`}`;
    return `  ${state.padEnd(11)} ${reached}; ${by}${newest ? '; the newer one' : ''}`;
  });
  const shown = differs.length > 8 ? [...differs.slice(0, 8), '…'] : differs;
  return [
    `${id} stands in ${sides.length} states:`,
    ...told,
    shown.length === 0 ? '  both hold the same files' : `  ${shown.join('; ')}`,
    ...sides.map(({ state, command }) => `  to keep ${state}: ${command}`),
  ];
}
