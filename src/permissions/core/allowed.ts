/** The permissions of an attempt in its environment, which a model cannot change, for hooks. */
import { GIT_OPERATIONS, STRENGTHS, type Permissions } from '../../task/core/model/permissions.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import type { Allowed } from './judge-tool.ts';

/** Contains no word for which clients withhold a variable from their hooks. */
export const ALLOWED_NAME = 'CONTRACTS_PERMISSIONS';

/** One variable can hold 128 KiB on Linux. */
export const ALLOWED_BYTES_MAX = 100_000;

export function allowedText(allowed: Allowed): string {
  const { permissions, root, desk, confined, documents } = allowed;
  return JSON.stringify({ v: 1, root, desk, confined, documents, ...permissions });
}

/** undefined when it is not what `allowedText` made. */
export function readAllowed(text: string): Allowed | undefined {
  const { v, root, desk, confined, documents, ...rest } = fields(parsedJson(text));
  if (v !== 1 || !isPlace(root) || !isPlace(desk) || !isPermissions(rest)) return undefined;
  const handed = fields(documents);
  if (documents !== undefined && !isPermissions(handed)) return undefined;
  return {
    root,
    desk,
    permissions: rest,
    ...(confined === true ? { confined } : {}),
    ...(isPermissions(handed) ? { documents: handed } : {}),
  };
}

function isPlace(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/');
}

/** True where it has all that permissions have, of the right types. */
export function isPermissions(
  value: Readonly<Record<string, unknown>>,
): value is Permissions & typeof value {
  const isTexts = (one: unknown): boolean =>
    Array.isArray(one) && one.every((text) => typeof text === 'string');
  const isTextsOrNothing = (one: unknown): boolean => one === undefined || isTexts(one);
  const { write, create, append, git, strength, within, kept, tools } = value;
  return (
    [write, create, value['delete'], append].every(isTexts) &&
    [within, kept, tools].every(isTextsOrNothing) &&
    isTexts(git) &&
    (git as string[]).every((one) => (GIT_OPERATIONS as readonly string[]).includes(one)) &&
    (STRENGTHS as readonly unknown[]).includes(strength)
  );
}
