/** The clients opened in a terminal: the headless call without what makes it headless. Pure. */
import type { AgentCall, Invocation } from '../../process/adapter.ts';
import { promptOf } from '../calls/client-call.ts';
import { CLIENTS, type ClientType } from '../core/records.ts';

export function conversation(
  type: ClientType,
  call: AgentCall,
  headless: Invocation,
  run: readonly string[],
): Invocation {
  const { headless: left_out, prompt: named, resumes } = CLIENTS[type].talk;
  const prompt = promptOf(call);
  const kept: string[] = [];
  const rest = headless.argv.slice(run.length);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    const after = Object.hasOwn(left_out, word) ? left_out[word] : undefined;
    if (after !== undefined) at += after;
    else if (word === 'approval_policy="never"') kept.push('approval_policy="on-request"');
    else if (word !== prompt) kept.push(word);
  }
  // The prompt is the subcommand's own argument.
  const resumed = resumes !== undefined && kept[0] === resumes ? kept.splice(0, 2) : [];
  // In front: options that take several words would swallow it at the end.
  const first = [named ?? [], prompt].flat();
  return { ...headless, argv: [...run, ...resumed, ...first, ...kept] };
}
