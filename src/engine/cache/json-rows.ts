/**
 * Many short values as lines of JSON, a hundred to a line: few enough to be held at once, many enough that
 * parsing them is cheap.
 */

const ROWS = 100;

export function rowLines(rows: readonly unknown[]): string {
  let lines = '';
  for (let from = 0; from < rows.length; from += ROWS) {
    lines += `${JSON.stringify(rows.slice(from, from + ROWS))}\n`;
  }
  return lines;
}

/** The same again, one by one. Throws what JSON.parse throws. */
export function* rowsOf<Row>(lines: Buffer): Iterable<Row> {
  for (let from = 0, to = 0; from < lines.length; from = to + 1) {
    to = lines.indexOf('\n', from);
    yield* JSON.parse(lines.toString('utf8', from, to)) as Row[];
  }
}
