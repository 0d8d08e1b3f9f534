import { wholeMedia } from '../media/medium-ids.ts';

/** How many tokens at the beginning of both are the same; of a picture or recording all or none. */
export function commonPrefix(a: Uint32Array, b: Uint32Array): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return Math.min(wholeMedia(a, length), wholeMedia(b, length));
}
