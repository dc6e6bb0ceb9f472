/** The file of the ledger, and how one knows that a step wrote it. */
export const FILE = 'LEDGER.md';
/** The first line of a ledger that the runner wrote: a file without it is a person's own. */
export const MARK =
  '<!-- contracts: a step that moves a task writes this file; edits are lost -->\n';

/** Line ends may be those of another system. */
export function isLedger(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && Buffer.from(bytes).toString().startsWith(MARK.trim());
}
