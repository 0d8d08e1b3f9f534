/**
 * Tokens of a sequence whose attention ggml computes together on CPUs. In a step with fewer tokens of the sequence it
 * computes them one by one, which takes more than twice as long where much stands before them.
 */
export const tileTokens = 64;
/** Beyond 1,024 cached tokens, a partial tile of more than 32 tokens is slower than a full one. */
const deepTokens = 1024;

/**
 * How many of a prompt's `lacking` tokens to compute where a step has room for `room`, with `before` tokens cached. The
 * tokens that fill no tile come first, because they cost least while little stands before them. A tile is filled even
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
