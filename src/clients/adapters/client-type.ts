/** The clients of models that can be called by name. */
export const CLIENT_TYPES = ['opencode', 'claude', 'codex', 'gemini'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

/** Words with blanks between them. */
export function names(text = ''): readonly string[] {
  return text.split(/\s+/).filter((one) => one !== '');
}

export function isClient(type: string): type is ClientType {
  return (CLIENT_TYPES as readonly string[]).includes(type);
}

/** An argument may have 128 KiB. */
export const INSTRUCTIONS_BYTES_MAX = 60_000;
