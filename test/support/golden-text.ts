/**
 * One text file of named sections, as txtar has it: `-- name --` or `-- name (note, note) --`, then
 * the content. What text alone cannot show is in the notes: `escaped`, `base64`, `no newline`,
 * and what the reader of the sections knows besides. Pure text.
 */

export interface Section {
  readonly name: string;
  readonly notes: readonly string[];
  /** As it is written in the file: empty, or whole lines. */
  readonly body: string;
}

export interface Archive {
  /** The text before the first section: empty, or whole lines. */
  readonly comment: string;
  readonly sections: readonly Section[];
}

const MARKER = /^-- (.+?)(?: \(([^()]+)\))? --$/;
/** Characters that an editor hides, changes or turns around. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const IN_A_NAME = /[\\()\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^ | $/gu;
const BASE64_COLUMNS = 76;

export function parseArchive(text: string): Archive {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  let comment = '';
  const sections: { name: string; notes: string[]; body: string }[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [, name, notes] = MARKER.exec(line) ?? [];
    const last = sections.at(-1);
    if (name !== undefined) {
      sections.push({ name: unescaped(name), notes: notes?.split(', ') ?? [], body: '' });
    } else if (last === undefined) comment += `${line}\n`;
    else last.body += `${line}\n`;
  }
  return { comment, sections };
}

export function printArchive({ comment, sections }: Archive): string {
  return comment + sections.map(printSection).join('');
}

export function printSection({ name, notes, body }: Section): string {
  const noted = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return `-- ${name.replace(IN_A_NAME, codeOf)}${noted} --\n${body}`;
}

/** A section of these bytes, as readable as they allow. `notes` come before those of the encoding. */
export function sectionOf(
  name: string,
  content: string | Buffer,
  notes: readonly string[] = [],
): Section {
  const bytes = Buffer.from(content);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) {
    return { name, notes: [...notes, 'base64'], body: base64Lines(bytes) };
  }
  const plain = !HIDDEN.test(text) && !text.split('\n').some((line) => MARKER.test(line));
  const shown = plain ? text : escaped(text);
  const whole = shown === '' || shown.endsWith('\n');
  return {
    name,
    notes: [...notes, ...(plain ? [] : ['escaped']), ...(whole ? [] : ['no newline'])],
    body: whole ? shown : `${shown}\n`,
  };
}

/** The bytes of a section, and the notes that are not about how they are written. */
export function contentOf({ notes, body }: Section): { bytes: Buffer; notes: readonly string[] } {
  const others = notes.filter((note) => !ENCODINGS.has(note));
  if (notes.includes('base64')) return { bytes: Buffer.from(body, 'base64'), notes: others };
  const lines = notes.includes('no newline') ? body.slice(0, -1) : body;
  const text = notes.includes('escaped') ? unescaped(lines) : lines;
  return { bytes: Buffer.from(text), notes: others };
}

const ENCODINGS: ReadonlySet<string> = new Set(['base64', 'escaped', 'no newline']);

function base64Lines(bytes: Buffer): string {
  const all = bytes.toString('base64');
  const lines = Math.ceil(all.length / BASE64_COLUMNS);
  return Array.from(
    { length: lines },
    (_, i) => `${all.slice(i * BASE64_COLUMNS, (i + 1) * BASE64_COLUMNS)}\n`,
  ).join('');
}

function escaped(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const safe = line
        .replaceAll('\\', '\\\\')
        .replaceAll('\r', '\\r')
        .replace(new RegExp(HIDDEN, 'gu'), codeOf);
      return MARKER.test(safe) ? `${codeOf('-')}${safe.slice(1)}` : safe;
    })
    .join('\n');
}

function codeOf(character: string): string {
  if (character === '\\') return '\\\\';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:(\\)|(r)|u\{([0-9a-f]+)\})/g, (_, slash, cr, code: string) => {
    if (slash !== undefined) return '\\';
    return cr === undefined ? String.fromCodePoint(parseInt(code, 16)) : '\r';
  });
}
