/** agents test: is this agent called as it should be, and what does one call of it take? */
import { dollars } from '../../task/core/attempts/budget.ts';
import { testAgent, type AgentTested } from '../../engine/commands/test-agent.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { unwrapTyped, verb } from '../terminal/verb-context.ts';

export const agentsTest = verb(async (verb, _flags: unknown, name: string) => {
  const { ws, out, frame } = verb;
  const tested = await interruptible((signal) =>
    testAgent(ws, name, { signal, emit: () => undefined }),
  );
  const found = unwrapTyped(verb, tested);
  const { outcome, kept, ...told } = found;
  const used = usedOf(outcome);
  out.data({ v: 1, event: 'agent_tested', ...told, ...used, ...(kept ? { kept } : {}) });
  for (const line of lines(found)) out.say(escapeText(line));
  if (!told.ok) frame.code = EXIT.people;
});

type Used = Pick<
  NonNullable<AgentTested['outcome']>,
  'session' | 'seconds' | 'model' | 'input_tokens' | 'output_tokens' | 'cost_usd'
>;

function usedOf(outcome: AgentTested['outcome']): Used {
  const { session, seconds, model, input_tokens, output_tokens, cost_usd } = outcome ?? {};
  const all = { session, seconds, model, input_tokens, output_tokens, cost_usd };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A line for each thing that can be right or wrong. */
function lines({ agent, adapter, called, ok, why, outcome, kept }: AgentTested): string[] {
  const { session, seconds, input_tokens, output_tokens, cost_usd } = usedOf(outcome);
  const tokens =
    input_tokens === undefined && output_tokens === undefined
      ? []
      : [`tokens   ${input_tokens ?? 0} in, ${output_tokens ?? 0} out`];
  return [
    called ? `called   ${agent} by ${adapter}` : `called   no: ${agent} by ${adapter}`,
    ...(called ? [`session  ${session ?? 'not reported'}`] : []),
    ...(seconds === undefined ? [] : [`took     ${seconds} s`]),
    ...tokens,
    ...(cost_usd === undefined ? [] : [`cost     ${dollars(cost_usd)}`]),
    ok ? 'result   ok' : `result   no: ${why}`,
    ...(kept === undefined ? [] : [`look     ${kept}`]),
  ];
}
