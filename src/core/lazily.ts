/** A value that is made when it is first asked for, and is the same ever after. Shapes are: most calls need few. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
