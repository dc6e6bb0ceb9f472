/** `contracts` alone at a terminal, while it is open: what is looked up, drawn, and done for a key. */
import { basename } from 'node:path';
import { countTasks } from '../../engine/queries/count-by-state.ts';
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { readLogs } from '../../engine/queries/logs.ts';
import { searchTasks } from '../../engine/queries/search.ts';
import { storyOf } from '../../engine/queries/show.ts';
import { watchFolder, type Watcher } from '../../task/store/disk/watcher.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { pauseWords } from '../../workspace/open/pause-file.ts';
import { width } from '../output/text-width.ts';
import { inPager, patchWords } from '../prompts/look-closer.ts';
import type { Streams } from '../streams/streams.ts';
import { EXIT } from '../terminal/frame.ts';
import { attempted, unwrap, type Verb } from '../terminal/verb-context.ts';
import { pressed, type Deed, type Key, type TaskDeed } from './board-keys.ts';
import { boardScreen } from './board-lines.ts';
import { changed, NO_BOARD, sectionsOf, type Board } from './board-state.ts';
import { asItIsNow, eachChange } from './each-change.ts';
import { openBoardTerminal } from './board-terminal.ts';

export { eachChange };

const TICK_MS = 1000;
const TICKS_TO_LOOK = 5;
const REST_MS = 150;

/** Lasts until the board is left. */
export async function atBoard(verb: Verb): Promise<void> {
  const { streams } = verb.frame;
  let { ws } = verb;
  let board: Board = NO_BOARD;
  let [isBusy, rest_ms, ticks] = [false, REST_MS, 0];
  let rings: NodeJS.Timeout | undefined;
  let [end, fail] = [(_code: number): void => undefined, (_error: unknown): void => undefined];
  const ended = new Promise<number>((done, failed) => ([end, fail] = [done, failed]));
  const draw = (): void => {
    const now = ws.machine.now();
    const { columns, rows } = sizeOf(streams);
    // A terminal may break the line already when its last column is filled.
    const cells = Math.max(1, columns - 1);
    terminal.draw(boardScreen(board, { cells, rows, now, name: basename(ws.layout.root) }));
  };
  const follow = follower((id, line) => {
    board = { ...board, printed: new Map(board.printed).set(id, line) };
  });
  const look = (): void => {
    const began_ms = ws.elapsed_ms();
    ws = asItIsNow(verb);
    board = changed(board, newsOf(ws, board.words));
    rest_ms = Math.max(REST_MS, 5 * (ws.elapsed_ms() - began_ms));
    follow(ws, sectionsOf(board).work);
    draw();
  };
  const orFail = (work: () => unknown): void => void Promise.resolve().then(work).catch(fail);
  const ring = (): void => {
    rings ??= setTimeout(() => {
      rings = undefined;
      if (terminal.isOn()) orFail(look);
    }, rest_ms);
  };
  const act = async (deed: Deed): Promise<void> => {
    isBusy = true;
    if (deed.does === 'quit') return end(EXIT.fine);
    if (deed.does === 'suspend') terminal.suspend();
    if (deed.does === 'redraw') terminal.resized();
    const says = 'task' in deed ? await done({ ...verb, ws }, deed, terminal.leave) : board.says;
    board = { ...board, says };
    terminal.enter();
    look();
    isBusy = false;
  };
  const onKey = (key: Key): void => {
    if (isBusy) return;
    const [next, deed] = pressed(board, key);
    board = next;
    draw();
    if (deed !== undefined) orFail(() => act(deed));
  };
  const onEnd = (): void => end(EXIT.interrupted);
  const terminal = openBoardTerminal(streams, { onKey, onResize: draw, onEnd });
  const timer = setInterval(() => (++ticks % TICKS_TO_LOOK === 0 ? ring() : draw()), TICK_MS);
  let bell: Watcher | undefined;
  try {
    terminal.enter();
    look();
    bell = await watchFolder(ws.layout.tasks, ring, () => undefined);
    // For what changed before it was heard.
    ring();
    verb.frame.code = await ended;
  } finally {
    terminal.close();
    [timer, rings].forEach(clearTimeout);
    follow(ws, []);
    await bell?.close();
  }
}

/** A terminal that does not know its size says 0. */
const sizeOf = ({ columns, rows }: Streams) => ({ columns: columns || 80, rows: rows || 24 });

function newsOf(ws: Verb['ws'], words: string): Pick<Board, 'tasks' | 'notes'> {
  const query = { sort: 'turn' } as const;
  const found = words === '' ? listTasks(ws, query) : searchTasks(ws, query, words);
  const notes = [
    ...(pauseWords(ws) === undefined ? [] : ['everything is paused']),
    `${countTasks(ws, ['done'])[0]?.tasks ?? 0} done`,
    ...(found.problems.length === 0 ? [] : [`${found.problems.length} problems: contracts check`]),
  ];
  return { tasks: found.tasks, notes };
}

/** Reads the logs of the attempts that agents work on, and of no others; `print` gets each line. */
function follower(print: (id: string, line: string) => void) {
  const logs = new Map<string, AbortController>();
  return (ws: Verb['ws'], tasks: readonly ListedTask[]): void => {
    const now = new Map(tasks.map((task) => [`${task.id} ${task.attempt}`, task]));
    for (const [key, log] of logs) if (!now.has(key) && logs.delete(key)) log.abort();
    for (const [key, { id, attempt, waits_for }] of now) {
      if (logs.has(key) || waits_for !== 'agent') continue;
      const log = new AbortController();
      logs.set(key, log);
      print(id, '');
      const onLine = (_: number, line: string): unknown => line.trim() && print(id, line.trim());
      const how = { attempt, follow: true, last: 1, signal: log.signal };
      // A log that cannot be read yet is tried again at the next look.
      const again = (): unknown => logs.delete(key);
      readLogs(ws, id, { ...how, onLine, onAttempt: () => undefined }).catch(again);
    }
  };
}

/** Gives the words for the status line. `leave`: the board gives up the terminal. */
async function done(verb: Verb, deed: TaskDeed, leave: () => void): Promise<string> {
  const { ws, frame, line } = verb;
  const { streams } = frame;
  const { does, task } = deed;
  const { id, state } = task;
  const [now = 'gone'] = locate(ws.disk, ws.layout, id);
  if (now !== state && (does === 'verb' || does === 'quiet'))
    return `${id} is ${now} by now, and was ${state}: nothing was done`;
  let text = '';
  const take = (more: string): unknown => (text += more);
  const dir = line.dir === undefined ? [] : ['-C', line.dir];
  const call = (to: Streams): Promise<number> => frame.again([...dir, ...deed.argv], to);
  if (does === 'quiet') {
    const code = await call({ out: take, err: take });
    const words = text
      .trim()
      .replaceAll(/^wrote .*\n|\n(?=.)/gm, ' ')
      .trim();
    return code > EXIT.people ? words : `Done: ${deed.argv[0]} ${id}. ${words}`;
  }
  leave();
  if (does === 'verb') {
    if (deed.argv[0] === 'logs') streams.out(`The log of ${id}. Ctrl-C: back to the board\n`);
    if ((await call(streams)) !== EXIT.interrupted) await anyKey(streams);
    return '';
  }
  const { columns, rows } = sizeOf(streams);
  if (does === 'read') await call({ out: take, err: take, isTTY: true, columns, rows });
  else text = (await attempted(frame, () => diffOf(verb, id))) ?? '';
  const taken = text.split('\n').map((one) => Math.max(1, Math.ceil(width(one) / columns)));
  if (taken.reduce((sum, one) => sum + one, 0) >= rows) await inPager(verb, text);
  else {
    streams.out(`${text.trimEnd()}\n`);
    await anyKey(streams);
  }
  return '';
}

async function diffOf(verb: Verb, id: string): Promise<string> {
  const story = unwrap(verb, await storyOf(verb.ws, id));
  const text = patchWords(verb, story) ?? `The diff is not known: ${story.files_note}.`;
  return text === '' ? 'Nothing changed.' : text;
}

/** Waits, because what was printed vanishes with the board. */
async function anyKey({ out }: Streams): Promise<void> {
  const { stdin } = process;
  out('\nAny key: back to the board');
  stdin.setRawMode(true);
  await new Promise<unknown>((key) => stdin.once('data', key).once('end', key).resume());
  stdin.pause().setRawMode(false);
  out('\n');
}
