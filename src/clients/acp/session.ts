/**
 * One talk with an agent over the protocol: initialize, its session (an earlier one or a new one), model and mode,
 * one prompt. A stop asks the agent to cancel its turn and waits for nothing else.
 */
import {
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientContext,
  type InitializeResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  type SessionConfigOption,
  type SessionModeState,
} from '@agentclientprotocol/sdk/unstable';
import type { AgentProgress } from '../../process/adapter.ts';
import { earlierMessages, makeClient, type Desk } from './client.ts';
import { failureOf, failureOfStop, wordsOf, type Circumstance, type Failure } from './failure.ts';
import type { Order } from '../adapters/acp-order.ts';
import { makeListener, usageOf } from './progress.ts';

/** Clients that fetch their parts at the first start need a minute and a half. */
const INITIALIZE_MS = 180_000;

export interface Talk {
  readonly order: Order;
  readonly brief: string;
  readonly version: string;
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  readonly desk: Pick<Desk, 'allowed' | 'look' | 'write' | 'ask'>;
  emit(event: AgentProgress): void;
  /** How the agent's process ended, where it did; waited for when the connection is closed. */
  ended(): Promise<string | undefined>;
  /** The last line on its stderr. */
  printed(): string | undefined;
  readonly stop: AbortSignal;
}

/** undefined: it did its turn. */
export async function talk(given: Talk): Promise<Failure | undefined> {
  const { order, emit, stop } = given;
  let phase: Circumstance['phase'] = 'initialize';
  let garbage: string | undefined;
  let logins: readonly string[] = [];
  let isLive = true;
  const listener = makeListener();
  const app = makeClient({
    ...given.desk,
    listener,
    emit,
    isLive: () => isLive,
    stopping: () => stop.aborted,
  });
  const odd = (line: string): void => {
    garbage ??= line;
    emit({ kind: 'line', text: `printed outside the protocol: ${line.slice(0, 500)}` });
  };
  const stream = ndJsonStream(given.input, given.output.pipeThrough(messagesOnly(odd)));
  try {
    return await app.connectWith(stream, async (agent) => {
      const hello = await initialize(agent, given.version);
      if (hello.protocolVersion !== PROTOCOL_VERSION) return otherVersion(hello);
      logins = (hello.authMethods ?? []).map(({ name }) => name);
      phase = 'session';
      isLive = false;
      const session = await openSession(agent, given, hello);
      await earlierMessages();
      isLive = true;
      emit({ kind: 'session', id: session.id });
      for (const what of ['model', 'mode'] as const) {
        const wanted = order[what];
        const refused =
          wanted === undefined ? undefined : await choose(agent, session, what, wanted);
        if (refused !== undefined) return refused;
      }
      phase = 'prompt';
      const response = await prompt(agent, given, session.id);
      await earlierMessages();
      for (const event of listener.end()) emit(event);
      const usage = usageOf(response, listener.cost_usd());
      if (usage !== undefined) emit(usage);
      return failureOfStop(response.stopReason);
    });
  } catch (error) {
    for (const event of listener.end()) emit(event);
    const ended = await given.ended();
    return failureOf(error, { phase, garbage, ended, printed: given.printed(), logins });
  }
}

async function initialize(agent: ClientContext, version: string): Promise<InitializeResponse> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const words = `no answer in ${INITIALIZE_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(words)), INITIALIZE_MS);
  });
  const hello = agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'contracts', version },
    clientCapabilities: {
      // Agents that let us read fail at files that are not there yet.
      fs: { readTextFile: false, writeTextFile: true },
      terminal: false,
      elicitation: { form: {} },
    },
  });
  try {
    return await Promise.race([hello, late]);
  } finally {
    clearTimeout(timer);
  }
}

function otherVersion(hello: InitializeResponse): Failure {
  const theirs = `it speaks version ${hello.protocolVersion} of ACP`;
  return { what: 'other', text: `${theirs}, and we speak version ${PROTOCOL_VERSION}` };
}

async function openSession(agent: ClientContext, { order, emit }: Talk, hello: InitializeResponse) {
  const place: NewSessionRequest = { cwd: order.root, mcpServers: [] };
  const { session } = methods.agent;
  if (order.session !== undefined) {
    const earlier = { ...place, sessionId: order.session };
    const can = hello.agentCapabilities;
    try {
      const resumes = Boolean(can?.sessionCapabilities?.resume);
      if (resumes || can?.loadSession === true) {
        const way = resumes ? session.resume : session.load;
        return sessionOf(order.session, await agent.request(way, earlier));
      }
      emit({ kind: 'line', text: 'it cannot load sessions, so this is a new one' });
    } catch (error) {
      const why = wordsOf(error);
      emit({ kind: 'line', text: `session ${order.session} cannot be loaded (${why}): a new one` });
    }
  }
  const made = await agent.request(methods.agent.session.new, place);
  return sessionOf(made.sessionId, made);
}

function sessionOf(id: string, made: Pick<NewSessionResponse, 'modes' | 'configOptions'>): Session {
  return { id, modes: made.modes ?? undefined, options: made.configOptions ?? [] };
}

async function prompt(agent: ClientContext, { brief, stop }: Talk, sessionId: string) {
  const cancel = (): void => {
    agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
  };
  const turn = agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: brief }],
  });
  if (stop.aborted) cancel();
  stop.addEventListener('abort', cancel, { once: true });
  try {
    return await turn;
  } finally {
    stop.removeEventListener('abort', cancel);
  }
}

const NEWLINE = 0x0a;
const BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0d, 0x20]);
const ODD_BYTES_MAX = 2000;

/** Lets only possible messages of the protocol through; any other line of an agent is reported. */
export function messagesOnly(odd: (line: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let line: 'begins' | 'message' | 'odd' = 'begins';
  let kept: number[] = [];
  const endLine = (): void => {
    if (line === 'odd') odd(Buffer.from(kept).toString('utf8').trimEnd());
    kept = [];
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0;
        if (line === 'begins' && byte !== NEWLINE && !BLANKS.has(byte)) {
          line = byte === BRACE ? 'message' : 'odd';
          from = at;
        }
        if (line === 'odd' && byte !== NEWLINE && kept.length < ODD_BYTES_MAX) kept.push(byte);
        if (byte !== NEWLINE) continue;
        if (line === 'message') controller.enqueue(chunk.slice(from, at + 1));
        endLine();
        line = 'begins';
      }
      if (line === 'message') controller.enqueue(chunk.slice(from));
    },
    flush: endLine,
  });
}

interface Session {
  readonly id: string;
  readonly modes: SessionModeState | undefined;
  readonly options: readonly SessionConfigOption[];
}

/**
 * Sets the model or the mode of a session; undefined when it is set, or was so already. A choice that the agent does
 * not offer ends the talk: another model would cost other money, and another mode would not ask for permission.
 */
async function choose(
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
