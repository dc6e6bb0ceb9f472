/**
 * What is found out of a thing once, and remembered as long as that thing is. A constant that is made
 * with it is marked PURE, so that the bundle leaves it out where it is unused.
 */
export function onceFor<Of extends object, T>(find: (one: Of) => T): (one: Of) => T {
  const known = new WeakMap<Of, { readonly found: T }>();
  return (one) => {
    const first = known.get(one) ?? { found: find(one) };
    known.set(one, first);
    return first.found;
  };
}
