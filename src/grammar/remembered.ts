/** The value under `key` in `known`; where there is none, that of `make`, which is kept there. */
export function remembered<K, V extends {}>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}
