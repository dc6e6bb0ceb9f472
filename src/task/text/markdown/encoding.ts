/** Bytes to text: only UTF-8 with LF or CRLF is text; all else is refused, and so never rewritten. */
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
  if (utf16) return badEncoding(file, 'the file is UTF-16');
  let text: string;
  try {
    text = DECODER.decode(bytes);
  } catch {
    return badEncoding(file, 'the file is not UTF-8');
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) return badEncoding(file, 'the file has a NUL character', placeAt(text, nul));
  return bareReturn(text, file) ?? ok(text);
}

function badEncoding(file: string, message: string, place = { line: 1, col: 1 }): Result<never> {
  const fix = 'Save the file as UTF-8 text with line ends LF or CRLF.';
  return refused({ code: 'encoding', file, ...place, message, expected: 'UTF-8', fix });
}

/** Refused when a CR comes without its LF: it would be a line end for some readers only. */
export function bareReturn(text: string, file: string): Result<never> | undefined {
  if (!text.includes('\r')) return undefined;
  const at = text.search(/\r(?!\n)/);
  if (at === -1) return undefined;
  return badEncoding(file, 'a carriage return without a line feed', placeAt(text, at));
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
