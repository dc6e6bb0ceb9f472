/** doctor: what is wrong with the tree, and what this machine can do; or a step that takes over from a machine that is gone. */
import { CLIENT_TYPES } from '../../clients/core/records.ts';
import { clientVersions } from '../../engine/queries/client-versions.ts';
import { usedAdapters } from '../../engine/doctor/client-faults.ts';
import { doctorTask, doctor as examine } from '../../engine/doctor/doctor.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import type { Double } from '../../engine/doctor/duplicate-task.ts';
import { whoAt } from '../../task/core/attempts/counters.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { examinedByAll } from '../../workspace/tasks/capability.ts';
import { EXIT } from '../terminal/frame.ts';
import { doStep } from './step.ts';
import { stepWords } from '../output/live.ts';
import { screenOf, wrap } from '../output/text-width.ts';
import { idOf, refuseUse, unwrap, verb } from '../terminal/verb-context.ts';

export const runs = {
  doctor: verb(async (verb, flags: { fix?: boolean; recover?: unknown }, typed?: string) => {
    const { ws, out, frame } = verb;
    const { fix = false } = flags;
    if (flags.recover !== undefined) {
      if (fix || typed !== undefined)
        refuseUse(verb, '--recover takes nothing else', 'Type: contracts doctor --recover HOST');
      return doStep(verb, { only: [] });
    }
    const task = typed === undefined ? undefined : unwrap(verb, findTask(ws, idOf(verb, typed)));
    const used = usedAdapters(ws, task);
    const asked = task === undefined ? [...CLIENT_TYPES, ...used] : used;
    const versions = await clientVersions(ws, asked, { logins: used });
    const options = { fix, versions };
    const more = task === undefined ? await examinedByAll(ws) : [];
    const found = task === undefined ? examine(ws, options) : doctorTask(ws, task, options);
    for (const text of found.fixed) {
      out.data({ v: 1, event: 'fixed', text });
      out.printWrapped(`fixed  ${escapeText(text)}`);
    }
    const problems = [...found.problems, ...more.flatMap((one) => one.problems)];
    for (const problem of problems) out.problem(problem);
    if (found.signed !== '') {
      out.data({ v: 1, event: 'signed', text: found.signed });
      out.printWrapped(`signed  ${escapeText(found.signed)}`);
    }
    for (const { id, sides, differs } of found.doubles) {
      out.data({ v: 1, event: 'double', task: id, sides, differs });
      for (const line of doubleLines({ id, sides, differs })) out.print(escapeText(line));
    }
    for (const ability of [...found.abilities, ...more.flatMap((one) => one.abilities)]) {
      out.data({ v: 1, event: 'ability', ...ability });
      const line = `${ability.holds ? 'yes' : 'no '}  ${ability.name.padEnd(16)} ${escapeText(ability.means)}`;
      for (const part of wrap(line, screenOf(frame.streams).limit, 22)) out.print(part);
    }
    const { tasks } = listTasks(ws, { states: new Set(['in_progress']) });
    for (const one of tasks.filter(({ id }) => task === undefined || id === task.id)) {
      if (one.step === undefined) continue;
      out.data({ v: 1, event: 'task', ...one });
      out.print(`at work  ${whoAt(one.id, one.machine)}  ${stepWords(one)}`.trimEnd());
    }
    const whole = task === undefined ? 'the tree' : task.id;
    if (problems.length === 0) out.print(`Nothing is wrong with ${whole}.`);
    if (problems.some((one) => one.severity === 'error')) frame.code = EXIT.people;
  }),
};

function doubleLines({ id, sides, differs }: Double): string[] {
  const shown = sides.map(({ state, reached, commit, newest }) => {
    const by =
      commit === undefined
        ? 'not known to git'
        : `${commit.hash} "${commit.subject}" of ${commit.at}${commit.branch === '' ? '' : `, branch ${commit.branch}`}`;
    return `  ${state.padEnd(11)} ${reached}; ${by}${newest ? '; the newer one' : ''}`;
  });
  const files = differs.length > 8 ? [...differs.slice(0, 8), '…'] : differs;
  return [
    `${id} is in ${sides.length} states:`,
    ...shown,
    files.length === 0 ? '  both hold the same files' : `  ${files.join('; ')}`,
    ...sides.map(({ state, command }) => `  to keep ${state}: ${command}`),
  ];
}
