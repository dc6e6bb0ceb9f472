/**
 * Sets the model and the mode of a session. What the agent does not offer ends the talk: another model would cost
 * other money, and another mode would not ask for permission.
 */
import {
  methods,
  type ClientContext,
  type SessionConfigOption,
  type SessionModeState,
} from '@agentclientprotocol/sdk/unstable';
import type { Failure } from './failure.ts';

export interface Session {
  readonly id: string;
  readonly modes: SessionModeState | undefined;
  readonly options: readonly SessionConfigOption[];
}

/** undefined when it is set, or was so already. */
export async function choose(
  agent: ClientContext,
  session: Session,
  what: 'model' | 'mode',
  wanted: string,
): Promise<Failure | undefined> {
  const option = session.options.find((one) => one.category === what || one.id === what);
  const choices = choicesOf(option);
  const choice =
    choices.find(({ value }) => value === wanted) ?? choices.find(({ name }) => name === wanted);
  if (option !== undefined && choice !== undefined) {
    if (option.currentValue === choice.value) return undefined;
    await agent.request(methods.agent.session.setConfigOption, {
      sessionId: session.id,
      configId: option.id,
      value: choice.value,
    });
    return undefined;
  }
  const modes = what === 'mode' ? (session.modes?.availableModes ?? []) : [];
  if (modes.some(({ id }) => id === wanted)) {
    if (session.modes?.currentModeId === wanted) return undefined;
    await agent.request(methods.agent.session.setMode, { sessionId: session.id, modeId: wanted });
    return undefined;
  }
  const offered = [...choices.map(({ value }) => value), ...modes.map(({ id }) => id)];
  const list = offered.length === 0 ? `no ${what} to choose` : offered.slice(0, 20).join(', ');
  const text = `${what} ${wanted} is not offered by this agent; it has ${list}`;
  return { what: what === 'model' ? 'model' : 'other', text };
}

function choicesOf(option: SessionConfigOption | undefined) {
  if (option?.type !== 'select') return [];
  return option.options.flatMap((one) => ('options' in one ? one.options : one));
}
