/**
 * What a key of a contract can hold, twice: for zod, which decides, and as a plain test of the values
 * that nearly all contracts have. For such values zod is not even loaded; the test says false if unsure.
 */
import * as z from 'zod/mini';
import { isTaskId } from './id.ts';
import { lazily } from '../base/lazy.ts';

type Test = (value: unknown) => boolean;

const never: Test = () => false;

export function optional<T extends z.ZodMiniType>(make: () => T, isPlain = never) {
  return { schema: lazily(() => z.optional(make())), isPlain };
}

/** Gives a key that is left out `value`. */
export function withDefault<T extends z.ZodMiniType>(
  make: () => T,
  value: Parameters<typeof z._default<T>>[1],
  isPlain = never,
) {
  return { schema: lazily(() => z._default(make(), value)), isPlain, value };
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
