/** The flags of list. */
export type ListFlags = { readonly state: readonly string[] } & {
  readonly [K in 'agent' | 'plan' | 'tag' | 'waitsFor']?: readonly string[];
} & {
  readonly [K in 'all' | 'ids' | 'problems' | 'board']?: boolean;
} & { readonly search?: string; readonly graph?: string | true };

/** Only some tasks are asked for. */
export function isNarrowed(flags: ListFlags, words: string): boolean {
  const { state, search = '', agent, plan, tag, waitsFor } = flags;
  const given = [state, agent, plan, tag, waitsFor].flatMap((one) => one ?? []);
  return flags.problems === true || given.length > 0 || `${search}${words}` !== '';
}
