/**
 * Another screen of the terminal, with a key at a time. It is left at each end of the process (quit, signals,
 * uncaught errors), when it is paused, and for a verb, whose lines stay on the usual screen. No cursor is hidden.
 */
import { emitKeypressEvents, type Key as RawKey } from 'node:readline';
import type { Streams } from '../streams/streams.ts';
import type { Key } from './board-keys.ts';
import type { Drawn } from './board-lines.ts';

/** Another screen, and marks around what is pasted. */
const ENTER = '\u001b[?1049h\u001b[?2004h';
const LEAVE = '\u001b[?2004l\u001b[?1049l';
const CLEAR = '\u001b[2J';
const ESCAPE_MS = 50;

interface Events {
  readonly onKey: (key: Key) => void;
  readonly onResize: () => void;
  /** Called by a signal, and where the keyboard ended. */
  readonly onEnd: () => void;
}

export function openBoardTerminal(streams: Streams, { onKey, onResize, onEnd }: Events) {
  const { stdin } = process;
  let shown: readonly string[] = [];
  let [isOn, isPasting] = [false, false];
  const enter = (): void => {
    if (isOn) return;
    isOn = true;
    stdin.setRawMode(true).on('keypress', pressed).resume();
    process.on('SIGINT', ended);
    streams.out(ENTER);
    resized();
  };
  const leave = (): void => {
    if (!isOn) return;
    isOn = false;
    process.off('SIGINT', ended);
    streams.out(LEAVE);
    stdin.off('keypress', pressed).pause();
    stdin.setRawMode(false);
  };
  const resized = (): void => {
    if (isOn) streams.out(CLEAR);
    shown = [];
    onResize();
  };
  const pressed = (text: string | undefined, key: RawKey): void => {
    if (key.name?.startsWith('paste-')) isPasting = key.name === 'paste-start';
    else onKey(keyOf(text, key, isPasting));
  };
  /** While a verb runs, a signal is for it; where nothing else listens, it ends the process as usual. */
  const ended = (signal: NodeJS.Signals): void => {
    onEnd();
    if (isOn || process.listenerCount(signal) > 1) return;
    process.off(signal, ended);
    process.kill(process.pid, signal);
  };
  const suspend = (): void => {
    leave();
    process.off('SIGTSTP', suspend);
    // The whole group, as the key does: npx and sh wait before it. It goes on here when the shell lets it.
    process.kill(0, 'SIGTSTP');
    process.on('SIGTSTP', suspend);
    enter();
  };
  const listen = (how: 'on' | 'off'): void => {
    process[how]('SIGTERM', ended)[how]('SIGHUP', ended)[how]('SIGTSTP', suspend);
    process[how]('exit', leave)[how]('uncaughtExceptionMonitor', leave);
    process.stdout[how]('resize', resized);
    stdin[how]('end', onEnd);
  };
  const draw = ({ lines, cursor: [row, cell] }: Drawn): void => {
    if (!isOn) return;
    const changed = lines.flatMap((line, i) =>
      line === shown[i] ? [] : [`\u001b[${i + 1};1H${line}\u001b[K`],
    );
    streams.out(`${changed.join('')}\u001b[${row + 1};${cell + 1}H`);
    shown = lines;
  };
  // Esc alone is known sooner than Node does.
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as never);
  listen('on');
  const close = (): void => {
    leave();
    listen('off');
  };
  return { isOn: () => isOn, draw, enter, leave, resized, suspend, close };
}

function keyOf(
  text = '',
  { name = '', ctrl = false, meta = false, shift = false }: RawKey,
  isPasted: boolean,
): Key {
  const types = !ctrl && !meta && /^[^\p{Cc}]+$/u.test(text) ? text : '';
  // What is pasted by mistake does nothing: it has the name of no key.
  if (isPasted) return { name: 'pasted', text: types || ' ', ctrl: false };
  if (meta && name !== 'escape') return { name: '', text: '', ctrl: false };
  const named = name === 'enter' ? 'return' : name;
  return { name: shift && types !== '' ? types : named, text: types, ctrl };
}
