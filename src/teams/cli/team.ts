/** The verbs below team. */
import { durationMs } from '../../task/core/base/duration.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { startPlan } from '../../plans/cli/plan.ts';
import { planData } from '../../plans/cli/plan-argument.ts';
import { planFileOf } from '../../plans/engine/start/find-plans.ts';
import { takeName } from '../../plans/engine/start/request-plan.ts';
import { unfinishedPlan } from '../../plans/engine/start/unstarted.ts';
import { writePlan } from '../../plans/engine/start/write-plan.ts';
import { factLines } from '../../cli/output/catalog-text.ts';
import { dataOf } from '../../cli/output/output.ts';
import { columns, screenOf, wrap } from '../../cli/output/text-width.ts';
import {
  refuseUse,
  misused,
  refuse,
  unwrapTyped,
  verb,
  type Verb,
} from '../../cli/terminal/verb-context.ts';
import { runNow } from '../../cli/commands/step.ts';
import { NAMED, type Team } from '../core/teams.ts';
import type { lines } from '../core/team-lines.ts';
import { gather } from '../../engine/queries/gather.ts';
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { STATES } from '../../task/core/model/state.ts';
import { chooseTeam, teamOfPlan, teamsOf } from '../engine/teams.ts';
import { membersOf, ROUNDS_MAX, sizeOf, TASKS_MAX, teamPlan } from '../text/team-plan.ts';

const teamData = dataOf<typeof lines>();
/** Rounds of a discussion: to say something, and to answer the others. */
const ROUNDS_DEFAULT = 2;
const BEFORE_SECTIONS = /^[^]*?\n(?=## (?!Success Criteria))/;

interface Flags {
  readonly agents?: readonly string[];
  readonly rounds?: number;
  readonly timeout?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly run?: boolean;
}

const list = verb(({ ws, out, frame }) => {
  const teams = teamsOf(ws);
  for (const team of teams) printData(out, team);
  const rows = teams.map((team) => {
    const ids = membersOf({ team }).map(({ id }) => id);
    return [team.name, team.description, ids.join(', ')];
  });
  const { limit } = screenOf(frame.streams);
  for (const line of columns(rows, [{}, { least: 20, most: 60 }, { least: 16 }], limit)) {
    out.print(line);
  }
  out.print('\nMore about one: contracts team show NAME');
});

function printData(out: Verb['out'], team: Team): void {
  const { name, description } = team;
  teamData(out, { v: 1, event: 'team', name, description, members: [...membersOf({ team })] });
}

const show = verb(async (verb, _flags: unknown, name: string) => {
  const { out, frame } = verb;
  const own = tasksOf(verb, name);
  if (own.length > 0) return printFound(verb, own);
  const { limit } = screenOf(frame.streams);
  const team = teamOf(verb, name);
  printData(out, team);
  for (const line of factLines(team, [], limit)) out.print(line);
  for (const { id, agent, duty, sections } of membersOf({ team })) {
    for (const line of wrap(`  ${id}: ${duty} (${agent}: ${sections})`, limit, 4)) out.print(line);
  }
  out.print(`\nBegin: contracts team start ${name} "what it is about"`);
});

/** Tasks of a team that was started. */
function tasksOf({ ws }: Verb, plan: string): readonly ListedTask[] {
  const all = listTasks(ws, { plans: [plan], states: new Set(STATES) }).tasks;
  return all.filter(({ workflow }) => workflow?.startsWith('team-'));
}

/** Results of the members of a team, the synthesis first. */
async function printFound({ ws, out }: Verb, tasks: readonly ListedTask[]): Promise<void> {
  const first = tasks.toSorted((a, b) => +(b.phase === 'synthesis') - +(a.phase === 'synthesis'));
  const ids = first.map(({ id }) => id);
  const now = { signal: AbortSignal.abort(), timeout_ms: 0, onWait: () => Promise.resolve() };
  const found = await gather(ws, ids, now);
  out.data({ v: 1, event: 'gathered', ...found });
  for (const one of [...found.completed, ...found.pending]) {
    const text = 'result' in one ? `\n\n${one.result.replace(BEFORE_SECTIONS, '')}\n` : '';
    out.print(escapeText(`${one.id}  ${one.state}: ${one.reason}${text}`, { multiline: true }));
  }
}

function teamOf(verb: Verb, name: string): Team {
  const teams = teamsOf(verb.ws);
  const names = teams.map((one) => one.name);
  const fix = didYouMean(name, names).trim() || `Name one: ${names.join(', ')}`;
  const found = teams.find((one) => one.name === name);
  return found ?? refuseUse(verb, 'there is no such team', fix, name);
}

/** With commas in it, the names of its agents. */
function teamNamed(verb: Verb, name: string, flags: Flags): [Team, Flags] {
  const agents = name.split(',').map((one) => one.trim());
  if (agents.length === 1) return [teamOf(verb, name), flags];
  if (flags.agents === undefined) return [NAMED, { ...flags, agents }];
  return refuseUse(verb, 'its agents are named twice', 'Name them in one place', name);
}

const start = verb((verb, flags: Flags, name: string, words: readonly string[]) =>
  startTeam(verb, words, ...teamNamed(verb, name, flags)),
);

const discuss = verb((verb, given: Flags, name: string, words: readonly string[]) => {
  const flags = { rounds: ROUNDS_DEFAULT, ...given };
  const started = teamOfPlan(verb.ws, name);
  const [team, all] = started ? [started, flags] : teamNamed(verb, name, flags);
  return startTeam(verb, words, team, all);
});

const auto = verb((verb, flags: Flags, words: readonly string[]) => {
  const request = words.join(' ').trim();
  const choice = chooseTeam(verb.ws, request);
  teamData(verb.out, { v: 1, event: 'team_choice', ...choice });
  const sure =
    choice.how === 'inferred' ? `${Math.round(choice.confidence * 100)} % sure` : 'default';
  verb.out.print(escapeText(`team: ${choice.name} (${sure}: ${choice.why})`));
  return startTeam(verb, words, teamOf(verb, choice.name), flags);
});

async function startTeam(verb: Verb, words: readonly string[], team: Team, flags: Flags) {
  const { ws, out } = verb;
  const request = words.join(' ').trim();
  const { agents, rounds = 1, timeout } = flags;
  const wanted = { team, task: request, agents, rounds: flags.rounds, timeout };
  const size = sizeOf(wanted);
  const wrong =
    request === ''
      ? misused('there is no task', 'Say what it is about, in quotes')
      : timeout !== undefined && durationMs(timeout) === undefined
        ? misused('--timeout is not a time', 'Write one such as 90s or 10m', timeout)
        : rounds < 1 || rounds > ROUNDS_MAX
          ? misused(`a discussion has 1 to ${ROUNDS_MAX} rounds`, 'Write --rounds 2', `${rounds}`)
          : size > TASKS_MAX
            ? misused(`a team has at most ${TASKS_MAX} tasks`, 'Name fewer agents', `${size}`)
            : undefined;
  if (wrong !== undefined) refuse(verb, [wrong]);
  const text = teamPlan(wanted);
  if (flags.dryRun === true) return out.print(text.trimEnd());
  const begun = unfinishedPlan(ws, text, flags.name);
  const plan = begun ?? unwrapTyped(verb, takeName(ws, { request, name: flags.name }));
  const file = planFileOf(ws, plan);
  if (begun === undefined) {
    writePlan(ws, plan, text);
    planData(out, { v: 1, event: 'plan_written', plan, file });
  }
  out.print(out.path(file));
  await startPlan(verb, plan, false, flags.run);
  if (flags.run !== true) return out.print(`What they find: contracts team show ${plan}`);
  await runNow(verb, true, undefined, { plan: [plan] });
  await printFound(verb, tasksOf(verb, plan));
}

export const runs = {
  'team list': list,
  'team show': show,
  'team start': start,
  'team auto': auto,
  'team discuss': discuss,
};
