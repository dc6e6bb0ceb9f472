/**
 * A file's bytes to text, and offsets in a text to places. Only UTF-8 with LF or CRLF is text; all
 * else is refused and thereby never rewritten. It knows no format.
 */
import { ok, refused, type Result } from '../../core/model/problem.ts';

/** 1-based. */
export interface Place {
  readonly line: number;
  readonly col: number;
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Strict UTF-8; a BOM is kept in the text. */
export function decodeText(bytes: Uint8Array, file: string): Result<string> {
  const utf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return badEncoding(file, 1, 1, 'the file is UTF-16');
  let text: string;
  try {
    text = DECODER.decode(bytes);
  } catch {
    return badEncoding(file, 1, 1, 'the file is not UTF-8');
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const { line, col } = placeAt(text, nul);
    return badEncoding(file, line, col, 'the file has a NUL character');
  }
  return bareReturn(text, file) ?? ok(text);
}

function badEncoding(file: string, line: number, col: number, message: string): Result<never> {
  const fix = 'Save the file as UTF-8 text with line ends LF or CRLF.';
  return refused({ code: 'encoding', file, line, col, message, expected: 'UTF-8', fix });
}

/** Refused when a CR comes without its LF: it would be a line end for some readers only. */
export function bareReturn(text: string, file: string): Result<never> | undefined {
  if (!text.includes('\r')) return undefined;
  const at = text.search(/\r(?!\n)/);
  if (at === -1) return undefined;
  const { line, col } = placeAt(text, at);
  return badEncoding(file, line, col, 'a carriage return without a line feed');
}

export function placeAt(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, col: offset - start + 1 };
}
