/** The flags of list. */
export type ListFlags = { readonly state: readonly string[] } & {
  readonly [K in 'agent' | 'plan' | 'tag' | 'waitsFor']?: readonly string[];
} & { readonly [K in 'text' | 'search' | 'sort' | 'by']?: string } & {
  readonly [K in 'all' | 'ids']?: boolean;
};

/** Only some tasks are asked for. */
export function isNarrowed(flags: ListFlags, words: string): boolean {
  const { state, agent, plan, tag, waitsFor, text = '', search = '' } = flags;
  const given = [...state, ...(agent ?? []), ...(plan ?? []), ...(tag ?? []), ...(waitsFor ?? [])];
  return given.length > 0 || `${text}${search}${words}` !== '';
}
