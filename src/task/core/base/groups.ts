/** Lists by key: keys and members keep the order in which they come. */

/** Adds to the end of the list of a key, which is made where it is the first. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, ...more: readonly V[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [...more]);
  else list.push(...more);
}

/** Gives each of them to the list of its key: `Map.groupBy`, which Node 20 lacks. */
export function groupedBy<K, V>(all: Iterable<V>, keyOf: (one: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const one of all) addTo(lists, keyOf(one), one);
  return lists;
}
