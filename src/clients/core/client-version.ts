/** What an answer to `--version` means. A version older than those tried is a doubt, not a verdict. Pure. */

export type VersionAnswer =
  | { readonly kind: 'answered'; readonly text: string; readonly code: number | null }
  | { readonly kind: 'late'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly why: string };

/** `unknown`: only a call of a model would show it. */
export type Login = 'yes' | 'no' | 'unknown';

/** How a client answers: its status call (code and text, where it has one), its variables, its own files by name. */
export interface LoginSeen {
  readonly code: number | null;
  readonly text: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly textIn: (file: string) => string | undefined;
}

export interface ClientVersion {
  readonly version: string | undefined;
  /** One sentence without a full stop; undefined where nothing is against it. */
  readonly doubt: string | undefined;
  /** Its package, where it was asked. */
  readonly npm?: string;
}

/** `oldest`: the lowest version whose options were tried. */
export function judgeVersion(program: string, oldest: string, answer: VersionAnswer) {
  const no = (why: string): ClientVersion => ({
    version: undefined,
    doubt: `${program} --version ${why}`,
  });
  if (answer.kind === 'late') return no(`gave no answer in ${answer.seconds} s`);
  if (answer.kind === 'failed') return no(`failed: ${answer.why}`);
  const version = VERSION.exec(answer.text)?.[1];
  if (version === undefined) {
    const line = answer.text.split('\n').find((one) => one.trim() !== '');
    const ended = answer.code === 0 ? '' : ` and ends with ${answer.code ?? 'a signal'}`;
    return no(
      line === undefined ? `prints nothing${ended}` : `prints no version${ended}: ${cut(line)}`,
    );
  }
  if (!isOlder(version, oldest)) return { version, doubt: undefined };
  const doubt = `${program} ${version} is older than ${oldest}, the oldest version that was tested`;
  return { version, doubt };
}

/** The first number of a version; undefined where none was printed. */
export function majorIn(answer: VersionAnswer): number | undefined {
  const version = answer.kind === 'answered' ? VERSION.exec(answer.text)?.[1] : undefined;
  return version === undefined ? undefined : Number.parseInt(version, 10);
}

/** As in `name-cli 0.169.0`, `2.1.330 (Its Name)` and `name v2.0.24`. */
const VERSION = /(?:^|\s)v?(\d{1,9}\.\d{1,9}(?:\.\d{1,9})?)(?:[-+][\w.+-]*)?(?=\s|$)/;
const SHOWN_MAX = 80;

function cut(line: string): string {
  const text = line.trim();
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text;
}

function isOlder(version: string, than: string): boolean {
  const mine = version.split('.').map(Number);
  const parts = than.split('.').map(Number);
  const at = parts.findIndex((part, i) => part !== (mine[i] ?? 0));
  return at !== -1 && (mine[at] ?? 0) < (parts[at] ?? 0);
}
