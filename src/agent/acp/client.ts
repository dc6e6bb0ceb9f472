/**
 * Our side of the protocol: what an agent may ask of its client, answered by the authority of the
 * attempt. It may ask for a permission, let us write a file, and put questions. Reading files and
 * terminals are not offered: an agent reads by itself, and a shell of ours would judge nothing.
 */
import {
  client,
  methods,
  RequestError,
  type ClientApp,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { AgentProgress } from '../adapter.ts';
import { questionsOf } from './elicitation.ts';
import { wordsOf } from './failure.ts';
import { judgePath, type Grounds } from './paths.ts';
import { answerBy, judgeTool, mergeTool, toolName } from './permission.ts';
import type { Listener } from './progress.ts';

export interface Desk {
  readonly grounds: Grounds;
  readonly listener: Listener;
  /** Of two folders, both walked without following links. */
  write(base: string, inner: string, text: string): void;
  read(path: string): string | undefined;
  /** Puts questions on the desk; false when the agent wrote a file of questions itself. */
  ask(questions: readonly string[]): boolean;
  emit(event: AgentProgress): void;
  /** What was said before a session is loaded is not said again. */
  hears(): boolean;
  stopping(): boolean;
}

export function makeClient(desk: Desk): ClientApp {
  return client({ name: 'contracts' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      const { toolCall, options } = params;
      await earlierMessages();
      if (desk.stopping()) return { outcome: { outcome: 'cancelled' as const } };
      const tool = mergeTool(desk.listener.tool(toolCall.toolCallId), toolCall);
      const { allowed, why } = judgeTool(desk.grounds, tool);
      tell(desk, toolName(tool), allowed, why);
      return answerBy(options, allowed);
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      writeFor(desk, params.path, params.content);
      return {};
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      const questions = questionsOf(params);
      const put = desk.ask(questions);
      for (const text of questions) desk.emit({ kind: 'question', text });
      if (!put) {
        desk.emit({ kind: 'line', text: 'it asked, and wrote a questions.md itself: that counts' });
      }
      return { action: 'cancel' as const };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      if (desk.hears()) listen(desk, params.update);
    });
}

/**
 * A message is given to its handler some turns of the queue after it came in, and how many is up to
 * its method: what was told before a request may be heard only after it.
 */
export function earlierMessages(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function listen(desk: Desk, update: SessionUpdate): void {
  for (const event of desk.listener.hear(update)) desk.emit(event);
}

/** The words go to the agent, which can do something else then. */
function writeFor(desk: Desk, path: string, content: string): void {
  const old = desk.read(path);
  const grows = old !== undefined && old !== '' && content.startsWith(old);
  const judged = judgePath(desk.grounds, { path, kind: 'write', grows });
  if (!judged.allowed) {
    tell(desk, 'write', !judged.strong, judged.why);
    if (judged.strong) throw RequestError.invalidParams({ path }, judged.why);
  }
  try {
    desk.write(judged.base, judged.inner, content);
  } catch (error) {
    const why = `${path} cannot be written: ${wordsOf(error)}`;
    desk.emit({ kind: 'denied', tool: 'write', why });
    throw RequestError.internalError({ path, details: why });
  }
}

function tell(desk: Desk, tool: string, allowed: boolean, why: string): void {
  if (!allowed) desk.emit({ kind: 'denied', tool, why });
  else if (why !== '') desk.emit({ kind: 'line', text: `let through: ${why}` });
}
