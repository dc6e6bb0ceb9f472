/** watch: step when something changes, and every few seconds, until Ctrl-C. */
import { watch as watchTree } from '../../engine/step/watch.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { watchFolder, type Watcher } from '../../task/store/disk/watcher.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { isDraft, makeTally, waitsOf } from '../output/ending.ts';
import { isLively, withLive, type LiveScreen } from '../output/live-screen.ts';
import { verb, type Verb } from '../terminal/verb-context.ts';
import { keepWaits } from '../output/group-waiting.ts';

interface WatchFlags {
  readonly parallel?: number;
  readonly interval: number;
  readonly poll?: boolean;
}

export const runs = {
  watch: verb(doWatch),
};

async function doWatch(verb: Verb, flags: WatchFlags): Promise<void> {
  const tally = makeTally(verb.ws.elapsed_ms);
  await interruptible((signal) =>
    withLive(verb, async ({ out }, foot) => {
      const waits = keepWaits(out);
      const bell: { open?: Watcher | undefined; ring: () => void } = { ring: () => undefined };
      const broken = (error: unknown): void => {
        const why = errorCode(error) ?? 'it failed';
        verb.frame.streams.err(
          `The system no longer reports changes (${escapeText(why)}); watch still looks every ${flags.interval} s.\n`,
        );
      };
      if (flags.poll !== true) {
        bell.open = await watchFolder(verb.ws.layout.tasks, () => bell.ring(), broken);
      }
      const started = { interval_seconds: flags.interval, bell: bell.open !== undefined };
      out.data({ v: 1, event: 'watching', ...started });
      out.print(`Watching; looks at least every ${flags.interval} s. Ctrl-C ends it.`);
      try {
        await watchTree(verb.ws, {
          interval_ms: flags.interval * 1000,
          parallel: flags.parallel,
          signal,
          emit: (event) => {
            tally.event(event);
            if (out.json || isNews(event)) waits.emit(event);
          },
          onReady: (ring) => {
            bell.ring = ring;
          },
          onRest: () => {
            if (foot !== undefined) drawBoard(verb, foot);
            waits.flush();
          },
        });
      } finally {
        await bell.open?.close();
      }
    }),
  );
  const { tasks } = listTasks(verb.ws);
  if (isLively(verb.frame.streams)) {
    for (const line of linesOfBoard(verb, tasks)) verb.out.print(line);
  }
  tally.end(verb.out, waitsOf(tasks), 0);
  verb.frame.code = EXIT.interrupted;
}

/** What a person does not have to know scrolls by on the board. */
function isNews(event: Event): boolean {
  if (event.event !== 'waits') return true;
  return (
    (event.on === 'person' && !isDraft(event)) || ['host', 'time', 'nobody'].includes(event.on)
  );
}

/** One board at the foot, drawn in place; the tasks are listed again after each step. */
function drawBoard(verb: Verb, foot: LiveScreen['foot']): void {
  const { tasks } = listTasks(verb.ws);
  foot((rows) => {
    const all = linesOfBoard(verb, tasks);
    const room = Math.max(3, rows);
    return all.length <= room ? all : [...all.slice(0, room - 1), '… more: contracts board'];
  });
}

function linesOfBoard(verb: Verb, tasks: readonly ListedTask[]): string[] {
  const nothing = (): string => emptyMessage(verb.ws, LIVE_STATES, 'board');
  // A terminal may break the line already when its last column is filled.
  const { cells, limit } = screenOf(verb.frame.streams);
  const screen = { cells: cells - 1, limit: limit - 1 };
  return boardLines(boardOf(tasks, LIVE_STATES), screen, nothing);
}
