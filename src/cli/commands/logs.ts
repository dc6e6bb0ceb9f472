/** logs: what an attempt printed, and with -f what it prints. */
import { attemptWords, readLogs, type LogsOptions } from '../../engine/queries/logs.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { onAnyTask } from '../prompts/which-task.ts';
import { unwrap, type Verb } from '../terminal/verb-context.ts';

type LogsFlags = Pick<LogsOptions, 'follow' | 'attempt' | 'raw'> & { readonly lines?: number };

export const runs = {
  logs: onAnyTask<LogsFlags>('contracts logs ID', showLogs),
};

async function showLogs(verb: Verb, id: string, flags: LogsFlags): Promise<void> {
  const { out, frame } = verb;
  // As `tail` does, but on stderr: stdout has the agent's lines alone.
  const tell = (line: string): unknown => !out.json && frame.streams.err(`${line}\n`);
  const { found } = await interruptible(async (signal) => {
    const value = unwrap(
      verb,
      await readLogs(verb.ws, id, {
        ...flags,
        last: flags.lines,
        signal,
        onAttempt: (one, all) =>
          void tell(`==> attempt ${one.number} of ${all}, ${escapeText(attemptWords(one))} <==`),
        onLine: (attempt, text) => {
          out.data({ v: 1, event: 'output', task: id, attempt, text: plain(text) });
          out.print(escapeText(plain(text)));
        },
      }),
    );
    if (signal.aborted) frame.code = EXIT.interrupted;
    return value;
  });
  if (!found) tell(`${id} has printed nothing. See: contracts show ${id}`);
}

/** Without colours and cursor moves; of a line that was overwritten, its last state. */
function plain(line: string): string {
  // oxlint-disable-next-line no-control-regex
  const bare = line.replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '').replace(/\r+$/, '');
  return bare.slice(bare.lastIndexOf('\r') + 1);
}
