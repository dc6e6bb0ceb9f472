/** The verbs below squad. */
import { formatProblem } from '../../task/core/model/problem.ts';
import { askForSquad, hiddenBy, newSquad, type SquadWish } from '../engine/new-squad.ts';
import { chooseSquad } from '../core/squad-inference.ts';
import { checkSquads, squadRows, squadStory } from '../engine/list-squads.ts';
import { squadsOf } from '../engine/registry.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../../cli/terminal/frame.ts';
import { many } from '../../task/core/base/plural.ts';
import { screenOf } from '../../cli/output/text-width.ts';
import { squadData, squadLines, squadStoryLines } from './squad-text.ts';
import {
  confirmNext,
  printCreated,
  unwrap,
  unwrapTyped,
  verb,
} from '../../cli/terminal/verb-context.ts';

const list = verb(({ ws, out, frame }, flags: { for?: string }) => {
  if (flags.for !== undefined) {
    const choice = chooseSquad(flags.for, squadsOf(ws).all());
    squadData(out, { v: 1, event: 'squad_choice', ...choice });
    const sure = choice.how === 'inferred' ? ` (${Math.round(choice.confidence * 100)} %)` : '';
    out.print(escapeText(`${choice.name}${sure}: ${choice.why}`));
    return;
  }
  const rows = squadRows(ws);
  for (const problem of squadsOf(ws).allProblems()) out.problem(problem);
  for (const row of rows) squadData(out, { v: 1, event: 'squad', ...row });
  for (const line of squadLines(rows, screenOf(frame.streams).limit)) out.print(line);
});

const show = verb((verb, _flags: unknown, name: string) => {
  const { out } = verb;
  const found = squadStory(verb.ws, name);
  const isTypo = !found.ok && found.problems[0]?.code === 'unknown_squad';
  const story = (isTypo ? unwrapTyped : unwrap)(verb, found);
  for (const problem of story.problems) if (!out.json) out.problem(problem);
  squadData(out, { v: 1, event: 'squad_story', ...story });
  const { limit } = screenOf(verb.frame.streams);
  for (const line of squadStoryLines(story, limit)) out.print(line);
});

const check = verb((verb, _flags: unknown, name?: string) => {
  const { out, frame } = verb;
  const found = unwrap(verb, checkSquads(verb.ws, name));
  const { squads, problems } = found;
  squadData(out, { v: 1, event: 'squads_checked', ...found });
  for (const problem of problems) out.printWrapped(escapeText(formatProblem(problem)));
  const wrong = problems.length === 0 ? 'all is well' : many(problems.length, 'problem');
  out.print(`${many(squads.length, 'squad')}: ${wrong}.`);
  if (problems.some(({ severity }) => severity === 'error')) frame.code = EXIT.people;
});

const make = verb((verb, _flags: unknown, name: string) => {
  const { ws, out, frame } = verb;
  const hidden = hiddenBy(ws, name);
  const made = unwrap(verb, newSquad(ws, name));
  squadData(out, { v: 1, event: 'squad_made', ...made });
  if (hidden !== undefined) {
    const instead = `${name} now means this squad alone; it replaces ${hidden}.`;
    frame.streams.err(`${escapeText(instead)}\n`);
  }
  for (const file of made.made) out.print(out.path(file));
  frame.streams.err(`Next: describe what its agents do, then contracts squad check ${name}\n`);
});

const create = verb((verb, flags: SquadWish, domain: string) => {
  const made = unwrap(verb, askForSquad(verb.ws, domain, flags));
  printCreated(verb, made);
  if (!verb.out.json) verb.frame.streams.err(`Next: ${confirmNext(verb, made)}\n`);
});

export const runs = {
  'squad list': list,
  'squad show': show,
  'squad check': check,
  'squad new': make,
  'squad create': create,
};
