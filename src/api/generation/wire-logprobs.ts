import type { GeneratedTokenLogprob, TokenLogprob } from '../../engine/types.ts';

/** OpenAI's value for the logarithm of 0, which JSON cannot represent. */
export const leastLogprob = -9999;

/** Tokens and their alternatives in the form of OpenAI's endpoints. */
export function toWireTokens(tokens: readonly GeneratedTokenLogprob[]) {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.topLogprobs.map(toWireToken) }));
}

function toWireToken({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob: Math.max(logprob, leastLogprob), bytes: [...bytes] };
}
