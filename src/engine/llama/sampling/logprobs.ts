import type { GeneratedTokenLogprob, TokenLogprob } from '../../generation/generation.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { brokenModel } from './draw-errors.ts';

/**
 * The log-probability of `token` with its alternatives: `numbers` are its own one, and then the number and the
 * log-probability of each alternative. Throws AppError model_broken where these are NaN.
 */
export function toLogprob(
  vocabulary: Vocabulary,
  token: number,
  numbers: ArrayLike<number>,
): GeneratedTokenLogprob {
  const own = numbers[0] ?? Number.NaN;
  if (Number.isNaN(own)) throw brokenModel();
  const topLogprobs: TokenLogprob[] = [];
  for (let at = 1; at + 1 < numbers.length; at += 2)
    topLogprobs.push({ ...describeToken(vocabulary, numbers[at] ?? 0), logprob: numbers[at + 1] ?? 0 });
  return { ...describeToken(vocabulary, token), logprob: own, topLogprobs };
}

/** A token's text and its bytes; a control token has a text only. */
export function describeToken(vocabulary: Vocabulary, token: number): Pick<TokenLogprob, 'token' | 'bytes'> {
  const bytes = vocabulary.bytesOf(token);
  return { token: tokenText.decode(vocabulary.shownBytesOf(token)), bytes: [...bytes] };
}

const tokenText = new TextDecoder('utf-8', { ignoreBOM: true });
