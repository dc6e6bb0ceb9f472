/** watch: step when something changes, and every few seconds, until Ctrl-C. */
import { watch as watchTree } from '../../engine/step/watch.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { watchFolder, type Watcher } from '../../task/store/disk/watcher.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { isLively, withLive } from '../output/live-screen.ts';
import { verb, type Verb } from '../terminal/verb-context.ts';
import { keepWaits } from '../output/group-waiting.ts';

interface WatchFlags {
  readonly parallel?: number;
  readonly interval: number;
  readonly poll?: boolean;
}

const ROWS_FREE = 8;
const ROWS_DEFAULT = 24;

export const runs = {
  watch: verb(doWatch),
};

async function doWatch(verb: Verb, flags: WatchFlags): Promise<void> {
  await interruptible((signal) =>
    withLive(verb, async (live) => {
      const { out } = live;
      const board = boardDrawing(live);
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
          emit: waits.emit,
          onReady: (ring) => {
            bell.ring = ring;
          },
          onRest: () => {
            board();
            waits.flush();
          },
        });
      } finally {
        await bell.open?.close();
      }
    }),
  );
  verb.frame.code = EXIT.interrupted;
}

/** At a terminal: what stands where, drawn again when it is not what was drawn last. */
function boardDrawing(live: Verb): () => void {
  const { streams } = live.frame;
  if (live.out.json || !isLively(streams)) return () => undefined;
  let drawn = '';
  return () => {
    const { tasks } = listTasks(live.ws, { states: new Set(LIVE_STATES) });
    const room = Math.max(3, (streams.rows ?? ROWS_DEFAULT) - ROWS_FREE);
    const nothing = (): string => emptyMessage(live.ws, LIVE_STATES, 'board');
    const all = boardLines(boardOf(tasks, LIVE_STATES), screenOf(streams), nothing);
    const lines = all.length <= room ? all : [...all.slice(0, room - 1), '… more: contracts board'];
    const text = lines.join('\n');
    if (text === drawn) return;
    drawn = text;
    live.out.print(`\u001b[2J\u001b[H${text === '' ? 'No live tasks.' : text}\n`);
  };
}
