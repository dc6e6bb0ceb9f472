/** The signature of a verdict in review.md: a comment in its last line, which no reader of Markdown shows. */
import { parseReview } from './review.ts';

const LINE = /^<!-- signature: (\S+ \S+) -->\r?$/gm;
/** Rest of a line of which a byte was changed: its beginning, or the end of the name and the code. */
const TRACE = /<!-- signature: |-[0-9a-f]{16} [A-Za-z0-9+/]{86}==/;

/** `NAME CODE`; empty where it cannot be read, or there are two; undefined without one. */
export function signatureIn(text: string): string | undefined {
  const [found, ...more] = text.matchAll(LINE);
  if (found === undefined) return TRACE.test(text) ? '' : undefined;
  return more.length === 0 ? found[1] : '';
}

/** In the place of an earlier one. Without it where it would be read as words. */
export function withSignature(text: string, made: string | undefined): string {
  const bare = text.replace(/^<!-- signature: .*(?:\r?\n|$)/gm, '');
  if (made === undefined) return bare;
  const eol = /\r?\n/.exec(bare)?.[0] ?? '\n';
  const signed = `${bare}${bare.endsWith(eol) ? '' : eol}<!-- signature: ${made} -->${eol}`;
  const [was, is] = [parseReview(bare), parseReview(signed)];
  return is.verdict === was.verdict && is.findings === was.findings ? signed : bare;
}
