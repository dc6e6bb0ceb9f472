/** The clients of models that can be called by name. */
export const CLIENT_TYPES = ['opencode', 'claude', 'codex', 'gemini'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export function isClient(type: string): type is ClientType {
  return (CLIENT_TYPES as readonly string[]).includes(type);
}
