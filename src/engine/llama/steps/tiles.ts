/**
 * ggml computes the attention of so many tokens of a sequence together on CPUs. One by one they take more than twice as
 * long where much stands before them, and so they do in a step that has fewer of that sequence.
 */
export const tileTokens = 64;
/** With so much before them, more than half of a tile takes longer than all of it. */
const deepTokens = 1024;

/**
 * How many of a prompt's `lacking` tokens to compute where there is room for `room`, with so many tokens before them.
 * What does not fill a tile comes first, because it costs least while little stands before it. A tile is filled even
 * where there is less room, if that is faster.
 */
export function chunkOf(lacking: number, room: number, before: number): number {
  const most = before >= deepTokens ? Math.max(room, tileTokens) : room;
  if (lacking <= most) return lacking;
  const rest = lacking % tileTokens;
  const chunk = most - ((most - rest) % tileTokens);
  return most < rest || chunk === 0 ? most : chunk;
}

/** How many tokens of a cached prefix to use for a prompt: fewer than there are where computing a whole tile is faster. */
export function worthwhilePrefix(cached: number, prompt: number): number {
  const lacking = prompt - cached;
  const fillsTile = cached >= deepTokens && lacking > tileTokens / 2 && lacking < tileTokens;
  return fillsTile ? prompt - tileTokens : cached;
}
