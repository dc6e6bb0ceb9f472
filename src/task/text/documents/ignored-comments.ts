/** Words that a person typed inside the HTML comment of a form, where they are never read. */
import { scanMarkdown } from '../markdown/line-scanner.ts';

export interface HiddenWords {
  /** 0-based line of the text. */
  readonly line: number;
  readonly words: string;
}

/** Nothing, or the signature of a verdict. */
const OURS = /^(?:signature: \S+ \S+)?$/;

/** The first line of each comment of `text` that has more than the comments of `form`. */
export function wordsInComments(text: string, form: string): readonly HiddenWords[] {
  const hints = commentsOf(form);
  const whole = new Set(hints.map((hint) => plain(hint.lines.join(' '))));
  const known = new Set(hints.flatMap((hint) => hint.lines.map(plain)));
  return commentsOf(text).flatMap(({ line, lines }) => {
    if (whole.has(plain(lines.join(' ')))) return [];
    const at = lines.findIndex((one) => !OURS.test(plain(one)) && !known.has(plain(one)));
    return at === -1 ? [] : [{ line: line + at, words: plain(lines[at] ?? '') }];
  });
}

/** Comments that begin a line. One within a line of text is a remark and not part of a form. */
function commentsOf(text: string): readonly { line: number; lines: readonly string[] }[] {
  const comments: { line: number; lines: string[] }[] = [];
  let open = false;
  for (const { kind, raw, index } of scanMarkdown(text)) {
    if (kind !== 'comment' && !(open && kind === 'html')) {
      open = false;
      continue;
    }
    const words = raw.split('-->')[0] ?? '';
    if (open) comments.at(-1)?.lines.push(words);
    else comments.push({ line: index, lines: [words] });
    open = !raw.includes('-->');
  }
  return comments;
}

function plain(words: string): string {
  return words.replace('<!--', '').replace(/\s+/g, ' ').trim();
}
