/** Text that others wrote, made safe to print: a terminal must show it, never obey it. */

/** Characters that can drive a terminal; not the joiner between two parts of one emoji. */
const UNSAFE =
  /(?!(?<=\p{Extended_Pictographic}(?:[\u{1f3fb}-\u{1f3ff}]|\ufe0f)?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Without UNSAFE characters; V8 takes long to prepare a class of Unicode. */
const PLAIN = /^[ -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193]*$/;
const PLAIN_LINES = /^[\n\t -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193]*$/;

/**
 * Every control, format and line-separator character becomes a visible escape such as `\x1b` or
 * `\u202e`. `multiline` keeps newline and tab, for text that is printed as a block of its own.
 */
export function escapeText(text: string, options: { multiline?: boolean } = {}): string {
  if ((options.multiline === true ? PLAIN_LINES : PLAIN).test(text)) return text;
  return text.replace(UNSAFE, (char) => {
    if (options.multiline === true && (char === '\n' || char === '\t')) return char;
    if (/[\n\r\t]/.test(char)) return JSON.stringify(char).slice(1, -1);
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
    return `\\u{${code.toString(16)}}`;
  });
}
