/** Rows for spreadsheets (RFC 4180). Pure. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(field).join(',')).join('\n');
}

/** A field; one that a spreadsheet would take for a formula gets a quote in front. */
function field(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\n\r\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
