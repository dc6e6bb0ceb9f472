/**
 * What a key of a contract can hold, twice: for zod, which has the last word, and told of the values
 * that nearly all contracts have and zod takes as they are. Whoever meets only such values need not
 * even load zod. Knows no key; where it is not sure it says false.
 */
import type * as z from 'zod/mini';
import { isTaskId } from './id.ts';
import { lazily } from '../base/lazy.ts';

export interface Kind<T extends z.ZodMiniType> {
  readonly schema: () => T;
  readonly isPlain: (value: unknown) => boolean;
}

export function kind<T extends z.ZodMiniType>(
  make: () => T,
  isPlain: (value: unknown) => boolean = () => false,
): Kind<T> {
  return { schema: lazily(make), isPlain };
}

export const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 2000;
export const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 128;
export const isId = (value: unknown): boolean => typeof value === 'string' && isTaskId(value);
export const isCommand = (value: unknown): boolean => isText(value) && value !== '';
export const isOneOf =
  (words: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && words.includes(value);
export const isListOf =
  (isItem: (value: unknown) => boolean, most = 500) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= most && value.every(isItem);
