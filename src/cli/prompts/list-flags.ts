/** The flags of list. */
export interface ListFlags {
  readonly state: readonly string[];
  readonly agent?: readonly string[];
  readonly plan?: readonly string[];
  readonly tag?: readonly string[];
  readonly text?: string;
  readonly search?: string;
  readonly waitsFor?: readonly string[];
  readonly sort?: string;
  readonly by?: string;
  readonly all?: boolean;
  readonly ids?: boolean;
}

/** Only some tasks are asked for. */
export function isNarrowed(flags: ListFlags, words: string): boolean {
  const { state, agent, plan, tag, waitsFor, text = '', search = '' } = flags;
  const given = [...state, ...(agent ?? []), ...(plan ?? []), ...(tag ?? []), ...(waitsFor ?? [])];
  return given.length > 0 || `${text}${search}${words}` !== '';
}
