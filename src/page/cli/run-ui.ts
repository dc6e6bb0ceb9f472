/** The server of the page, until Ctrl-C; a part of its own, as few calls need it. */
import { openWorkspace, type Workspace } from '../../workspace/open/workspace.ts';
import { dataOf } from '../../cli/output/output.ts';
import { interruptible } from '../../cli/terminal/interruptible.ts';
import type { Verb } from '../../cli/terminal/verb-context.ts';
import { isLively } from '../../cli/output/live-screen.ts';
import { EXIT } from '../../cli/terminal/frame.ts';
import { spawn } from '../../process/child-process.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { callerIn } from '../../cli/startup/verbs-here.ts';
import type { lines } from '../core/page-lines.ts';
import { newsOf } from '../engine/news.ts';
import { serve, type Serving } from '../engine/serve.ts';
import { boardReader, siteOf } from '../engine/site.ts';

const pageData = dataOf<typeof lines>();

export interface UiFlags {
  readonly port?: number;
  readonly open?: boolean;
  readonly readOnly?: boolean;
}

/** Returns why it could not begin, or undefined when it was ended: a refusal is thrown where the command catches it. */
export async function runUi(
  verb: Verb,
  { port = 0, open = true, readOnly = false }: UiFlags,
): Promise<string | undefined> {
  const { ws, out, frame } = verb;
  const again = opener(verb);
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  };
  const ticks = { now_ms: ws.elapsed_ms, after };
  const news = await newsOf(ws.layout.tasks, boardReader(again), ticks);
  let serving: Serving;
  try {
    serving = await serve(siteOf(again, news, callerIn(ws.layout.root), !readOnly), port);
  } catch (error) {
    await news.close();
    return `port ${port} cannot be used (${errorCode(error) ?? 'an error'})`;
  }
  const { url } = serving;
  pageData(out, { v: 1, event: 'serving', url, read_only: readOnly });
  out.print(`The page is at ${url}`);
  out.print(
    `Only this machine and only this address open it${readOnly ? '; it changes nothing' : ''}. Ctrl-C ends it.`,
  );
  if (open && isLively(frame.streams)) openIn(ws, serving.once());
  await interruptible((signal) => new Promise((ended) => signal.addEventListener('abort', ended)));
  await Promise.all([serving.close(), news.close()]);
  frame.code = EXIT.interrupted;
  return undefined;
}

/** Settings may have changed since the last look. */
function opener({ ws, frame }: Verb): () => Workspace {
  return () => {
    const { ports, capabilities } = frame;
    const opened = openWorkspace({ reads: true, ports, capabilities, dir: ws.layout.root });
    if (opened.ok) return opened.value;
    throw new Fault('workspace', opened.problems[0]?.message ?? 'it is gone', {
      fix: 'See contracts check',
    });
  };
}

/** At a desk of this machine alone: elsewhere the address is enough. */
function openIn(ws: Workspace, url: string): void {
  const { env } = ws;
  const isHere =
    env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? (process.platform === 'darwin' ? 'mac' : '');
  if (isHere === '' || env['SSH_CONNECTION'] !== undefined) return;
  const program = ws.programs.find(process.platform === 'darwin' ? 'open' : 'xdg-open');
  if (program === undefined) return;
  const stdio = ['ignore', 'ignore', 'ignore'] as const;
  const child = spawn(program, [url], { cwd: '/', env, detached: true, stdio });
  child.on('error', () => undefined);
  child.unref();
}
