/** JSON that somebody else wrote, without trust. Pure; never throws. */
export type Fields = Readonly<Record<string, unknown>>;

/** undefined for what is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields of an object; none of any other value. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
