/** The permissions of an attempt in its environment, which a model cannot change, for hooks. */
import { GIT_OPERATIONS, STRENGTHS, type Authority } from '../../task/core/model/permissions.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import type { Rights } from './judge-tool.ts';

/** Contains no word for which clients withhold a variable from their hooks. */
export const RIGHTS_NAME = 'CONTRACTS_RIGHTS';

/** One variable can hold 128 KiB on Linux. */
export const RIGHTS_BYTES_MAX = 100_000;

export function rightsText({ authority, root, desk, confined }: Rights): string {
  return JSON.stringify({ v: 1, root, desk, ...(confined ? { confined } : {}), ...authority });
}

/** undefined when it is not what `rightsText` made. */
export function readRights(text: string): Rights | undefined {
  const { v, root, desk, confined, ...rest } = fields(parsedJson(text));
  if (v !== 1 || !isPlace(root) || !isPlace(desk) || !isAuthority(rest)) return undefined;
  return { root, desk, authority: rest, ...(confined === true ? { confined } : {}) };
}

function isPlace(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/');
}

function isAuthority(value: Readonly<Record<string, unknown>>): value is Authority & typeof value {
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
