/** Permissions in a file, read back whole: a missing part would widen them. */
import * as z from 'zod/mini';
import { GIT_OPERATIONS, STRENGTHS, type Permissions } from './permissions.ts';
import { lazily } from '../base/lazy.ts';

const globs = lazily(() => z.array(z.string()));
const fields = (): { readonly [Key in keyof Required<Permissions>]: z.ZodMiniType } => ({
  write: globs(),
  create: globs(),
  delete: globs(),
  append: globs(),
  git: z.array(z.enum(GIT_OPERATIONS)),
  strength: z.enum(STRENGTHS),
  within: z.optional(globs()),
  named: z.optional(globs()),
  kept: z.optional(globs()),
  tools: z.optional(globs()),
});

export const permissionsSchema = lazily(
  () => z.strictObject(fields()) as z.ZodMiniType<Permissions>,
);
