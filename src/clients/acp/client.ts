/**
 * Our side of the protocol: what an agent can ask of its client, answered by the permissions of the attempt. Reading
 * files and terminals are not offered: an agent reads by itself, and a shell of ours would judge nothing.
 */
import { client, methods, RequestError, type ClientApp } from '@agentclientprotocol/sdk/unstable';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  judgeTool,
  type Judged,
  type Allowed,
  type World,
} from '../../permissions/core/judge-tool.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { questionsOf } from './elicitation.ts';
import { wordsOf } from './failure.ts';
import { answerBy, judgeRequest, mergeTool, toolName } from './permission.ts';
import type { Listener } from './progress.ts';

export interface Desk {
  readonly allowed: Allowed;
  readonly look: World;
  readonly listener: Listener;
  /** Below the root or the desk; throws where the way there is not what it should be. */
  write(path: string, text: string): void;
  /** Puts questions on the desk; false when the agent wrote a file of questions itself. */
  ask(questions: readonly string[]): boolean;
  emit(event: AgentProgress): void;
  /** False while a session is loaded, as an agent then repeats its messages. */
  isLive(): boolean;
  stopping(): boolean;
}

export function makeClient(desk: Desk): ClientApp {
  return client({ name: 'contracts' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      const { toolCall, options } = params;
      await earlierMessages();
      if (desk.stopping()) return { outcome: { outcome: 'cancelled' as const } };
      const tool = mergeTool(desk.listener.tool(toolCall.toolCallId), toolCall);
      const judged = judgeRequest(desk.allowed, tool, desk.look);
      report(desk, toolName(tool), judged);
      return answerBy(options, judged.verdict !== 'deny');
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      writeFor(desk, params.path, params.content);
      return {};
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      const questions = questionsOf(params);
      const put = desk.ask(questions);
      for (const text of questions) desk.emit({ kind: 'question', text });
      const words = 'it asked in its session and also wrote questions.md; the file counts';
      if (!put) desk.emit({ kind: 'line', text: words });
      return { action: 'cancel' as const };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      if (!desk.isLive()) return;
      for (const event of desk.listener.eventsOf(params.update)) desk.emit(event);
    });
}

/** A message reaches its handler some turns of the queue after it came in, so it can come after a later request. */
export function earlierMessages(): Promise<void> {
  return nextTurn();
}

/** The agent gets the words of a refusal, and can do something else. */
function writeFor(desk: Desk, path: string, content: string): void {
  const call = { tool: 'write', input: { path, content } };
  const judged = judgeTool(desk.allowed, call, desk.look);
  report(desk, 'write', judged);
  if (judged.verdict === 'deny') throw RequestError.invalidParams({ path }, judged.why);
  try {
    desk.write(path, content);
  } catch (error) {
    const why = `${path} cannot be written: ${wordsOf(error)}`;
    desk.emit({ kind: 'denied', tool: 'write', why });
    throw RequestError.internalError({ path, details: why });
  }
}

function report(desk: Desk, tool: string, { verdict, why }: Judged): void {
  desk.emit({ kind: 'judged' });
  if (verdict === 'deny') desk.emit({ kind: 'denied', tool, why });
  if (verdict === 'warn') desk.emit({ kind: 'line', text: `let through: ${why}` });
}
