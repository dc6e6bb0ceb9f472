/**
 * The driver, a program of its own (dist/bin/acp.cjs): reads its order from the desk, starts the agent and prints
 * an event a line. Exit 0: the turn is done; 1: it is not, and an error was printed; 143: it was stopped.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode } from '../../task/store/disk/disk.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import type { VerbEffects } from '../../permissions/core/person-commands.ts';
import { startAgent } from './agent-process.ts';
import { renderQuestions } from './elicitation.ts';
import { wordsOf, type Failure } from './failure.ts';
import { diskLook } from './disk-view.ts';
import { orderSchema, type Order } from '../adapters/acp-order.ts';
import { talk } from './session.ts';
import { writeConfined } from './write-file.ts';

/** Version of the package, and effects of verbs as JSON; the bundle writes them in. */
declare const VERSION: string;
declare const EFFECTS: string;

/** The runner kills five seconds after its TERM. */
const CANCEL_PATIENCE_MS = 2_500;
const CLOSE_PATIENCE_MS = 2_000;
const STOPPED = 143;

function emit(event: AgentProgress): void {
  const at = new Date().toISOString();
  process.stdout.write(`${JSON.stringify({ ...event, at })}\n`);
}

async function main(file: string): Promise<number> {
  const order = orderSchema().parse(JSON.parse(readFileSync(file, 'utf8')));
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort());
  }
  let printed: string | undefined;
  const agent = startAgent(order.run, order.root, (line) => {
    process.stderr.write(`| ${line}\n`);
    printed = line.trim() || printed;
  });
  const [root, desk] = [realpathSync(order.root), realpathSync(order.desk)];
  const talked = talk({
    order,
    brief: readFileSync(order.brief_file, 'utf8'),
    version: VERSION,
    input: agent.input,
    output: agent.output,
    desk: {
      allowed: { permissions: order.permissions, root, desk },
      look: { ...diskLook, effects: JSON.parse(EFFECTS) as VerbEffects },
      write: (path, text) => {
        // As it is named, so that a link on the way is found; the desk may be below the root.
        const bases = [order.desk, desk, order.root, root];
        writeConfined(bases, resolve(order.root, path), text);
      },
      ask: asker(order),
    },
    emit,
    ended: () => agent.ended(CLOSE_PATIENCE_MS),
    printed: () => printed,
    stop: stop.signal,
  });
  const failure = await Promise.race([talked, patience(stop.signal)]);
  await agent.close(stop.signal.aborted ? 0 : CLOSE_PATIENCE_MS);
  if (stop.signal.aborted) return STOPPED;
  if (failure !== undefined) emit({ kind: 'error', ...failure });
  emit({ kind: 'end', ok: failure === undefined });
  return failure === undefined ? 0 : 1;
}

/** The driver does not wait for an agent that ignores a cancelled turn. */
function patience(stop: AbortSignal): Promise<Failure> {
  return new Promise((resolve) => {
    const late = (): void => resolve({ what: 'other', text: 'stopped' });
    stop.addEventListener('abort', () => void setTimeout(late, CANCEL_PATIENCE_MS).unref());
  });
}

/** Adds to what it asked before in this attempt. */
function asker(order: Order): (questions: readonly string[]) => boolean {
  const asked: string[] = [];
  return (questions) => {
    const path = join(order.desk, 'questions.md');
    if (asked.length === 0 && existsSync(path)) return false;
    asked.push(...questions);
    writeConfined([order.desk], path, renderQuestions(order.task, asked));
    return true;
  };
}

main(process.argv[2] ?? '').then(
  (code) => process.exit(code),
  (error: unknown) => {
    const missing = errorCode(error) === 'ENOENT' ? 'its order or its brief is missing: ' : '';
    emit({ kind: 'error', what: 'other', text: `${missing}${wordsOf(error)}` });
    emit({ kind: 'end', ok: false });
    process.exit(1);
  },
);
