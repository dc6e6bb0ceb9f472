/**
 * A real terminal for the built command: tmux draws it, keys are sent to it, and the screen is read
 * back as a person sees it. Waits for words with a deadline, never for time to pass. One server of its
 * own for each terminal, so that nobody else's is touched.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { BINARY } from './binary.ts';
import { sealedFolder } from './sealed-folder.ts';
import { until } from './until.ts';

/** Words for a person when tmux cannot be used here; undefined when it can. */
export function terminalMissing(): string | undefined {
  return spawnSync('tmux', ['-V']).error === undefined ? undefined : 'tmux is not installed';
}

export interface Terminal {
  /** Text as typed, without Enter. */
  type(text: string): void;
  /** Names of keys as tmux has them: Enter, Down, C-c, Escape. */
  press(...keys: readonly string[]): void;
  /** The screen with what scrolled away, once all of these words stand in it. */
  shows(...words: readonly string[]): Promise<string>;
  /** Types an answer, or presses Enter alone, when the question stands at the end of the screen. */
  answer(question: string, text?: string): Promise<void>;
  /** Presses the key that answers the question. */
  key(question: string, key: string): Promise<void>;
  /** Points at the choice that begins so, and takes it. */
  choose(question: string, choice: string): Promise<void>;
  /** As a terminal hands over what is pasted. */
  paste(text: string): void;
  /** As a person drags the edge of the window. */
  resize(cells: number, rows: number): void;
  /** The exit code, once the command has ended. */
  ended(): Promise<number>;
  /** With what scrolled away; `joined` (the default): lines that the terminal broke are one. */
  screen(how?: { readonly joined: boolean }): string;
  /** Closes it as a person closes a window, and waits until what ran in it has ended; the end of the test does too. */
  close(): Promise<void>;
}

function linesOfPs(...args: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('ps', [...args], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => line.trim() || []);
}

/** Those of these processes that run; one that ended and was not waited for does not. */
function stillRunning(pids: readonly string[]): readonly string[] {
  if (pids.length === 0) return [];
  return linesOfPs('-o', 'stat=,pid=,args=', '-p', pids.join(',')).filter(
    (line) => !line.startsWith('Z'),
  );
}

interface Size {
  readonly cells?: number;
  readonly rows?: number;
}

/** The built command. `env` is added to the tests' own; what would change its questions is taken out. */
export function runInTerminal(
  root: string,
  argv: readonly string[],
  options: Size & { readonly env?: Readonly<Record<string, string>> } = {},
): Terminal {
  const settings = Object.entries(options.env ?? {}).map(([key, value]) => `${key}=${value}`);
  const env = ['env', '-u', 'CI', '-u', 'VISUAL', '-u', 'EDITOR', ...settings];
  return openTerminal(root, [...env, process.execPath, BINARY, ...argv], options);
}

/** Any program, in the folder `root`. */
export function openTerminal(root: string, argv: readonly string[], options: Size = {}): Terminal {
  // The socket has a short name there, because its path may have a hundred bytes at most.
  const cwd = sealedFolder('terminal');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', 'socket', '-f', '/dev/null', ...args], { cwd, encoding: 'utf8' });
  const { cells = 100, rows = 50 } = options;
  // The shell waits at the end, so that the last screen can still be read, and Ctrl-C does not end it.
  const window = ['new-session', '-d', '-x', String(cells), '-y', String(rows), '-c', root];
  const shell = [
    'sh',
    '-c',
    'trap : INT; "$@"; printf "\\n[ended with %s]\\n" $?; read -r _',
    'sh',
  ];
  tmux(...window, ...shell, ...argv);
  const screen = ({ joined } = { joined: true }): string =>
    tmux('capture-pane', '-p', ...(joined ? ['-J'] : []), '-S', '-');
  const seen = <T>(what: string, look: (text: string) => T | undefined): Promise<T> =>
    until(what, () => look(screen()), screen);
  const press = (...keys: readonly string[]): void => void tmux('send-keys', ...keys);
  const type = (text: string): void => void tmux('send-keys', '-l', '--', text);
  /** The part of the screen below the mark of the question that is asked now. */
  const asked = (question: string): Promise<string> =>
    seen(question, (text) => {
      const active = text.slice(text.search(/^[◆▲](?![^]*^[◆▲◇■])/m));
      return /^[◆▲]/.test(active) && active.includes(question) ? active : undefined;
    });
  const answered = (): number => screen().match(/^◇/gm)?.length ?? 0;
  const take = async (question: string, key = 'Enter'): Promise<void> => {
    const before = answered();
    press(key);
    await seen(`an answer to ${question}`, () => (answered() > before ? true : undefined));
  };
  const close = async (): Promise<void> => {
    const told = (...args: string[]) => spawnSync('tmux', ['-S', 'socket', ...args], { cwd });
    const tty = told('display', '-p', '#{pane_tty}');
    const there = tty.status === 0 ? linesOfPs('-o', 'pid=', '-t', `${tty.stdout}`.trim()) : [];
    told('kill-server');
    const left = (): string => stillRunning(there).join('; ');
    await until('the end of all in the window', () => left() === '', left);
  };
  onTestFinished(close);
  return {
    type,
    close,
    press,
    paste: (text) => {
      tmux('set-buffer', text);
      tmux('paste-buffer', '-p');
    },
    resize: (x, y) => void tmux('resize-window', '-x', String(x), '-y', String(y)),
    key: async (question, key) => {
      await asked(question);
      await take(question, key);
    },
    screen,
    shows: (...words) =>
      seen(words.join(' and '), (text) =>
        words.every((word) => text.includes(word)) ? text : undefined,
      ),
    answer: async (question, text = '') => {
      await asked(question);
      if (text !== '') type(text);
      await take(question);
    },
    choose: async (question, choice) => {
      const choices = (await asked(question)).split('\n').filter((line) => /[●○]/.test(line));
      const at = choices.findIndex((line) => line.replace(/^\W*/, '').startsWith(choice));
      if (at < 0) throw new Error(`no choice ${choice} in\n${choices.join('\n')}`);
      for (let n = 0; n < at; n++) press('Down');
      await seen(choice, (now) =>
        now.slice(now.lastIndexOf('◆')).includes(`● ${choice}`) ? true : undefined,
      );
      await take(question);
    },
    ended: () =>
      seen('the end', (text) => {
        const code = /\[ended with (\d+)\]/.exec(text)?.[1];
        return code === undefined ? undefined : Number(code);
      }),
  };
}
