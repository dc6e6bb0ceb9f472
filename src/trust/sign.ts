/**
 * Signatures of receipts and approvals (docs/security.md#receipts-and-approvals): Ed25519, the private key in
 * the person's state folder, the public one in `.contracts/keys/NAME.pub`. NAME ends with the fingerprint of
 * its key, so that no other key can pass under it.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { sign, verify, type KeyObject } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { privateKeyFile, wholeFile } from '../process/key-file.ts';
import { namesIn, orNothing } from '../process/path-kind.ts';
import { sha256 } from '../task/store/disk/hash.ts';
import { SETTINGS } from '../task/store/tasks/layout.ts';
import { inside } from '../task/store/tasks/tasks.ts';
import { bytesAt } from '../task/store/snapshots/folder-snapshot.ts';
import { keyFolder } from '../workspace/open/state-home.ts';
import type { Workspace } from '../workspace/open/workspace.ts';

const PUB_BYTES_MAX = 4096;
const PRINT = 16;
const SIGNED = /^---\nsignature: (.{1,300})\n/;
const MADE = /^([\w.-]{1,150}) ([A-Za-z0-9+/]{86}==)$/;

type Known = Pick<Workspace, 'env' | 'layout'>;

export interface Seal {
  readonly kind: 'holds' | 'unknown' | 'broken' | 'unsigned' | 'by_hand';
  /** For people: "hold (by NAME)", "unknown key", "do not hold", "not signed", "by hand". */
  readonly words: string;
}

/** Values to which a signature is bound, beside the bytes. */
export interface About {
  readonly of: 'receipts' | 'approval' | 'job';
  readonly task: string;
  readonly attempt: number;
}

interface Own {
  readonly key: KeyObject;
  readonly pem: string;
}

const kept = new Map<string, Own>();

/** Made at the first need. Throws where it cannot be made or kept secret. */
function ownKey({ env, layout }: Known): Own {
  const folder = keyFolder(env, layout.root);
  const file = join(folder, 'ed25519.pem');
  const known = kept.get(file);
  if (known !== undefined) return known;
  const text = privateKeyFile(folder, () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    return privateKey.export({ type: 'pkcs8', format: 'pem' });
  });
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key`);
  const own = { key, pem: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString() };
  kept.set(file, own);
  return own;
}

/** Puts the public key into the workspace where it is not there yet. Returns its name. */
function published(known: Known, { pem }: Own): string {
  const folder = join(known.layout.root, SETTINGS, 'keys');
  const end = endOf(pem);
  const there = namesIn(folder).find((one) => one.endsWith(`${end}.pub`) && SAFE.test(one));
  if (there !== undefined) return there.slice(0, -'.pub'.length);
  const user = orNothing(() => userInfo().username) ?? 'user';
  const [who, host] = [user, hostname()].map((one) => one.replace(/[^\w-]+/g, '-').slice(0, 40));
  const name = `${who}-${host}${end}`;
  wholeFile(folder, `${name}.pub`, pem);
  return name;
}
const SAFE = /^[\w.-]+$/;

/** With which a name ends. */
function endOf(pem: string | Buffer): string {
  return `-${sha256(pem.toString()).slice(0, PRINT)}`;
}

/** True if a file of the workspace, by its relative path, is the public key that this runner puts there. */
export function isOwnKey(ws: Workspace, path: string): boolean {
  if (!path.startsWith(`${SETTINGS}/keys/`)) return false;
  const pem = orNothing(() => ownKey(ws).pem);
  if (pem === undefined || !path.endsWith(`${endOf(pem)}.pub`)) return false;
  const bytes = bytesAt(ws.disk, join(ws.layout.root, path), PUB_BYTES_MAX);
  return bytes !== undefined && Buffer.from(pem).equals(bytes);
}

/** Before an agent is watched, to whom a new key would be put down. Without a key the work goes on unsigned. */
export function publishKey(known: Known): void {
  orNothing(() => published(known, ownKey(known)));
}

/** Why nothing is signed; undefined where there is a key. */
export function whyUnsigned(known: Known): string | undefined {
  try {
    ownKey(known);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `NAME CODE`, of one line; undefined without a key. */
export function signatureOf(known: Known, about: About, text: string): string | undefined {
  return orNothing(() => {
    const own = ownKey(known);
    const name = published(known, own);
    const message = messageOf(about, name, Buffer.from(text, 'utf8'));
    return `${name} ${sign(null, message, own.key).toString('base64')}`;
  });
}

/** The record (`---`, head, body) with a signature as the first key of its head; as it is without a key. */
export function signed(known: Known, about: About, record: string): string {
  const made = signatureOf(known, about, record);
  return made === undefined ? record : record.replace('---\n', () => `---\nsignature: ${made}\n`);
}

const BROKEN: Seal = { kind: 'broken', words: 'do not hold' };
const UNKNOWN: Seal = { kind: 'unknown', words: 'unknown key' };

export function sealOf(ws: Workspace, about: About, bytes: Uint8Array): Seal {
  const text = Buffer.from(bytes).toString('latin1');
  // The runner's records begin with their version: anything else was one that is signed.
  if (text.startsWith('---\nv: ')) return { kind: 'unsigned', words: 'not signed' };
  const [head = '', made = ''] = SIGNED.exec(text) ?? [];
  const rest = Buffer.from(`---\n${text.slice(head.length)}`, 'latin1');
  return sealBy(ws, about, made, rest);
}

/** `made`: `NAME CODE`. */
export function sealBy(ws: Workspace, about: About, made: string, signed: Uint8Array): Seal {
  const [head = '', name = '', code = ''] = MADE.exec(made) ?? [];
  const signature = Buffer.from(code, 'base64');
  if (head === '' || signature.toString('base64') !== code) return BROKEN;
  // Through no link: whoever makes one would choose the keys.
  const found = inside(ws.disk, ws.layout.root, `${SETTINGS}/keys/${name}.pub`);
  const pem = found.ok ? bytesAt(ws.disk, found.path, PUB_BYTES_MAX) : undefined;
  const key = pem && orNothing(() => createPublicKey(Buffer.from(pem)));
  if (key?.asymmetricKeyType !== 'ed25519') return UNKNOWN;
  if (!name.endsWith(endOf(key.export({ type: 'spki', format: 'pem' })))) return UNKNOWN;
  if (!verify(null, messageOf(about, name, signed), key, signature)) return BROKEN;
  return { kind: 'holds', words: `hold (by ${name})` };
}

/** True if one of these public keys signed it. `made`: `NAME CODE`. */
export function isSignedBy(
  keys: readonly KeyObject[],
  about: About,
  made: string,
  text: string,
): boolean {
  const [head = '', name = '', code = ''] = MADE.exec(made) ?? [];
  if (head === '') return false;
  const message = messageOf(about, name, Buffer.from(text, 'utf8'));
  return keys.some((key) => verify(null, message, key, Buffer.from(code, 'base64')));
}

function messageOf({ of, task, attempt }: About, name: string, record: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`contracts ${of} 1\n${task}\n${attempt}\n${name}\n`), record]);
}
