/** Found once, and kept as long as the thing is. A constant made with it is marked PURE for bundles. */
export function onceFor<Of extends object, T>(find: (one: Of) => T): (one: Of) => T {
  const known = new WeakMap<Of, { readonly found: T }>();
  return (one) => {
    const first = known.get(one) ?? { found: find(one) };
    known.set(one, first);
    return first.found;
  };
}
