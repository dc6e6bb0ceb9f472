/** Unguessable names from the kernel's device: loading the crypto module takes too long. */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { orNothing } from './path-kind.ts';

const BYTES = 16;
/** A task that is worked on needs a dozen. */
const STOCK_BYTES = 32 * BYTES;

let stock: { readonly bytes: Buffer; readonly device: string; at: number } | undefined;

/** 32 hex digits. */
export function nonce(device = '/dev/urandom'): string {
  if (stock?.device !== device || stock.at === stock.bytes.length) {
    stock = { bytes: fromKernel(device) ?? randomBytes(STOCK_BYTES), device, at: 0 };
  }
  const from = stock.at;
  stock.at += BYTES;
  return stock.bytes.toString('hex', from, stock.at);
}

function fromKernel(device: string): Buffer | undefined {
  return orNothing(() => {
    const fd = openSync(device, 'r');
    try {
      const bytes = Buffer.alloc(STOCK_BYTES);
      // A plain file in its place gives everyone the same bytes, /dev/null none.
      const real = fstatSync(fd).isCharacterDevice();
      return real && readSync(fd, bytes, 0, STOCK_BYTES, null) === STOCK_BYTES ? bytes : undefined;
    } finally {
      closeSync(fd);
    }
  });
}
