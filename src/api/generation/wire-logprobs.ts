import type { GeneratedTokenLogprob, TokenLogprob } from '../../engine/types.ts';

/** OpenAI's stand-in for the logarithm of nothing, which JSON cannot hold. */
export const leastLogprob = -9999;

/** Tokens with their alternatives, as OpenAI's endpoints list them. */
export function toWireTokens(tokens: readonly GeneratedTokenLogprob[]) {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.topLogprobs.map(toWireToken) }));
}

function toWireToken({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob: Math.max(logprob, leastLogprob), bytes: [...bytes] };
}
