/** The fields that have a value, for shapes in which what is not known is not there. */
export function given<T extends object>(
  fields: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
