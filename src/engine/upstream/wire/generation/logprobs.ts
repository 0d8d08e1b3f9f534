import type { GeneratedTokenLogprob, TokenLogprob } from '../../../generation/generation.ts';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../json.ts';

/** The tokens of one chunk, in the form of chat completions. Throws AddressFailure. */
export function readChatLogprobs(value: unknown, mostAlternatives: number): readonly GeneratedTokenLogprob[] {
  const content = fieldsOf(value)?.['content'];
  if (content === undefined || content === null) return [];
  return listOf(content, 'logprobs.content').map((entry) => {
    const token = fieldsOf(entry) ?? {};
    const alternatives = listOf(token['top_logprobs'] ?? [], 'top_logprobs').slice(0, mostAlternatives);
    return { ...toToken(token), topLogprobs: alternatives.map((other) => toToken(fieldsOf(other) ?? {})) };
  });
}

/** The tokens of one chunk, in the form of OpenAI's completions: lists with one entry per token. */
export function readTextLogprobs(value: unknown, mostAlternatives: number): readonly GeneratedTokenLogprob[] {
  const lists = fieldsOf(value);
  if (lists === undefined) return [];
  // llama.cpp's server has the form of chat at this endpoint, too.
  if (lists['content'] !== undefined) return readChatLogprobs(lists, mostAlternatives);
  const logprobs = listOf(lists['token_logprobs'], 'token_logprobs');
  const alternatives = listOf(lists['top_logprobs'] ?? [], 'top_logprobs');
  return listOf(lists['tokens'], 'logprobs.tokens').map((token, index) => ({
    ...named(textOf(token, 'a token'), numberOf(logprobs[index], 'a logprob')),
    topLogprobs: Object.entries(fieldsOf(alternatives[index]) ?? {})
      .map(([name, logprob]) => named(name, numberOf(logprob, 'a logprob')))
      .toSorted((a, b) => b.logprob - a.logprob)
      .slice(0, mostAlternatives),
  }));
}

function toToken({ token, logprob, bytes }: Fields): TokenLogprob {
  const text = textOf(token, 'a token');
  const given = Array.isArray(bytes) ? (bytes as unknown[]) : undefined;
  return {
    token: text,
    logprob: Math.min(0, numberOf(logprob, 'a logprob')),
    bytes: given?.every(isByte) === true ? given : [...Buffer.from(text)],
  };
}

const isByte = (byte: unknown): byte is number =>
  Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) < 256;

/** A token whose bytes are those of its name, or written in it as `bytes:\xe2\x82`. */
function named(name: string, logprob: number): TokenLogprob {
  const written = /^bytes:((?:\\x[0-9a-f]{2})+)$/i.exec(name)?.[1];
  const bytes =
    written === undefined ? Buffer.from(name) : Buffer.from(written.replaceAll(String.raw`\x`, ''), 'hex');
  return { token: bytes.toString('utf8'), logprob: Math.min(0, logprob), bytes: [...bytes] };
}
