/** plan new: makes a contract for the plan agent. Its path goes to stdout, the rest to stderr. */
import { squadData } from '../../squads/cli/squad-text.ts';
import { askForPlan } from '../engine/start/request-plan.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import {
  refuseUse,
  confirmNext,
  printCreated,
  unwrapTyped,
  verb,
} from '../../cli/terminal/verb-context.ts';

interface Flags {
  readonly squad?: readonly string[];
  readonly name?: string;
  readonly id?: string;
}

export const newPlan = verb(
  (verb, { squad: named = [], ...rest }: Flags, words: readonly string[]) => {
    const { ws, out, frame } = verb;
    const request = words.join(' ');
    if (request.trim() === '') {
      const fix = 'Describe what you want: contracts plan new "a newsletter for our customers"';
      refuseUse(verb, 'there is nothing to plan', fix);
    }
    const squads = named.filter((one) => one !== '');
    const asked = unwrapTyped(verb, askForPlan(ws, { request: request.trim(), squads, ...rest }));
    const { created, choice, plan } = asked;
    printCreated(verb, created);
    squadData(out, { v: 1, event: 'squad_choice', ...choice });
    if (out.json) return;
    const sure = choice.how === 'inferred' ? `, ${Math.round(choice.confidence * 100)} % sure` : '';
    const why = choice.how === 'explicit' ? '' : ` (${choice.how}${sure}: ${choice.why})`;
    const { err } = frame.streams;
    const also = squads.slice(1).map((one) => `, with sections for ${one}`);
    err(`${escapeText(`For the squad ${choice.name}${why}${also.join('')}.`)}\n`);
    err(`Next: ${confirmNext(verb, created)}, contracts run, `);
    err(`and once it is done: contracts plan start ${plan}\n`);
  },
);
