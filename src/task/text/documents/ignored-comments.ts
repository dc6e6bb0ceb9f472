/**
 * Words that a person typed inside the HTML comment of a form, where nobody reads them: found by
 * comparing each comment with those of the form itself. Pure; cannot fail.
 */
import { scanMarkdown } from '../markdown/line-scanner.ts';

export interface HiddenWords {
  /** 0-based line of the text. */
  readonly line: number;
  readonly words: string;
}

/** The first line of each comment of `text` that says more than the comments of `form` do. */
export function wordsInComments(text: string, form: string): readonly HiddenWords[] {
  const hints = commentsOf(form);
  const whole = new Set(hints.map((hint) => plain(hint.lines.join(' '))));
  const known = new Set(hints.flatMap((hint) => hint.lines.map(plain)));
  return commentsOf(text).flatMap(({ line, lines }) => {
    if (whole.has(plain(lines.join(' ')))) return [];
    const at = lines.findIndex((one) => plain(one) !== '' && !known.has(plain(one)));
    return at === -1 ? [] : [{ line: line + at, words: plain(lines[at] ?? '') }];
  });
}

interface Comment {
  readonly line: number;
  readonly lines: readonly string[];
}

/** Comments that begin a line. Within a line of text one is somebody's own remark, and no form's. */
function commentsOf(text: string): readonly Comment[] {
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
