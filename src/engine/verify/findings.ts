/**
 * The findings of verification for the next attempt: what is missing, and what failed checks printed,
 * quoted line by line, so that nothing in it can pass for a heading, a box or a verdict.
 */
import type { Receipt } from '../../task/core/attempts/record.ts';
import { quoted } from '../../task/text/markdown/quote.ts';

export function verificationFindings(missing: readonly string[], receipts: readonly Receipt[]) {
  const list = missing.map((one, i) => `${i + 1}. ${one}`).join('\n');
  const printed = receipts
    .filter((receipt) => !receipt.passed && receipt.output.trim() !== '')
    .map((receipt) => `What \`${receipt.check}\` printed:\n\n${quoted(receipt.output)}`);
  return [list, ...printed].join('\n\n');
}
