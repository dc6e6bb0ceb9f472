/** The flags of list. */
export type ListFlags = { readonly state: readonly string[] } & {
  readonly [K in 'agent' | 'plan' | 'workflow' | 'phase' | 'tag' | 'waitsFor']?: readonly string[];
} & { readonly [K in 'text' | 'search' | 'sort' | 'by']?: string } & {
  readonly [K in 'all' | 'ids' | 'problems']?: boolean;
};

/** Only some tasks are asked for. */
export function isNarrowed(flags: ListFlags, words: string): boolean {
  const { state, text = '', search = '' } = flags;
  const { agent, plan, workflow, phase, tag, waitsFor } = flags;
  const given = [state, agent, plan, workflow, phase, tag, waitsFor].flatMap((one) => one ?? []);
  return flags.problems === true || given.length > 0 || `${text}${search}${words}` !== '';
}
