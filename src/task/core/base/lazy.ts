/**
 * Shapes of zod, each made when it is first asked for, and the same ever after: most calls need few,
 * many need none and do not even load the library. The small zod knows no words of its own; it gets
 * the same as the whole one has.
 */
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

let hasWords = false;

export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: withWords(make) }).value;
}

function withWords<T>(make: () => T): T {
  if (!hasWords) z.config(en());
  hasWords = true;
  return make();
}

export function objectOf<S extends z.core.$ZodShape>(fields: () => S) {
  return lazily(() => z.object(fields()));
}

export function strictObjectOf<S extends z.core.$ZodShape>(fields: () => S) {
  return lazily(() => z.strictObject(fields()));
}
