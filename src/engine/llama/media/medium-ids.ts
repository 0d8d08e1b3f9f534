/**
 * A prompt is a list of token ids, and so is a cache. In place of tokens a picture or recording has ids of its own
 * kind, one for each cell of the context that it takes. Equal ids mean equal contents: so caches compare media as they
 * compare texts, and whatever counts tokens counts these too.
 */

/** Marks an id as a medium's: it is larger than the number of tokens in any vocabulary. */
const mediumFlag = 0x8000_0000;
/** The first cell of its medium: only before such a cell may a prompt be cut. */
const firstFlag = 0x4000_0000;
/** The cell does not move the next one to the next position: positions in a picture may have several dimensions. */
const stillFlag = 0x2000_0000;
/** Serial numbers of contents are smaller. */
export const mostSerials = stillFlag;

/** The ids of a medium of `cells` cells that moves the next one by `positions` positions; `serial` is its content's. */
export function mediumIds(serial: number, cells: number, positions: number): Uint32Array {
  const flagsAt = (at: number) => mediumFlag + (at === 0 ? firstFlag : 0) + (at < positions ? 0 : stillFlag);
  return Uint32Array.from({ length: cells }, (_, at) => flagsAt(at) + serial);
}

export const isMediumId = (id: number): boolean => id >= mediumFlag;

const isInside = (id = 0): boolean => isMediumId(id) && (id & firstFlag) === 0;

/** How many of `ids` do not move the next one to the next position. */
export function stillCells(ids: Uint32Array): number {
  let count = 0;
  for (const id of ids) if (isMediumId(id) && (id & stillFlag) !== 0) count++;
  return count;
}

/** The longest beginning of `ids`, of at most `length`, that holds no part of a medium without the rest of it. */
export function wholeMedia(ids: Uint32Array, length: number): number {
  let whole = length;
  while (whole > 0 && isInside(ids[whole])) whole--;
  return whole;
}

/** How many ids from `start` on are tokens; all that is left where no medium follows. */
export function tokensUntilMedium(ids: Uint32Array, start: number): number {
  let end = start;
  while (end < ids.length && !isMediumId(ids[end] ?? 0)) end++;
  return end - start;
}

/** `ids` without those of media. */
export function tokensOnly(ids: Uint32Array): Uint32Array {
  return ids.some(isMediumId) ? ids.filter((id) => !isMediumId(id)) : ids;
}
