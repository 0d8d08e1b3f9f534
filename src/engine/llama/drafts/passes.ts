/** The tokens that a step computes of one sequence. */
export interface SequenceTokens {
  /** llama.cpp's sequence id. */
  readonly index: number;
  readonly tokens: number;
}

/**
 * In how many passes over the model llama.cpp computes a step, and how many tokens each of them has. A pass has equally
 * many tokens of each of its sequences, whose ids ascend without a gap. `parts` are in the order of their ids.
 */
export function passesOf(parts: readonly SequenceTokens[]): number[] {
  let left = parts.filter(({ tokens }) => tokens > 0);
  const passes: number[] = [];
  while (left.length > 0) {
    const first = left[0]?.index ?? 0;
    const gap = left.findIndex(({ index }, at) => index !== first + at);
    const together = gap < 0 ? left.length : gap;
    const each = Math.min(...left.slice(0, together).map(({ tokens }) => tokens));
    passes.push(together * each);
    left = left
      .map(({ index, tokens }, at) => ({ index, tokens: at < together ? tokens - each : tokens }))
      .filter(({ tokens }) => tokens > 0);
  }
  return passes;
}
